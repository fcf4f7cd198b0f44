#!/bin/sh
# Builds mechanical mutants of the fast sources as plugins.
#
#   test/mutants/mechanical/build.sh BUILD_FOLDER COUNT
#
# BUILD_FOLDER is a configured build; its compile_commands.json says how each source is compiled. About COUNT mutations,
# spread evenly over all that the sources have, and those that always.txt names, are built into BUILD_FOLDER/mechanical
# ($WARPCHECK_MECHANICAL, where it is set): NUMBER.so and mutants.tsv with a line for each, number, variant, status and
# key:
# built a plugin to be caught; NUMBER-traps.so beside it is for mutants that nothing catches: the same with bounds and
# shift checks
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

# The compile command of a source, to be followed by what it compiles to; without debug information, so that objects can
# be compared.
command_of() {
  awk -v file="$1" '
    /"command":/ { line = $0 }
    /"file":/ { split($0, part, "\""); if (part[4] == file) { sub(/^ *"command": "/, "", line); sub(/",$/, "", line);
      gsub(/\\"/, "\"", line); sub(/ -o .*/, "", line); sub(/ -g /, " ", line); print line; exit } }' \
    "$build/compile_commands.json"
}
# Compiles a source in a copy of the folder, as the build does.
compile() { # FILE FOLDER OBJECT [OPTION...]
  file_=$1 folder_=$2 object_=$3
  shift 3
  $(command_of "$source/model/fast/$file_" | sed "s|-I$source/model/fast|-I$folder_|g") "$@" -w -o "$object_" -c "$folder_/$file_"
}
# With bounds and shift checks, as in the sanitizers' builds: an index beyond an array, a shift that is too far and a
# count of the zeros of 0 end the program.
with_traps() { compile "$@" -fsanitize=bounds,shift,builtin -fsanitize-undefined-trap-on-error; }
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
  object=$out/objects/$(echo "$file" | tr / _)
  compile "$file" "$out/fast" "$object.o"
  with_traps "$file" "$out/fast" "$object.traps.o" 2>/dev/null || rm -f "$object.traps.o" # not every compiler has them
  linked="$linked $object"
  case $file in # a variant that this machine lacks cannot be asked
  avx512/*) grep -q 'avx512cd.*avx512bw.*avx512vl' /proc/cpuinfo || { left_out=avx512; continue; } ;;
  esac
  used="$used $file"
done

includes="-I$out/fast -I$source/model/include -I$source"
for variant in fast-portable fast-avx2 fast-avx512 fast-neon; do
  ${CC:-cc} -std=c17 -fPIC -O2 -DMUTANT_VARIANT="\"$variant\"" $includes -c -o "$out/objects/plugin-$variant.o" "$here/plugin.c"
done
${CC:-cc} -std=c17 -fPIC -O2 $includes -c -o "$out/objects/shapes.o" "$source/check/impl/fast_batch.c"

# All mutations of all sources, of which every n-th is taken.
: >"$out/found.tsv"
for file in $used; do
  "$out/mutate" "$out/fast/$file" | awk -v file="$file" '{ print file "\t" $0 }' >>"$out/found.tsv"
done
# Functions that take no part in an answer are left out: excluded.txt says which and why.
awk -F '\t' 'NR == FNR { if ($0 !~ /^#/ && NF > 0) { split($0, word, " "); skip[word[1] " " word[2]] = 1 } next }
  !(($1 " " $3) in skip) && !(($1 " *") in skip)' "$here/excluded.txt" "$out/found.tsv" >"$out/all.tsv"
total=$(wc -l <"$out/all.tsv")
awk -v total="$total" -v count="$count" -f "$here/sample.awk" "$out/all.tsv" >"$out/sample.tsv"
# Of a variant that this processor does not have none is asked for.
awk -F '\t' -v sample="$out/sample.tsv" -v left_out="$left_out" '
  BEGIN { while ((getline line <sample) > 0) taken[line] = 1 }
  NR == FNR { if ($0 !~ /^#/ && $0 != "" && (left_out == "" || index($0, left_out "/") != 1)) always[$0] = 1; next }
  { key = $1 ": " $3 ": " $4; if (key in always) { found[key] = 1; taken[$0] = 1 } if ($0 in taken) print }
  END { for (key in always) if (!(key in found)) { print "always.txt: the sources have no longer: " key >"/dev/stderr"; status = 1 } exit status }' \
  "$here/always.txt" "$out/all.tsv" >"$out/chosen.tsv"

# A plugin of the mutant's object and of the others as they are.
link() { # PLUGIN NAME VARIANT ENDING [NUMBER]
  others=
  for other in $linked; do
    [ "$other" = "$out/objects/$2" ] || others="$others $other$4"
  done
  # shellcheck disable=SC2086
  ${CC:-cc} -shared -fPIC -o "$out/$1.so" "$out/objects/plugin-$3.o" "$out/objects/shapes.o" "$out/${5:-$1}$4" $others "$build/model/libwarpcheck-model.a"
}

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
    link "$number" "$name" "$variant" .o || status=no-mutant
    if with_traps "$file" "$folder" "$out/$number.traps.o" 2>/dev/null; then
      link "$number-traps" "$name" "$variant" .traps.o "$number" || rm -f "$out/$number-traps.so"
    fi
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
