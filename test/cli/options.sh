#!/usr/bin/env bash
# Options mean the same in every command: what may be repeated is, what may not is refused, and help tells all of it.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

# --only may be repeated everywhere, and every time counts
status 0 "$WARPCHECK" run --only vote --only redux --only shfl --seconds 0
for family in vote.sync vote redux.sync shfl.sync shfl; do holds out "^$family +[1-9]"; done
holds out '^activemask +- +- +- +- +- '
status 0 "$WARPCHECK" cross spec fast --only activemask --only match --cases 2000
holds out '^activemask +[1-9].* [1-9][0-9,]* +[1-9]'
holds out '^match.sync +[1-9]'
holds out '^redux.sync +[-0-9,]+ +- +- +- '
status 0 "$WARPCHECK" batch --only activemask --only vote
holds out '^activemask .*[1-9]'
holds out '^vote.sync .*[1-9]'
holds out '^redux.sync +- +- +- +- +- '
usage "no instruction 'vot'; did you mean vote" "$WARPCHECK" run --only shfl --only vot

# what cannot be meant twice
for words in 'run --seed 1 --seed 2' 'run --seconds 1 --seconds 2' 'cross spec fast --cases 1 --cases 1' 'exhaust --json --json' \
    'batch --trial 1 --trial=2' 'verify --reference spec --reference fast' 'gen --count 1 --count 2' 'show x --impl spec --impl fast' \
    'replay x --impl spec --impl fast' 'reduce x --limit 1 --limit 2' 'emit x --out a --out b' 'list --json --json'; do
    # shellcheck disable=SC2086
    usage '^warpcheck [a-z]+: --[a-z]+ is given twice' "$WARPCHECK" $words
done
status 0 "$WARPCHECK" exhaust activemask-states --impl fast --impl fast-portable
holds out '^fast-portable +[1-9]'
# one name, one meaning: fast-all is every variant, once; where one implementation is asked for, that is said
status 0 env WARPCHECK_FAST=portable "$WARPCHECK" exhaust activemask-states --impl fast-all --impl fast
holds out '^activemask-states +'
for words in 'replay x' 'reduce x' 'show x' 'cross spec'; do
    case $words in cross*) name=fast-all ;; *) name='--impl fast-all' ;; esac
    # shellcheck disable=SC2086
    usage "^warpcheck ${words%% *}: fast-all is several implementations: name one of them" "$WARPCHECK" $words $name
done

# options of which one name has several meanings are named in the documentation, and no others
several=$(sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)".*/`--\1`/p' "$ROOT/cli/options.def" | sort | uniq -d | tr -d '\n')
told=$(tr '\n' ' ' <"$ROOT/docs/commands.md" | sed 's/.*Most options mean the same//; s/`--time`.*/`--time`/' | grep -o '`--[a-z-]*`' | grep -v -e '--help' | sort | tr -d '\n')
checks=$((checks + 1))
[ "$several" = "$told" ] || fail "docs/commands.md names $told, and cli/options.def has several meanings of $several"

# help: one text for one option, the default with it, and no wide line
"$WARPCHECK" --help >commands
for command in $(awk '/^  [a-z]+ +/ {print $1}' commands | sort -u); do
    "$WARPCHECK" "$command" --help >"help.$command" 2>&1 || continue
    checks=$((checks + 1))
    sed -n '/^Options:/,$p' "help.$command" | awk -v name="$command" 'length($0) > 100 {print "FAIL: wide: " name ": " $0; exit 1}' ||
        failures=$((failures + 1))
done
for option in json only reference impl corpus seed; do
    checks=$((checks + 1))
    # score's --only names mutants, kernel's names kinds of errors
    texts=$(for file in help.*; do
        [ "$file" = help.score ] || [ "$file" = help.kernel ] || sed -n "s/^  --$option  *[A-Z]*  *//p; s/^  --$option   *//p" "$file" | head -n 1
    done | sed 's/, may be repeated//; s/ (default.*//' | sort -u | wc -l)
    [ "$texts" -eq 1 ] || fail "--$option has $texts help texts"
done
holds help.run '--seconds N .*\(default: 20\)'
holds help.cross '--seconds N .*\(default: 10\)'
for file in $(grep -l '^  --only' help.*); do
    holds "$file" '^  --only .*may be repeated'
done
holds help.run '--out DIR .*\(default: ./findings\)'

# subcommands
if [ -s help.prove ] && grep -q '^usage' help.prove; then
    holds help.prove 'warpcheck prove compiled '
    holds help.prove 'warpcheck prove bitcode '
    for words in 'prove compiled --help' 'prove --compiled --help' 'help prove compiled' 'prove --help --compiled'; do
        # shellcheck disable=SC2086
        "$WARPCHECK" $words >out 2>err
        lacks err 'unknown|unexpected|needs'
    done
    if ! "$WARPCHECK" prove compiled 2>&1 --only x | grep -q UNAVAILABLE; then
        for words in 'prove compiled --help' 'prove --compiled --help' 'help prove compiled'; do
            # shellcheck disable=SC2086
            status 0 "$WARPCHECK" $words
            holds out '^usage: warpcheck prove compiled'
        done
        for words in 'prove bitcode --help' 'prove --bitcode --help' 'prove --bitcode x --help' 'prove --bitcode=x --help'; do
            # shellcheck disable=SC2086
            status 0 "$WARPCHECK" $words
            holds out '^usage: warpcheck prove bitcode FILE'
        done
        usage '^warpcheck prove bitcode: needs a bitcode FILE' "$WARPCHECK" prove bitcode
    fi
fi
finish
