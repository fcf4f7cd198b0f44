#!/bin/sh
# Known reproducers: the built-in implementations agree on each, the mutant that shows its defect still does, and each
# has a verdict.
#   known.sh CRASHES WARPCHECK MUTANTS.so
set -eu
crashes=$1 warpcheck=$2 mutants=$3
fail() { echo "known.sh: $*" >&2; exit 1; }
words='open|defect of the implementation|defect of warpcheck|freedom of the manual'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
entries=0 shown=0
for entry in "$crashes"/*/; do
  [ -d "$entry" ] || break
  entry=${entry%/}
  entries=$((entries + 1))
  replay=replay main=$entry/case.txt
  [ -e "$main" ] || ! [ -e "$entry/program.ptx" ] || { replay="program --against spec" main=$entry/program.ptx; }
  for file in "$main" "$entry/finding.txt" "$entry/verdict.txt"; do
    [ -s "$file" ] || fail "$file is not there"
  done
  [ "$(grep -cE "^status: ($words)\$" "$entry/verdict.txt")" -eq 1 ] && [ "$(grep -c '^status:' "$entry/verdict.txt")" -eq 1 ] ||
    fail "$entry/verdict.txt: give one status of: $words"
  grep -q '^status: open$' "$entry/verdict.txt" || { grep -q '^by: .' "$entry/verdict.txt" && grep -q '^why: .' "$entry/verdict.txt"; } ||
    fail "$entry/verdict.txt: say by whom and why"
  "$warpcheck" $replay --impl fast "$main" >"$log" 2>&1 || { cat "$log" >&2; fail "$entry: the built-in implementations do not agree"; }
  name=$(sed -n 's/.*\[\([a-z0-9-]*\) against \(spec\|itself\)[],].*/\1/p' "$entry/finding.txt")
  status=0
  "$warpcheck" $replay --impl "$mutants:$name" "$main" >"$log" 2>&1 || status=$?
  case $status:${entry##*/} in
  1:*) ;;
  2:"$name".*) cat "$log" >&2; fail "$entry: there is no mutant '$name'" ;;
  2:*) continue ;; # found in something else
  *) cat "$log" >&2; fail "$entry: $name no longer differs (status $status)" ;;
  esac
  case $entry in
  *.law-*) grep -q ': LAW BROKEN: ' "$log" || { cat "$log" >&2; fail "$entry: the law is not judged"; } ;;
  esac
  shown=$((shown + 1))
done
[ "$shown" -ge 5 ] || fail "$shown of $entries entries of $crashes show the defect of a mutant: there must be 5"
echo "$entries known reproducers; $shown show the defect of a mutant"
