#!/usr/bin/env bash
# Every fifth property of the catalogue, and none of those that take the longest; test smt_catalogue_all asks for all.
# (Neighbours often differ in the mode of shfl alone, of which there are four: a fifth has all of them.)
# usage: catalogue.sh PROGRAM
set -u -o pipefail
longest='outcome-same-for-all redux-pair program-aggregated-atomic-branch program-mask-lemma match-all-b64 elect-one-leader
    elect-same-leader redux-lemma-associates match-any-b64 program-source-not-active outcome-group-agrees match-any-bit-b64'
mapfile -t names < <("$1" prove --markdown | sed -n 's/^| `\([a-z0-9-]*\)` .*/\1/p')
kept=()
for ((n = 0; n < ${#names[@]}; n += 5)); do
    [[ " $(echo $longest) " == *" ${names[n]} "* ]] || kept+=("${names[n]}")
done
[ "${#kept[@]}" -ge 90 ] || {
    echo "FAILED: only ${#kept[@]} of ${#names[@]} properties"
    exit 1
}
exec "$1" prove --quiet --timeout 120 --jobs 2 "${kept[@]}"
