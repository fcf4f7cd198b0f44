#!/bin/sh
# What a campaign cannot use is one line and status 2 before anything is built, started or made.
#   refused.sh WARPCHECK GOOD.so BAD_VERSION.so FOLDER
set -eu
warpcheck=$1 good=$2 bad=$3 folder=$4
fail() { echo "refused.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export WARPCHECK_FUZZ_TARGETS="$folder/none" # nothing is built: an engine is asked for only after these

refused() { # WHAT ARGUMENTS... ; the line on standard error has WHAT in it
  what=$1 status=0
  shift
  "$warpcheck" fuzz "$@" >run.log 2>run.err || status=$?
  [ "$status" -eq 2 ] || { cat run.log run.err; fail "status $status: $*"; }
  [ ! -s run.log ] && [ "$(wc -l <run.err)" -eq 1 ] && grep -q -e "$what" run.err || { cat run.log run.err; fail "not one line with '$what': $*"; }
  [ "$(ls -A)" = "$(printf 'run.err\nrun.log')" ] || fail "left behind: $(ls -A): $*"
}
for engine in libfuzzer afl; do
  refused 'cannot load the plugin ./nosuch.so: ' --engine $engine --impl ./nosuch.so
  refused "$good: has no implementation named bogus" --engine $engine --impl "$good:bogus"
  refused 'rebuild the plugin' --engine $engine --impl "$bad"
  refused "no implementation 'fast-nosuch'" --engine $engine --impl fast-nosuch
  refused "a campaign cannot ask 'pipe:cat': give fast, " --engine $engine --impl pipe:cat
  refused 'cannot read the inputs in ./nosuchfolder: No such file or directory' --engine $engine --seeds ./nosuchfolder
  refused 'cannot read the inputs in run.log: Not a directory' --engine $engine --seeds run.log
done
# What can be used gets further.
status=0
"$warpcheck" fuzz --impl "$good" >run.log 2>run.err || status=$?
[ "$status" -eq 2 ] && grep -q 'there is no target all (.*/none/libfuzzer/fuzz_all)' run.err || { cat run.log run.err; fail "a plugin that is good is refused"; }
echo "what a campaign cannot use is refused in one line"
