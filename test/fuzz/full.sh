#!/bin/sh
# A full disk: a finding that cannot be kept is reported, the status is 2, and nothing half written is left.
#   full.sh WARPCHECK MUTANTS.so CRASH.so FOLDER
# Exit status 77 where no small file system can be mounted.
set -eu
warpcheck=$1 mutants=$2 crash=$3 folder=$4
fail() { echo "full.sh: $*" >&2; exit 1; }
if [ "${FULL_SH_INSIDE:-}" != yes ]; then
  rm -rf "$folder"
  mkdir -p "$folder/out"
  unshare -rm mount -t tmpfs -o size=16k tmpfs "$folder/out" 2>/dev/null || { echo "UNAVAILABLE: this machine mounts no file system for an ordinary user"; exit 77; }
  FULL_SH_INSIDE=yes exec unshare -rm "$0" "$@"
fi
cd "$folder"
mount -t tmpfs -o size=16k tmpfs out
dd if=/dev/zero of=out/filler bs=1k count=64 2>/dev/null && fail "the file system is not small"
for case in "$mutants:bfly-own-segment shfl.sync" "$crash:segv activemask"; do
  impl=${case% *} family=${case#* } name=${case#*.so:}
  name=${name% *} status=0
  "$warpcheck" fuzz --jobs 2 --seconds 4 --impl "$impl" --only "$family" --work "work-$name" --out out >"$name.log" 2>"$name.err" || status=$?
  [ "$status" -eq 2 ] || { cat "$name.log" "$name.err"; fail "$name: status $status"; }
  grep -Eq '(a finding was not kept|the reproducer was not written): .*No space left' "$name.err" || { cat "$name.err"; fail "$name: it is not said that a finding was not kept"; }
  grep -Eq 'findings were not kept in .*/out: make room there' "$name.err" || { cat "$name.err"; fail "$name: it is not said at the end"; }
  if grep '^FINDING' "$name.log"; then fail "$name: a finding is announced as kept"; fi
  [ "$(ls -A out)" = filler ] || fail "$name: left behind: $(ls -A out)"
done
rm out/filler # with room again the same campaign keeps it
status=0
"$warpcheck" fuzz --jobs 2 --seconds 4 --impl "$mutants:bfly-own-segment" --only shfl.sync --work work-bfly-own-segment --out out >again.log 2>again.err || status=$?
[ "$status" -eq 1 ] || { cat again.log again.err; fail "with room again: status $status"; }
for kept in $(sed -n 's/^  kept:   //p' again.log); do
  [ -s "$kept/case.txt" ] || fail "$kept has no case"
done
grep -q '^FINDING' again.log || fail "with room again nothing is found"
echo "a full disk is said"
