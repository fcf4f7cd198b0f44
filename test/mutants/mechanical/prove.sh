#!/bin/sh
# Asks the proofs about compiled code about mechanical mutants that no check caught: is the mutant equivalent?
#
#   test/mutants/mechanical/prove.sh BUILD_FOLDER SURVIVORS [SECONDS [JOBS]]
#
# BUILD_FOLDER has been built, and build.sh has made the mutants in it; SURVIVORS is what `warpcheck score --survivors`
# wrote. The changed source is compiled to bitcode as the build compiles it, and `warpcheck prove --compiled --folder`
# goes through the forms that the changed function serves (reach.txt), until one is neither proved nor bounded.
# BUILD_FOLDER/mechanical/proofs.tsv gets a line for each: key, `proved`, `bounded`, `refuted` or `open`, and which
# forms. SECONDS (600) is the limit of one form, JOBS (1) the mutants at a time. What is proved or refuted there is not
# asked again, the rest is: build.sh makes the folder, and with it that file, anew.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../../.." && pwd)
build=$(cd "$1" && pwd)
survivors=$2
limit=${3:-600}
jobs=${4:-1}
out=${WARPCHECK_MECHANICAL:-$build/mechanical}
bitcode=$build/proofs/bitcode
program=$build/cli/warpcheck
clang=${CLANG:-clang-14}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
[ -f "$bitcode/spec-spec.bc" ] || { echo "prove.sh: $bitcode: no bitcode there: build with LLVM 19, clang 14 and Z3 (docs/compiled.md)" >&2; exit 2; }
[ -f "$out/chosen.tsv" ] || { echo "prove.sh: $out: no mutants there: make them with test/mutants/mechanical/build.sh" >&2; exit 2; }
touch "$out/proofs.tsv"

FLOAT=$("$program" list instructions | awk '$1 ~ /^redux.*f32$/ { printf "%s ", $1 }')
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
    "$program" list instructions | awk -v word="$word" '$1 == word || index($1, word ".") == 1 { print $1 }
      word == "match.sync" && $1 ~ /^match/ { print $1 }'
  done | awk '!seen[$0]++'
}
flags_of() { # FILE: what its variant is compiled with
  awk -v file="$source/model/fast/$1" '/"command":/ { line = $0 } /"file":/ { split($0, part, "\""); if (part[4] == file) print line }' \
    "$build/compile_commands.json" | grep -o -e ' -m[a-z0-9]*' | tr -d '\n'
}
record() { # STATUS TEXT: of the mutant with the key; several processes do so
  until mkdir "$work/lock" 2>/dev/null; do sleep 0.1; done
  awk -F '\t' -v key="$key" '$1 != key' "$out/proofs.tsv" >"$work/proofs.tsv"
  printf '%s\t%s\t%s\n' "$key" "$1" "$2" >>"$work/proofs.tsv"
  cp "$work/proofs.tsv" "$out/proofs.tsv"
  rmdir "$work/lock"
  echo "$1: $key: $2"
}

# One mutant, in a process of its own.
one() { # NUMBER FILE MUTATION FORMS
  own=$work/$1 file=$2 owner=$(dirname "$2")
  [ "$owner" != . ] || owner=fast
  variant=fast-$owner && [ "$owner" != fast ] || variant=fast-portable
  mkdir "$own"
  cp -r "$out/fast" "$own/fast" && cp -r "$bitcode" "$own/bitcode"
  compile() {
    # shellcheck disable=SC2046
    "$clang" -std=c17 -O2 -DNDEBUG $(flags_of "$file") -DWARPCHECK_FAST_X86 -I"$source/model/include" -I"$own/fast" --target=x86_64-linux-gnu -w \
      -emit-llvm -c "$own/fast/$file" -o "$1"
  }
  compile "$own/before.bc"
  "$out/mutate" "$out/fast/$file" "$3" >"$own/fast/$file"
  compile "$own/bitcode/$owner-$(basename "$file" .c).bc" || { record open "$clang does not compile it"; return; }
  if cmp -s "$own/before.bc" "$own/bitcode/$owner-$(basename "$file" .c).bc"; then
    record proved "clang makes the same code of it"
    return
  fi
  count=0 bounded=0 which='' bound='' total=$(echo "$4" | wc -l)
  for form in $4; do
    "$program" prove --compiled --folder "$own/bitcode" --impl "$variant" --only "$form" --limit "$limit" --timeout 120 --jobs 1 --quiet \
      >"$own/answer" 2>&1 || true
    if grep -q 'pairs\{0,1\}: 1 proved' "$own/answer"; then
      count=$((count + 1))
    elif grep -q 'pairs\{0,1\}: 0 proved, 1 bounded' "$own/answer"; then
      bounded=$((bounded + 1)) which="$which${which:+, }$form"
      bound=$(sed -n 's/^BOUNDED: //p' "$own/answer" | head -n 1 | cut -c 1-90)
    else
      status=open
      ! grep -q ' REFUTED ' "$own/answer" || status=refuted
      record $status "$form is $(sed -n "s/^$form $variant: //p" "$own/answer" | head -n 1 | cut -c 1-120) ($variant; of its $total forms $count were proved before)"
      return
    fi
  done
  if [ "$bounded" -gt 0 ]; then
    record bounded "\`warpcheck prove --compiled\` says BOUNDED of it for $which ($bound), PROVED for $count of the $total forms that the function serves, on $variant"
  elif [ "$total" -eq 1 ]; then
    record proved "\`warpcheck prove --compiled\` says PROVED of it for $4, all that the function serves, on $variant"
  else
    record proved "\`warpcheck prove --compiled\` says PROVED of it for all $total forms that the function serves, on $variant"
  fi
}

started=0
while IFS="$(printf '\t')" read -r number key; do
  line=$(sed -n "${number}p" "$out/chosen.tsv")
  [ "$(echo "$line" | awk -F '\t' '{ print $1 ": " $3 ": " $4 }')" = "$key" ] ||
    { echo "prove.sh: $survivors: number $number of $out is not '$key': write the file anew with warpcheck score --survivors" >&2; exit 2; }
  file=$(echo "$line" | cut -f 1)
  forms=$(forms_of "$file $(echo "$line" | cut -f 3)")
  [ -n "$forms" ] || { echo "beyond the proofs: $key"; continue; }
  if awk -F '\t' -v key="$key" '$1 == key && $2 ~ /^(proved|refuted)$/ { found = 1 } END { exit !found }' "$out/proofs.tsv"; then continue; fi
  one "$number" "$file" "$(echo "$line" | cut -f 2)" "$forms" &
  started=$((started + 1))
  [ $((started % jobs)) -ne 0 ] || wait
done <"$survivors"
wait
