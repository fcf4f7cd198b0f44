#!/bin/sh
# must_break.sh SOURCE-DIR BITCODE-DIR PROGRAM CLANG "AVX2-FLAGS" "AVX512-FLAGS" [NAME...]
#
# Each patch of test/compiled/must_break.patches ("## NAME", what is wrong, the form, the variant, the patch) breaks the
# optimized implementation in one place, or (variant `smt`) the transcription. The patched sources are compiled as
# the unpatched ones were; the proof must then be a refutation, and its witness must show the difference natively:
# between the transcription and the variant, or the encoding as evaluated. Fails if anything is still proved (or is not
# decided). Without names every fourth patch is tried, and with WARPCHECK_SLOW=all every one.
set -u
source=$1 bitcode=$2 program=$3 clang=$4 avx2=$5 avx512=$6
shift 6
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT INT TERM
failed=0
patches=$work/patches
mkdir "$patches" "$work/unpatched" || exit 2
awk -v folder="$patches" '/^## / { close(file); file = folder "/" $2 ".patch"; next } { print >file }' "$source/test/compiled/must_break.patches"
for name in "$@"; do
    [ -s "$patches/$name.patch" ] || { echo "FAILED $name: no such patch"; failed=1; }
done

# compile VARIANT: the patched sources to bitcode and to a native program.
compile()
{
    flags="-std=c17 -O2 -DNDEBUG -DWARPCHECK_FAST_X86 -I$work -I$work/model/include -I$work/model/spec -I$work/model/fast --target=x86_64-linux-gnu"
    objects=
    for file in "$work"/model/spec/*.c; do
        if grep -q "^+++ b/model/spec/$(basename "$file")" "$patch"; then
            # shellcheck disable=SC2086
            "$clang" $flags -fno-inline -emit-llvm -c "$file" -o "$work/bc/spec-$(basename "$file" .c).bc" || return 1
        fi
    done
    for file in "$work"/model/fast/*.c "$work"/model/fast/avx2/*.c "$work"/model/fast/avx512/*.c; do
        owner=$(basename "$(dirname "$file")")
        case $owner in avx2) simd=$avx2 ;; avx512) simd=$avx512 ;; *) simd= ;; esac
        module=$owner-$(basename "$file" .c)
        # only what the patch touches differs; the headers may
        if [ "$header" = no ] && ! grep -q "^+++ b/model/fast/.*$(basename "$file")" "$patch"; then
            continue
        fi
        # shellcheck disable=SC2086
        "$clang" $flags $simd -emit-llvm -c "$file" -o "$work/bc/$module.bc" || return 1
    done
    for file in "$work"/bc/fast-*.bc "$work"/bc/avx*.bc "$work"/bc/model-*.bc; do
        object "$bitcode/$(basename "$file")" "$file" || return 1
    done
    for file in "$work"/model/spec/*.c "$work"/model/case.c "$work"/model/compare.c "$work"/model/text/*.c; do
        object "$source${file#"$work"}" "$file" || return 1
    done
    # shellcheck disable=SC2086
    "$clang" $flags -w "$source/test/compiled/must_break_replay.c" $objects -lm -o "$work/replay"
}

# object UNPATCHED FILE: its native code is one of the objects; once for all patches where it is as it was.
object()
{
    if [ "$header" = no ] && cmp -s "$1" "$2"; then
        made=$work/unpatched/$(echo "$1" | tr / _).o
        set -- "$1"
    else
        made=$2.o
        rm -f "$made"
        set -- "$2"
    fi
    objects="$objects $made"
    case $1 in
    *.bc) own='-O2 -w' ;;
    *) own="$flags -w" ;;
    esac
    # shellcheck disable=SC2086
    [ -s "$made" ] || "$clang" $own -c "$1" -o "$made"
}

number=0
for patch in "$patches"/*.patch; do
    name=$(basename "$patch" .patch)
    number=$((number + 1))
    if [ $# -gt 0 ]; then
        case " $* " in *" $name "*) ;; *) continue ;; esac
    elif [ "${WARPCHECK_SLOW:-}" != all ] && [ $((number % 4)) -ne 0 ]; then
        continue
    fi
    form=$(sed -n 's/^form: //p' "$patch") variant=$(sed -n 's/^variant: //p' "$patch")
    header=no
    grep -q '^+++ .*\.h$' "$patch" && header=yes
    rm -rf "$work/model" "$work/bc" "$work/witness"
    cp -r "$source/model" "$work/model" && cp -r "$bitcode" "$work/bc" || exit 2
    if ! patch -s -p1 -d "$work" <"$patch" || ! compile; then
        echo "$name: the patch does not apply or compile: make it anew"
        failed=1
        continue
    fi
    verdict=$("$program" "$work/bc" "$variant" "$form" "$work/witness")
    status=$?
    if [ $status -ne 1 ]; then
        echo "FAILED $name: $form of $variant: $verdict"
        failed=1
    elif [ ! -s "$work/witness" ]; then
        echo "FAILED $name: $form of $variant is refuted without a witness: $verdict"
        failed=1
    else
        "$work/replay" "$variant" "$work/witness"
        case $? in
        1) echo "$name: $form of $variant: $verdict; the witness shows it natively" ;;
        3) echo "$name: $form of $variant: $verdict; this processor cannot run the variant" ;;
        *) echo "FAILED $name: the witness of $form shows nothing natively: $(cat "$work/witness")"; failed=1 ;;
        esac
    fi
done
exit $failed
