#!/bin/sh
# Builds mechanical mutants of the fast sources as plugins.
#
#   test/mutants/mechanical/build.sh BUILD_FOLDER COUNT
#
# BUILD_FOLDER is a configured build; its compile_commands.json says how each source is compiled. About COUNT mutations, spread evenly over all
# that the sources have, are built into BUILD_FOLDER/mechanical: NUMBER.so and mutants.tsv with a line for each, number, variant, status and key:
#   built        a plugin to be caught
#   same-code    the compiler makes the same object code of it: equivalent, and proved so
#   no-mutant    it does not compile
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../../.." && pwd)
build=$(cd "$1" && pwd)
count=$2
out=$build/mechanical
jobs=${WARPCHECK_JOBS:-2}
mkdir -p "$out/objects"
${CC:-cc} -std=c17 -O1 -o "$out/mutate" "$here/mutate.c"

# The compile command of a source, to be followed by what it compiles to; without debug information, so that objects can be compared.
command_of() {
  awk -v file="$1" '
    /"command":/ { line = $0 }
    /"file":/ { split($0, part, "\""); if (part[4] == file) { sub(/^ *"command": "/, "", line); sub(/",$/, "", line);
      gsub(/\\"/, "\"", line); sub(/ -o .*/, "", line); sub(/ -g /, " ", line); print line; exit } }' \
    "$build/compile_commands.json"
}
variant_of() {
  case $1 in
  */avx512/*) echo fast-avx512 ;;
  */avx2/*) echo fast-avx2 ;;
  */neon/*) echo fast-neon ;;
  *) echo fast-portable ;;
  esac
}

# Everything as it is: the objects that a mutant shares, and the ones that its own is compared with.
sources=$(cd "$source/model/fast" && find . -name '*.c' | sed 's|^\./||' | sort)
used=
for file in $sources; do
  command=$(command_of "$source/model/fast/$file")
  [ -n "$command" ] || continue
  used="$used $file"
  object=$out/objects/$(echo "$file" | tr / _).o
  if [ ! -f "$object" ] || [ "$source/model/fast/$file" -nt "$object" ]; then
    $command -o "$object" -c "$source/model/fast/$file"
  fi
done

# All mutations of all sources, of which every n-th is taken.
: >"$out/all.tsv"
for file in $used; do
  "$out/mutate" "$source/model/fast/$file" | awk -v file="$file" -F '\t' '{ print file "\t" $0 }' >>"$out/all.tsv"
done
total=$(wc -l <"$out/all.tsv")
awk -v total="$total" -v count="$count" 'BEGIN { step = total > count ? total / count : 1; next_one = step / 2 }
  NR >= next_one { print; next_one += step }' "$out/all.tsv" >"$out/chosen.tsv"

one() {
  number=$1 file=$2 mutation=$3 key=$4
  name=$(echo "$file" | tr / _)
  variant=$(variant_of "/$file")
  folder=$out/tree-$number
  mkdir -p "$folder"
  cp -r "$source/model/fast/." "$folder/"
  "$out/mutate" "$source/model/fast/$file" "$mutation" >"$folder/$file"
  rm -f "$out/$number.so"
  if ! $(command_of "$source/model/fast/$file" | sed "s|-I$source/model/fast|-I$folder|g") -w -o "$out/$number.o" -c "$folder/$file" \
      2>/dev/null; then
    status=no-mutant
  elif cmp -s "$out/$number.o" "$out/objects/$name.o"; then
    status=same-code
  else
    status=built
    others=
    for other in $used; do
      [ "$other" = "$file" ] || others="$others $out/objects/$(echo "$other" | tr / _).o"
    done
    ${CC:-cc} -shared -fPIC -O1 -DMUTANT_VARIANT="\"$variant\"" -I"$source/model/fast" -I"$source/model/include" -o "$out/$number.so" \
      "$here/plugin.c" "$out/$number.o" $others "$build/model/libwarpcheck-model.a" || status=no-mutant
  fi
  rm -rf "$folder" "$out/$number.o"
  printf '%s\t%s\t%s\t%s: %s\n' "$number" "$variant" "$status" "$file" "$key" >"$out/$number.line"
}

rm -f "$out"/*.line "$out"/*.so
number=0
while IFS="$(printf '\t')" read -r file mutation key; do
  number=$((number + 1))
  one "$number" "$file" "$mutation" "$key" &
  [ $((number % jobs)) -ne 0 ] || wait
done <"$out/chosen.tsv"
wait
cat "$out"/*.line | sort -n >"$out/mutants.tsv"
rm -f "$out"/*.line
cut -f 3 "$out/mutants.tsv" | sort | uniq -c >&2
echo "$total mutations in the sources, $number taken" >&2
