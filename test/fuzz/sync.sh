#!/bin/sh
# Two AFL++ instances, main and secondary, over a shared folder: each takes inputs over from the other.
#   sync.sh WARPCHECK FOLDER
set -eu
warpcheck=$1 folder=$2
fail() { echo "sync.sh: $*" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
"$warpcheck" fuzz --engine afl --jobs 2 --seconds 25 --work work --out out >log 2>err || { cat log err; fail "the campaign failed"; }
for job in job0 job1; do
  [ -s "work/afl-fuzz_all/$job/fuzzer_stats" ] || fail "$job did not run"
done
ls work/afl-fuzz_all/job*/queue | grep -q 'sync:' || fail "no input was taken over"
stability=$(sed -n 's/^stability *: *\([0-9]*\).*/\1/p' work/afl-fuzz_all/job0/fuzzer_stats)
[ "$stability" -ge 99 ] || fail "stability is $stability %"
echo "$(ls work/afl-fuzz_all/job*/queue | grep -c 'sync:') inputs taken over, stability $stability %"
