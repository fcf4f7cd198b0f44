#!/bin/sh
# Writes the manual page and the completion for bash from what the program says of itself: its commands, and the options
# of each, which are those of cli/options.def.
#
#   manual.sh PROGRAM FOLDER     writes FOLDER/warpcheck.1 and FOLDER/warpcheck.bash
# Words are split on purpose: names of commands and options.
# shellcheck disable=SC2016,SC2046,SC2086,SC2005,SC2094,SC2116
set -eu
program=$1 folder=$2
mkdir -p "$folder"
"$program" --help >"$folder/help.txt"
# What this build lacks has no options either.
commands=$(sed -n '/UNAVAILABLE/d; s/^  \([a-z][a-z]*\)  *[^ ].*/\1/p' "$folder/help.txt" | grep -v '^warpcheck$')
# "shfl.sync", "redux.sync": nothing where this build does not fuzz.
families=$("$program" fuzz --list-buckets 2>/dev/null | sed -n 's#^\([a-z.]*\)/.*#\1#p' | sort -u | xargs)
roff() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\\([.']\\)/\\\\\\&\\1/"; }
# "run", "prove", "prove compiled": a command and its subcommands.
all_of() {
  echo "$1"
  "$program" "$1" --help | sed -n "s/^  warpcheck \\($1 [a-z][a-z]*\\)  .*/\\1/p" | sort -u |
    while read -r both; do "$program" $both --help >/dev/null 2>&1 && echo "$both"; done
}
for command in $commands; do all_of "$command"; done | sort -u >"$folder/commands.txt"

{
  echo '.TH WARPCHECK 1 "" warpcheck "User Commands"'
  echo '.SH NAME'
  echo 'warpcheck \- check implementations of NVIDIA PTX warp\-level instructions'
  echo '.SH SYNOPSIS'
  echo '.B warpcheck'
  echo '.I COMMAND'
  echo '[OPTION...]'
  echo '.SH DESCRIPTION'
  echo '.nf'
  roff <"$folder/help.txt"
  echo '.fi'
  while read -r command; do
    printf '.SH "WARPCHECK %s"\n.nf\n' "$(echo "$command" | tr '[:lower:]' '[:upper:]')"
    "$program" $command --help </dev/null | roff
    echo '.fi'
  done <"$folder/commands.txt"
} >"$folder/warpcheck.1"

{
  cat <<'HEAD'
# bash completion for warpcheck: its commands, and the options of the command that stands in the line.
_warpcheck() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]:-} options= words= files=
    [ "$COMP_CWORD" -gt 2 ] && case "$command ${COMP_WORDS[2]}" in
HEAD
  sed -n 's/^\([a-z]*\) \([a-z]*\)$/    "\1 \2") command="\1 \2" ;;/p' "$folder/commands.txt"
  cat <<'MIDDLE'
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
MIDDLE
  printf '        mapfile -t COMPREPLY < <(compgen -W "%s selftest help --help --version" -- "$word")\n' "$(echo $commands)"
  cat <<'MIDDLE'
        return
    fi
    case $command in
MIDDLE
  while read -r command; do
    "$program" $command --help </dev/null >"$folder/one.txt"
    printf '    "%s")\n        options="%s" words="%s" ;;\n' "$command" \
      "$(echo $(sed -n 's/^  \(--[a-z-]*\).*/\1/p' "$folder/one.txt"))" \
      "$(echo $(sed -n "s/^$command \\([a-z]*\\)\$/\\1/p" "$folder/commands.txt"))"
  done <"$folder/commands.txt"
  cat <<'TAIL'
    esac
TAIL
  echo "    local families=\"$families\""
  cat <<'TAIL'
    case $before in
    --only | --family) words="shfl vote match redux $families" ;;
    --engine) words="libfuzzer afl" files=no ;;
    --target) case $command in
        replay) words="all ${families//./_} laws program kernel" files=no ;;
        fuzz) words="all ${families//./_} laws program kernel bytes batch text ptx" files=no ;;
        esac ;;
    --impl | --reference | --against) words="fast fast-batch spec smt gpu" ;;
    esac
    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; [ "$files" = no ] || compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _warpcheck warpcheck ./warpcheck
TAIL
} >"$folder/warpcheck.bash"
rm -f "$folder/help.txt" "$folder/one.txt" "$folder/commands.txt"
