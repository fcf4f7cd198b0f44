#!/bin/sh
# Prints fuzz/untraced.txt for the sources of one folder, as compilers take it. The paths are whole: "*/check/*" would
# leave a whole checkout untraced whose own folder lies in one that is called check.
#
#   fuzz/untraced.sh SOURCE_FOLDER
set -eu
# What is a wildcard or a regular expression to one of the compilers; then what sed takes for its own.
root=$(printf '%s\n' "$1" | sed 's/[][\\.^$*+?(){}|]/\\&/g' | sed 's/[\\&|]/\\&/g')
sed "s|^src:|src:$root/|" "$(dirname "$0")/untraced.txt"
