#!/usr/bin/env bash
# producers.sh SOURCE_FOLDER TEST_COMPILED_USER
#
# The same functions in bitcode of each clang that is read and is there: right ones are proved, wrong ones refuted, and
# what must not be decided is refused. Those that are not there are named.
set -u
ROOT=$1
JUDGE=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
tried=0

# judge CLANG LANGUAGE NAMES OPTION...: one folder of bitcode
judge() {
    local clang=$1 language=$2 names=$3 name
    shift 3
    for name in $names; do
        "$clang" -x "$language" "$@" -w -I"$ROOT/model/include" -emit-llvm -c "$ROOT/test/compiled/user/$name.c" -o "$work/$name.bc" ||
            { echo "FAILED: $clang does not compile $name.c as $language"; failed=1; return; }
    done
    # shellcheck disable=SC2086
    (cd "$ROOT" && "$JUDGE" "$work" $names) >"$work/out" 2>&1 || { failed=1; grep FAIL "$work/out"; }
    echo "$clang as $language, $*: $(tail -n 1 "$work/out")"
}

for version in 14 15 16 17 18 19; do
    clang=$(command -v "clang-$version") || { echo "SKIPPED: clang-$version is not here"; continue; }
    tried=$((tried + 1))
    judge "$clang" c 'producers_right producers_wrong' -std=c17 -O0
    judge "$clang" c 'producers_right producers_wrong' -std=c17 -O2 -fwrapv
    judge "$clang" c++ 'producers_right producers_wrong' -std=c++17 -O2 -g
    judge "$clang" c 'refused_addresses undefined_places' -std=c17 -O2 -fwrapv -Xclang -disable-llvm-passes
done
[ "$tried" -gt 0 ] || { echo 'FAILED: no clang is here'; exit 1; }
exit "$failed"
