#!/bin/sh
# Asks the proofs about compiled code about mechanical mutants that no check caught: is the mutant equivalent?
#
#   test/mutants/mechanical/prove.sh BUILD_FOLDER SURVIVORS [SECONDS]
#
# BUILD_FOLDER has been built, and build.sh has made the mutants in it; SURVIVORS is what `warpcheck score --survivors` wrote. The changed source is
# compiled to bitcode as the build compiles it, and `warpcheck prove --compiled --folder` goes through the forms that the changed function serves
# (reach.txt), until one is not proved. BUILD_FOLDER/mechanical/proofs.tsv gets a line for each: key, `proved`, `refuted` or `open`, and which forms. SECONDS
# (600) is the limit of one form. What proofs.tsv says is proved or refuted is not asked again, what is open is: build.sh makes the folder, and with it that file, anew.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../../.." && pwd)
build=$(cd "$1" && pwd)
survivors=$2
limit=${3:-600}
out=${WARPCHECK_MECHANICAL:-$build/mechanical}
bitcode=$build/smt/compiled/bitcode
clang=${CLANG:-clang-14}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
[ -f "$bitcode/spec-spec.bc" ] || { echo "prove.sh: $bitcode: no bitcode there: build with LLVM 14 and Z3 (docs/compiled.md)" >&2; exit 2; }
[ -f "$out/chosen.tsv" ] || { echo "prove.sh: $out: no mutants there: make them with test/mutants/mechanical/build.sh" >&2; exit 2; }
touch "$out/proofs.tsv"

FLOAT=$("$build/cli/warpcheck" list instructions | awk '$1 ~ /^redux.*f32$/ { printf "%s ", $1 }')
# shellcheck disable=SC2034 # these stand in reach.txt
OLDSHFL="shfl.up.b32 shfl.down.b32 shfl.bfly.b32 shfl.idx.b32"
# shellcheck disable=SC2034
OLDVOTE="vote.all.pred vote.any.pred vote.uni.pred vote.ballot.b32"
# shellcheck disable=SC2034
SYNC="match.sync $FLOAT shfl.sync vote.sync redux.sync"

# The forms that a function serves, each once, in the order of reach.txt; a family stands for its forms.
forms_of() { # "FILE FUNCTION"
  line=$(awk -v key="$1:" 'index($0, key) == 1 { print substr($0, length(key) + 1); exit }' "$here/reach.txt")
  for word in $(eval "echo $line"); do
    "$build/cli/warpcheck" list instructions | awk -v word="$word" '$1 == word || index($1, word ".") == 1 { print $1 }
      word == "match.sync" && $1 ~ /^match/ { print $1 }'
  done | awk '!seen[$0]++'
}
flags_of() { # FILE: what its variant is compiled with
  awk -v file="$source/model/fast/$1" '/"command":/ { line = $0 } /"file":/ { split($0, part, "\""); if (part[4] == file) print line }' \
    "$build/compile_commands.json" | grep -o -e ' -m[a-z0-9]*' | tr -d '\n'
}
record() { # KEY STATUS TEXT
  awk -F '\t' -v key="$1" '$1 != key' "$out/proofs.tsv" >"$work/proofs.tsv"
  printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$work/proofs.tsv"
  cp "$work/proofs.tsv" "$out/proofs.tsv"
  echo "$2: $1: $3"
}

while IFS="$(printf '\t')" read -r number key; do
  file=$(sed -n "${number}p" "$out/chosen.tsv" | cut -f 1)
  mutation=$(sed -n "${number}p" "$out/chosen.tsv" | cut -f 2)
  function=$(sed -n "${number}p" "$out/chosen.tsv" | cut -f 3)
  [ "$(sed -n "${number}p" "$out/chosen.tsv" | awk -F '\t' '{ print $1 ": " $3 ": " $4 }')" = "$key" ] ||
    { echo "prove.sh: $survivors: number $number of $out is not '$key': write the file anew with warpcheck score --survivors" >&2; exit 2; }
  owner=$(dirname "$file") && [ "$owner" != . ] || owner=fast
  variant=fast-$owner && [ "$owner" != fast ] || variant=fast-portable
  forms=$(forms_of "$file $function")
  [ -n "$forms" ] || { echo "beyond the proofs: $key"; continue; }
  if awk -F '\t' -v key="$key" '$1 == key && $2 != "open" { found = 1 } END { exit !found }' "$out/proofs.tsv"; then continue; fi
  name=$owner-$(basename "$file" .c).bc
  rm -rf "$work/fast" "$work/bitcode"
  cp -r "$out/fast" "$work/fast" && cp -r "$bitcode" "$work/bitcode"
  compile() {
    # shellcheck disable=SC2046
    "$clang" -std=c17 -O2 -DNDEBUG $(flags_of "$file") -DWARPCHECK_FAST_X86 -I"$source/model/include" -I"$work/fast" --target=x86_64-linux-gnu -w \
      -emit-llvm -c "$work/fast/$file" -o "$1"
  }
  compile "$work/before.bc"
  "$out/mutate" "$out/fast/$file" "$mutation" >"$work/fast/$file"
  compile "$work/bitcode/$name"
  if cmp -s "$work/before.bc" "$work/bitcode/$name"; then
    record "$key" proved "clang makes the same code of it"
    continue
  fi
  count=0 status=proved text=
  total=$(echo "$forms" | wc -l)
  for form in $forms; do
    "$build/cli/warpcheck" prove --compiled --folder "$work/bitcode" --impl "$variant" --only "$form" --limit "$limit" --timeout 120 --jobs 1 --quiet \
      >"$work/answer" 2>&1 || true
    if grep -q 'pairs\{0,1\}: 1 proved' "$work/answer"; then
      count=$((count + 1))
      continue
    fi
    status=open
    ! grep -q ' REFUTED ' "$work/answer" || status=refuted
    text="$form is $(sed -n "s/^$form $variant: //p" "$work/answer" | head -n 1 | cut -c 1-120) ($variant; of its $total forms $count were proved before)"
    break
  done
  [ "$status" != proved ] || text="\`warpcheck prove --compiled\` says PROVED of it for all $total forms that the function serves, on $variant"
  record "$key" "$status" "$text"
done <"$survivors"
