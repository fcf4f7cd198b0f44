#!/usr/bin/env bash
# Every file that a document links to, and every docs/*.md that a source or document names, is there; docs/README.md
# lists every page.
set -u
cd "$(dirname "$0")/../.." || exit 2
wrong=0 seen=0

complain() {
    printf '%s\n' "$*"
    wrong=$((wrong + 1))
}

for page in *.md examples/*.md docs/*.md docs/*/*.md corpus/*.md crashes/*.md; do
    while read -r target; do
        seen=$((seen + 1))
        [ -e "$(dirname "$page")/$target" ] || complain "$page links to $target, which is not there"
    done < <(grep -oE '\]\([^)#: ]+[)#]' "$page" | sed -E 's/^\]\(//; s/[)#]$//')
done
while IFS=: read -r source name; do
    seen=$((seen + 1))
    [ -e "$name" ] || complain "$source names $name, which is not there"
done < <(grep -rIoE 'docs/[a-z/-]+\.md' --include='*.[ch]' --include='*.sh' --include='*.md' --include='*.cmake' --include='CMakeLists.txt' \
    ./*.md base bench model check ptx kernel smt proofs gpu fuzz cli test tools docs corpus crashes warpcheck)
for page in docs/*.md docs/*/*.md; do
    [ "$page" = docs/README.md ] || grep -qF "(${page#docs/})" docs/README.md || complain "docs/README.md does not list $page"
done
[ "$seen" -ge 50 ] || complain "only $seen links were looked at: the patterns no longer fit"
echo "$seen links, $wrong lead nowhere"
[ "$wrong" = 0 ]
