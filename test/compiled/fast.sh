#!/usr/bin/env bash
# fast.sh WARPCHECK [VARIANT:FORM[,FORM...]...]
#
# The compiled variants of fast, as they are built, against the compiled transcription: each row that is named must be
# PROVED (elect.sync OPEN); without names every eighth row, and with WARPCHECK_SLOW=all the whole table. A row that is
# missing fails, too.
set -u
WARPCHECK=$1
shift
out=$(mktemp) || exit 2
trap 'rm -f "$out"' EXIT
failed=0

# prove ROWS VARIANTS OPTION...: every row must say PROVED for each of its variants
prove() {
    local rows=$1 variants=$2 expected=0
    shift 2
    case " $* " in *elect.sync\ *) expected=1 ;; esac
    "$WARPCHECK" prove --compiled --quiet "$@" >"$out" 2>&1
    local status=$?
    cat "$out"
    awk -v rows="$rows" -v variants="$variants" '
        /^form / { table = 1; next }
        /^$/ { table = 0 }
        table {
            wanted = $1 == "elect.sync" ? "OPEN" : "PROVED" # docs/compiled.md says why
            for (v = 0; v < variants; v++)
                if ($(2 + 3 * v) != wanted) { print "FAILED: " $1 " is " $(2 + 3 * v) ", not " wanted; bad = 1 }
            n++
        }
        END { if (n != rows) { print "FAILED: " n + 0 " rows, not " rows; bad = 1 } exit bad }' "$out" || failed=1
    if [ "$status" -ne "$expected" ]; then
        echo "FAILED: status $status, not $expected"
        failed=1
    fi
}

if [ $# -eq 0 ]; then
    step=8
    [ "${WARPCHECK_SLOW:-}" != all ] || step=1
    mapfile -t all < <("$WARPCHECK" list instructions | awk '/^  [a-z]/ { print $1 }')
    mapfile -t sample < <(printf '%s\n' "${all[@]}" | awk -v step=$step 'NR % step == 4 % step')
    [ "${#sample[@]}" -ge 5 ] || { echo 'FAILED: the instructions are not listed'; exit 1; }
    echo "${#sample[@]} of ${#all[@]} rows"
    prove "${#sample[@]}" 3 --jobs 2 --impl fast-portable --impl fast-avx2 --impl fast-avx512 "${sample[@]/#/--only=}"
    [ $step -eq 1 ] || set -- fast-portable:match.any.sync.b32 # whose proof is the longest: one variant
fi
for rows in "$@"; do
    IFS=, read -r -a forms <<<"${rows#*:}"
    options=()
    for form in "${forms[@]}"; do options+=(--only "$form"); done
    prove "${#forms[@]}" 1 --jobs 1 --impl "${rows%%:*}" "${options[@]}"
done
exit $failed
