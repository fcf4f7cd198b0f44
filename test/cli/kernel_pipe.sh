#!/usr/bin/env bash
# Whole kernels over a process of the user's: the executor behind examples/kernel-suite/answer.c, right, with the defect
# of a compiler, declining some, dying, hanging, and answering nonsense.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
cd - >/dev/null || exit 1
EXECUTOR=$(realpath "$2")
cd "$WORK" || exit 1
status 0 "${CC:-cc}" -Wall -Wextra -Werror -O1 -o answer "$ROOT/examples/kernel-suite/answer.c"
right="pipe:./answer $EXECUTOR"
export TMPDIR=$WORK/tmp
mkdir "$TMPDIR"

# a command that is not there is no implementation with faults
status 2 "$WARPCHECK" cross kernels pipe:/nonexistent --count 4 --jobs 1
holds err 'UNAVAILABLE: the shell cannot start `/nonexistent`: .*127'
lacks out 'DIFFERENT'

# all agree; some declined are counted, and all declined is no agreement
status 0 "$WARPCHECK" cross kernels "$right" --count 60 --jobs 2
holds out '^60 kernels for sm_90, .* each kernel also by pipe: 0 answers differ$'
status 0 env SUITE_DECLINE=shfl.sync "$WARPCHECK" cross kernels "$right" --count 60 --jobs 2
holds out '^declined: [1-9][0-9]* '
status 1 env SUITE_DECLINE=.entry "$WARPCHECK" cross kernels "$right" --count 10 --jobs 2
holds out '^declined: 10 '

# fuzz: kernels until the time is over; another seed, other kernels
status 0 "$WARPCHECK" fuzz --target kernel --impl "$right" --seconds 1 --jobs 2 --seed 5
holds out 'with generated kernels, seed 5$'
holds out ': 0 answers differ$'
usage 'no engine is used' "$WARPCHECK" fuzz --target kernel --impl "$right" --json
usage 'no --json, --only' "$WARPCHECK" fuzz --target kernel --impl "$right" --only shfl.sync

# a slow one is not waited for longer than the time
printf '#!/bin/sh\nsleep 0.05\nexec %s "$@"\n' "$EXECUTOR" >slow
chmod +x slow
status 0 "$WARPCHECK" fuzz --target kernel --impl 'pipe:./answer ./slow' --seconds 1 --jobs 2
holds out '^not asked: [1-9][0-9]*, because the time was over$'

# a defect is found, reduced, named and kept; its folder is replayed, over the wrong one and the right one
export SUITE_PLANT=20
status 1 "$WARPCHECK" cross kernels "$right" --size large --count 60 --jobs 2 --seed 5 --out found
holds out "verdict implementation; reduced: 'found/pipe-memory-redux.sync.add"
folder=$(find found -name 'pipe-memory-redux*' | head -n 1)
holds "$folder/finding.txt" '^verdict: implementation: '
holds "$folder/finding.txt" '^pipe: leaves other memory'
holds "$folder/finding.txt" '^replay: warpcheck replay --impl '
holds "$folder/kernel.ptx" 'redux.sync.add'
checks=$((checks + 1))
[ "$(wc -l <"$folder/kernel.ptx")" -lt 70 ] || fail "not reduced: $folder"
status 1 "$WARPCHECK" replay "$folder" --impl "$right"
holds out 'kernel.ptx:1: MISMATCH: .* leaves other memory than the executor'
status 1 sh -c "$(sed -n 's/^replay: warpcheck/"$0"/p' "$folder/finding.txt")" "$WARPCHECK"
holds out 'MISMATCH'
unset SUITE_PLANT
status 0 "$WARPCHECK" replay "$folder" --impl "$right"
holds out 'kernel.ptx:1: agree: .* leaves what the executor leaves'
status 0 "$WARPCHECK" replay "$folder"
holds out 'kernel.ptx:1: agree: fast, '
status 1 env SUITE_DECLINE=redux "$WARPCHECK" replay "$folder" --impl "$right"
holds out 'not accepted: .* declined'
sed "s/block=[0-9]*/block=1000/" "$folder/launch.txt" >launch && cp launch "$folder/launch.txt"
status 2 "$WARPCHECK" replay "$folder" --impl "$right"
holds err 'no launch and memory as a finding of a generated kernel keeps them'

# a process can tidy up at its end
checks=$((checks + 1))
[ -z "$(ls "$TMPDIR")" ] || fail "files are left behind: $(ls "$TMPDIR")"

# a process that ends, one that answers nonsense, or too much
status 1 "$WARPCHECK" cross kernels 'pipe:cat >/dev/null & exit 3' --count 1 --jobs 1 --out found
holds out 'faulted ended with status 3'
status 1 "$WARPCHECK" cross kernels 'pipe:echo hello; cat >/dev/null' --count 1 --jobs 1 --out found
holds out 'faulted an answer is .memory. and [0-9]* bytes'
status 1 "$WARPCHECK" cross kernels 'pipe:tr -d "\\n" </dev/zero' --count 1 --jobs 1 --time 0 --out found
holds out 'its answer has no end'
# where nothing returns, the rest is not asked, and nothing is asked again, whatever time there is
status 1 "$WARPCHECK" cross kernels 'pipe:cat >/dev/null' --count 100 --jobs 2 --time 100 --out found
holds out ': hung; verdict implementation so far; not reduced: nothing has returned'
holds out '^not asked: 9[0-9], because [0-9]* launches before had hung'

finish
