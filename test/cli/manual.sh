#!/usr/bin/env bash
# The manual page and the completion for bash have every command and every option that the program has.
# usage: manual.sh PROGRAM FOLDER
# shellcheck source=common.sh
folder=$(realpath "$2")
. "$(dirname "$0")/common.sh"

cp "$folder/warpcheck.1" page
sed -e 's/\\-/-/g' page >plain
# shellcheck source=/dev/null
. "$folder/warpcheck.bash"
complete_line() { # WORDS...: what the last of them may become
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _warpcheck
    printf '%s\n' "${COMPREPLY[@]}"
}

status 0 "$WARPCHECK" --help
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' out)
[ "$(wc -w <<<"$commands")" -ge 15 ] || fail "the program lists few commands: $commands"
for command in $commands; do
    complete_line warpcheck "${command:0:2}" | grep -x "$command" >/dev/null || fail "the completion does not know $command"
    grep -q "^\.SH \"WARPCHECK ${command^^}\"" page || fail "the page has no part about $command"
    status 0 "$WARPCHECK" "$command" --help
    options=$(sed -n 's/^  \(--[a-z-]*\).*/\1/p' out)
    [ -n "$options" ] || fail "$command has no options"
    for option in $options; do
        complete_line warpcheck "$command" "${option:0:4}" | grep -x -- "$option" >/dev/null || fail "the completion of $command does not know $option"
        checks=$((checks + 1))
    done
    while IFS= read -r line; do
        grep -qxF -- "$line" plain || fail "the page lacks a line of $command --help: $line"
    done < <(grep '^  --' out)
done
complete_line warpcheck prove comp | grep -x compiled >/dev/null || fail "the completion does not know a subcommand"
complete_line warpcheck self | grep -x selftest >/dev/null || fail "the completion does not know what runs the tests"
[ "$(complete_line warpcheck fuzz --engine a)" = afl ] || fail "the completion offers more than engines"
! complete_line warpcheck show --en | grep engine >/dev/null || fail "the completion offers another command's option"
if command -v groff >/dev/null; then
    checks=$((checks + 1))
    [ -z "$(groff -man -ww -Tutf8 page 2>&1 >/dev/null)" ] || fail "groff warns: $(groff -man -ww -Tutf8 page 2>&1 >/dev/null | head -n 3)"
fi
finish
