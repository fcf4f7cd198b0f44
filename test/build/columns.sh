#!/bin/sh
# Sources and documents keep to 120 columns: C, Python, the prose of documents, and the comments of scripts and build
# files. Not held: rows of tables, and what stands between ``` because a program prints or reads it so.
set -eu
cd "$(dirname "$0")/../.."
list() { find README.md ARCHITECTURE.md CONTRIBUTING.md SOUNDNESS.md docs base bench check cli cmake corpus examples fuzz gpu kernel model \
             proofs ptx smt test tools -name generated -prune -o -type f -name "$1" -print; }
wrong=$({
    # shellcheck disable=SC2046 # no name has spaces
    awk '{ gsub(/[\200-\277]/, "") } length > 120 { print FILENAME ":" FNR ": " length " columns" }' \
        $(list '*.[ch]') $(list '*.cpp') $(list '*.py')
    awk 'FNR == 1 { code = 0 } /^```/ { code = !code } { gsub(/[\200-\277]/, "") }
         length > 120 && !/^\|/ && !code { print FILENAME ":" FNR ": " length " columns" }' $(list '*.md')
    awk '/^ *# / && length > 120 { print FILENAME ":" FNR ": " length " columns" }' \
        $(list "*.sh") $(list "*.cmake") $(list CMakeLists.txt)
} | sort)
[ -z "$wrong" ] || { echo "$wrong"; exit 1; }
