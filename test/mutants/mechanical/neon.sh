#!/usr/bin/env bash
# Mechanical mutants of the NEON sources: the program of the test fast_neon, built with each and run under the emulator,
# has to notice it.
#
#   neon.sh QEMU FOLDER COUNT COMPILE SOURCE...
#
# COMPILE is the cross compiler with its options, SOURCE... all sources of the program. About COUNT mutations (with
# WARPCHECK_SLOW=all four times as many), spread evenly over all that model/fast/neon has, its header among them, are
# built and run in FOLDER; mutants.tsv there has a line for each, status and key:
#   caught       wrong answer, crash or hang
#   checks       the same, but only in a build with bounds and shift checks, as the sanitizers' builds have them
#   no-mutant    it does not compile
#   same-code    the compiler makes the same object code of it: equivalent, and proved so
#   argued       not noticed, and neon_equivalent.txt has an argument why nothing could
#   MISSED       not noticed
# Exit status 1 when one is missed, when the list names a mutant that is caught or that the sources do not have, or when
# the program fails as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
model=$(cd "$here/../../../model" && pwd)
qemu=$1 out=$2 count=$3
[ "${WARPCHECK_SLOW:-}" != all ] || count=$((4 * count))
read -ra compile <<<"$4"
shift 4
jobs=${WARPCHECK_JOBS:-2}
rm -rf "$out"
mkdir -p "$out/objects" "$out/fast"
cp -r "$model/fast/." "$out/fast/" # what is mutated stays as it is now
${HOST_CC:-cc} -std=c17 -O1 -o "$out/mutate" "$here/mutate.c"
ulimit -c 0
cd "$out"

# The NEON sources, and the objects of all others, which the mutants share.
neon=() others=()
for source in "$@"; do
  if [[ $source == */fast/neon/* ]]; then
    neon+=("${source##*/}")
  else
    others+=("objects/$(basename "$source" .c).o")
    "${compile[@]}" -o "${others[-1]}" -c "$source"
  fi
done
# Compiles sources of FOLDER/neon to FOLDER/neon/*.o, with the options in `checks`.
build() { # FOLDER FILE...
  local folder=$1 file
  shift
  for file in "$@"; do
    "${compile[@]}" "${checks[@]}" -w -o "$folder/neon/${file%.c}.o" -c "$folder/neon/$file" || return 1
  done
}
# Runs the program in FOLDER for ROUNDS, with a limit in seconds of processor time, and says what came of it.
ask() { # FOLDER ROUNDS LIMIT
  if ! (ulimit -t "$3" && exec "$qemu" "$1/program" "$2") >"$1/report" 2>&1; then
    echo caught
  elif grep -q '^fast-neon: [0-9]* cases and batches of [0-9]* warps agree$' "$1/report"; then
    echo agrees
  else
    echo unclear # it ended well, but did not ask the variant
  fi
}
# One round first, whose limit is soon over: unchanged it takes a second, and the four rounds of fast_neon take three.
try() { # FOLDER OBJECT...
  local folder=$1 verdict
  shift
  "${compile[@]}" -o "$folder/program" "${others[@]}" "$@" || {
    echo no-mutant
    return
  }
  verdict=$(ask "$folder" 1 6)
  [ "$verdict" != agrees ] || verdict=$(ask "$folder" 4 30)
  echo "$verdict"
}

cp -r fast checked
traps=(-fsanitize=bounds -fsanitize=shift -fsanitize-undefined-trap-on-error)
checks=("${traps[@]}")
build checked "${neon[@]}"
checks=()
build fast "${neon[@]}"
for folder in fast checked; do
  [ "$(try $folder $folder/neon/*.o)" = agrees ] || {
    cat $folder/report
    echo "the program fails without any mutant"
    exit 1
  }
done

for file in lanes.h "${neon[@]}"; do
  ./mutate "fast/neon/$file" | awk -v file="$file" '{ print file "\t" $0 }'
done >all.tsv
total=$(wc -l <all.tsv)
awk -v total="$total" -v count="$count" -f "$here/sample.awk" all.tsv >chosen.tsv

one() {
  local number=$1 file=$2 mutation=$3 key="neon/$2: $4: $5"
  local tree=tree-$number touched=("$file") status
  [ "$file" != lanes.h ] || touched=("${neon[@]}")
  mkdir "$tree"
  cp -r fast/. "$tree/"
  ./mutate "fast/neon/$file" "$mutation" >"$tree/neon/$file"
  status=same-code
  if build "$tree" "${touched[@]}" 2>/dev/null; then
    for object in "$tree"/neon/*.o; do
      cmp -s "$object" "fast/neon/$(basename "$object")" || status=
    done
    [ -n "$status" ] || status=$(try "$tree" "$tree"/neon/*.o 2>/dev/null) # the shell would say which it had to kill
  else
    status=no-mutant
  fi
  checks=("${traps[@]}")
  if [ "$status" = agrees ] && build "$tree" "${touched[@]}" && [ "$(try "$tree" "$tree"/neon/*.o 2>/dev/null)" = caught ]; then
    status=checks
  fi
  rm -rf "$tree"
  printf '%s\t%s\n' "$status" "$key" >"$number.line"
}

number=0
while IFS="$(printf '\t')" read -r file mutation function key; do
  number=$((number + 1))
  one "$number" "$file" "$mutation" "$function" "$key" &
  [ $((number % jobs)) -ne 0 ] || wait
done <chosen.tsv
wait

awk -F '\t' '{ print "neon/" $1 ": " $3 ": " $4 }' all.tsv >keys
cat ./*.line | awk -F '\t' -v list="$here/neon_equivalent.txt" -v table=mutants.tsv -v total="$total" -v taken="$number" '
  BEGIN {
    while ((getline line <list) > 0)
      if (line ~ /^    [^ ]/) argued[key] = 1
      else if (line !~ /^#/ && line != "") listed[key = line] = 1
    while ((getline line <"keys") > 0) exists[line] = 1
  }
  $1 == "agrees" { $1 = $2 in argued ? "argued" : "MISSED" }
  { print $1 "\t" $2 >table; count[$1]++; seen[$2] = $1 }
  $1 == "MISSED" || $1 == "unclear" { print $1 ": " $2; bad = 1 }
  END {
    for (key in listed) {
      if (seen[key] ~ /^(caught|checks)$/) { print "caught, but listed as equivalent: " key; bad = 1 }
      if (!(key in exists)) { print "the sources have no longer: " key; bad = 1 }
    }
    mutants = NR - count["no-mutant"] - count["same-code"]
    printf "%d of %d NEON mutants caught, %d more with bounds and shift checks, %d equivalent by argument, %d MISSED\n", count["caught"],
      mutants, count["checks"], count["argued"], mutants - count["caught"] - count["checks"] - count["argued"]
    printf "%d more are the same object code, %d do not compile; %d taken of %d\n", count["same-code"], count["no-mutant"], NR, total
    if (NR == 0 || NR != taken) { print "of " taken " mutants " NR " came to an end"; bad = 1 }
    exit bad
  }'
