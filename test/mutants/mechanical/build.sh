#!/bin/sh
# Builds mechanical mutants of the fast sources as plugins.
#
#   test/mutants/mechanical/build.sh BUILD_FOLDER COUNT
#
# BUILD_FOLDER is a configured build; its compile_commands.json says how each source is compiled. About COUNT mutations, spread evenly over all
# that the sources have, and those that always.txt names, are built into BUILD_FOLDER/mechanical ($WARPCHECK_MECHANICAL, where it is set): NUMBER.so and mutants.tsv with a line for each, number, variant, status and key:
#   built        a plugin to be caught
#   same-code    the compiler makes the same object code of it: equivalent, and proved so
#   no-mutant    it does not compile
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../../.." && pwd)
build=$(cd "$1" && pwd)
count=$2
out=${WARPCHECK_MECHANICAL:-$build/mechanical}
jobs=${WARPCHECK_JOBS:-2}
rm -rf "$out"
mkdir -p "$out/objects" "$out/fast"
cp -r "$source/model/fast/." "$out/fast/" # what is mutated stays as it is now
${CC:-cc} -std=c17 -O1 -o "$out/mutate" "$here/mutate.c"

# The compile command of a source, to be followed by what it compiles to; without debug information, so that objects can be compared.
command_of() {
  awk -v file="$1" '
    /"command":/ { line = $0 }
    /"file":/ { split($0, part, "\""); if (part[4] == file) { sub(/^ *"command": "/, "", line); sub(/",$/, "", line);
      gsub(/\\"/, "\"", line); sub(/ -o .*/, "", line); sub(/ -g /, " ", line); print line; exit } }' \
    "$build/compile_commands.json"
}
# Compiles a source in a copy of the folder. As in the sanitizer builds, an index beyond an array and a shift that is too far end the program.
traps="-fsanitize=bounds,shift -fsanitize-undefined-trap-on-error"
# shellcheck disable=SC2086
echo 'int x;' | ${CC:-cc} $traps -x c -c -o /dev/null - 2>/dev/null || traps=
compile() { # FILE FOLDER OBJECT
  $(command_of "$source/model/fast/$1" | sed "s|-I$source/model/fast|-I$2|g") $traps -w -o "$3" -c "$2/$1"
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
sources=$(cd "$out/fast" && find . -name '*.c' | sed 's|^\./||' | sort)
used= linked= left_out=
for file in $sources; do
  command=$(command_of "$source/model/fast/$file")
  [ -n "$command" ] || continue
  case $file in # a variant that this machine lacks cannot be asked
  avx512/*) grep -q 'avx512bw.*avx512vl' /proc/cpuinfo || { left_out=avx512; compile "$file" "$out/fast" "$out/objects/$(echo "$file" | tr / _).o"; linked="$linked $file"; continue; } ;;
  esac
  used="$used $file"
  compile "$file" "$out/fast" "$out/objects/$(echo "$file" | tr / _).o"
done

includes="-I$out/fast -I$source/model/include -I$source"
for variant in fast-portable fast-avx2 fast-avx512 fast-neon; do
  ${CC:-cc} -std=c17 -fPIC -O2 -DMUTANT_VARIANT="\"$variant\"" $includes -c -o "$out/objects/plugin-$variant.o" "$here/plugin.c"
done
${CC:-cc} -std=c17 -fPIC -O2 $includes -c -o "$out/objects/shapes.o" "$source/fuzz/shapes.c"

# All mutations of all sources, of which every n-th is taken.
: >"$out/found.tsv"
for file in $used; do
  "$out/mutate" "$out/fast/$file" | awk -v file="$file" '{ print file "\t" $0 }' >>"$out/found.tsv"
done
# Functions that take no part in an answer are left out: excluded.txt says which and why.
awk -F '\t' 'NR == FNR { if ($0 !~ /^#/ && NF > 0) { split($0, word, " "); skip[word[1] " " word[2]] = 1 } next }
  !(($1 " " $3) in skip) && !(($1 " *") in skip)' "$here/excluded.txt" "$out/found.tsv" >"$out/all.tsv"
total=$(wc -l <"$out/all.tsv")
awk -v total="$total" -v count="$count" 'BEGIN { if (count == 0) exit; step = total > count ? total / count : 1; next_one = step / 2 }
  NR >= next_one { print; next_one += step }' "$out/all.tsv" >"$out/sample.tsv"
awk -F '\t' -v sample="$out/sample.tsv" '
  BEGIN { while ((getline line <sample) > 0) taken[line] = 1 }
  NR == FNR { if ($0 !~ /^#/ && $0 != "") always[$0] = 1; next }
  { key = $1 ": " $3 ": " $4; if (key in always) { found[key] = 1; taken[$0] = 1 } if ($0 in taken) print }
  END { for (key in always) if (!(key in found)) { print "always.txt: the sources have no longer: " key >"/dev/stderr"; status = 1 } exit status }' \
  "$here/always.txt" "$out/all.tsv" >"$out/chosen.tsv"

one() {
  number=$1 file=$2 mutation=$3 function=$4 key=$5
  name=$(echo "$file" | tr / _)
  variant=$(variant_of "/$file")
  folder=$out/tree-$number
  mkdir -p "$folder"
  cp -r "$out/fast/." "$folder/"
  "$out/mutate" "$out/fast/$file" "$mutation" >"$folder/$file"
  if ! compile "$file" "$folder" "$out/$number.o" 2>/dev/null; then
    status=no-mutant
  elif cmp -s "$out/$number.o" "$out/objects/$name.o"; then
    status=same-code
  else
    status=built
    others=
    for other in $used $linked; do
      [ "$other" = "$file" ] || others="$others $out/objects/$(echo "$other" | tr / _).o"
    done
    ${CC:-cc} -shared -fPIC -o "$out/$number.so" "$out/objects/plugin-$variant.o" "$out/objects/shapes.o" "$out/$number.o" $others \
      "$build/model/libwarpcheck-model.a" || status=no-mutant
  fi
  rm -rf "$folder"
  printf '%s\t%s\t%s\t%s: %s\n' "$number" "$variant" "$status" "$file: $function" "$key" >"$out/$number.line"
}

number=0
while IFS="$(printf '\t')" read -r file mutation function key; do
  number=$((number + 1))
  one "$number" "$file" "$mutation" "$function" "$key" &
  [ $((number % jobs)) -ne 0 ] || wait
done <"$out/chosen.tsv"
wait
cat "$out"/*.line | sort -n >"$out/mutants.tsv"
rm -f "$out"/*.line
cut -f 3 "$out/mutants.tsv" | sort | uniq -c >&2
echo "$total mutations in the sources, $number taken" >&2
[ -z "$left_out" ] || echo "left out: $left_out, which this machine's processor lacks" >&2
