#!/bin/sh
# must_break.sh SOURCE-DIR SETTINGS properties|compiled [NAME...]
#
# Each patch in must_break.patches makes one mistake in the encoding, in its programs, in the facts, or in how the table
# of forms is read. The patched sources are compiled and linked before the library's own. Then
#
#   properties   no property named in the patch (`breaks:`) may have the verdict that the catalogue expects
# compiled for each form named in the patch (`forms:`) the proof that the compiled transcription and the encoding say
# the same
#                must be a refutation, with a witness on which the native transcription and the broken encoding differ
#
# SETTINGS is written by the build: compilers, flags, libraries. Without names every third patch is tried, and with
# WARPCHECK_SLOW=all every one.
set -u
source=$1 settings=$2 kind=$3
shift 3
# shellcheck disable=SC1090
. "$settings"
patches=$source/test/smt/must_break.patches
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT INT TERM HUP
failed=0 tried=0 number=0

field()
{
    sed -n "s/^$1: //p" "$patch"
}

# link MAIN-OBJECT PROGRAM: the patched sources and that main function, then the libraries.
link()
{
    rm -rf "${work:?}/source" && mkdir "$work/source" || exit 2
    objects=
    for file in $(sed -n 's/^+++ b\///p' "$patch"); do
        mkdir -p "$work/source/$(dirname "$file")" && cp "$source/$file" "$work/source/$file" || return 1
    done
    patch -s -p1 -d "$work/source" <"$patch" || return 1
    for file in $(sed -n 's/^+++ b\///p' "$patch"); do
        # shellcheck disable=SC2154,SC2086 # from the settings; several words
        $compile -c "$work/source/$file" -o "$work/source/$file.o" || return 1
        objects="$objects $work/source/$file.o"
    done
    # shellcheck disable=SC2154,SC2086
    $compile $objects "$1" $libraries -o "$work/$2"
}

prove_forms()
{
    for form in $(field forms); do
        rm -f "$work/witness"
        # shellcheck disable=SC2154
        verdict=$("$work/prove" "$bitcode" smt "$form" "$work/witness")
        status=$?
        if [ $status -ne 1 ] || [ ! -s "$work/witness" ]; then
            echo "FAILED $name: $form (status $status): $verdict"
            failed=1
            continue
        fi
        # shellcheck disable=SC2154
        "$replay" smt "$work/witness"
        if [ $? -ne 1 ]; then
            echo "FAILED $name: the witness of $form shows nothing: $(cat "$work/witness")"
            failed=1
        else
            echo "$name: $form: $verdict; the witness shows it"
        fi
    done
}

patch=$work/patch
for name in $(sed -n 's/^## \([^:]*\):.*/\1/p' "$patches"); do
    awk -v name="$name:" '/^## / { wanted = $2 == name } wanted' "$patches" >"$patch"
    if [ $# -gt 0 ]; then
        case " $* " in *" $name "*) ;; *) continue ;; esac
    elif [ "$kind" = compiled ] && ! grep -q '^forms: ' "$patch"; then
        continue # nothing of the encoding itself is broken
    else
        number=$((number + 1))
        [ "${WARPCHECK_SLOW:-}" = all ] || [ $((number % 3)) -eq 0 ] || continue
    fi
    tried=$((tried + 1))
    # shellcheck disable=SC2154
    if [ "$kind" = properties ]; then
        main=$verdicts program=verdicts
    else
        main=$prove program=prove
    fi
    if ! link "$main" $program; then
        echo "FAILED $name: the patch does not apply or compile: make it anew"
        failed=1
    elif [ "$kind" = compiled ]; then
        prove_forms
    else
        # shellcheck disable=SC2046 # names have no spaces
        unnoticed=$("$work/verdicts" $(field breaks))
        case $? in
        0) echo "$name: noticed by $(field breaks)" ;;
        *)
            echo "FAILED $name: not noticed: $unnoticed"
            failed=1
            ;;
        esac
    fi
done
if [ $tried -lt $# ] || [ $tried -eq 0 ]; then
    echo "FAILED: not every name is a patch: $*"
    failed=1
fi
exit $failed
