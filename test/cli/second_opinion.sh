#!/usr/bin/env bash
# A second solver and a clausal proof: agreement, no answer and disagreement, in the table and in the exit status. The
# solvers are scripts that answer what the test wants, and then the real ones, each query of a property at a time.
. "$(dirname "$0")/common.sh" "$@"

if ! "$WARPCHECK" prove --help >help; then
    echo "UNAVAILABLE: built without the prover"
    exit 0
fi
REAL=$PATH
mkdir fake

# fake NAME VERSION ANSWER...: a program that prints its version, and for a file runs ANSWER.
fake() {
    local name=$1 version=$2
    shift 2
    printf '#!/bin/sh\n[ "$1" = --version ] && { echo "%s"; exit 0; }\n%s\n' "$version" "$*" >"fake/$name"
    chmod +x "fake/$name"
}
prove() { env PATH="$PWD/fake:$REAL" "$WARPCHECK" prove --quiet --timeout "${TIMEOUT:-20}" "$@"; }

# shfl-up-zero-delta has one claim, which holds; shfl-up-clamp-31 one, which does not.
fake cvc5 'This is cvc5 version 0.test' 'echo unsat'
status 0 prove shfl-up-zero-delta --solver both
holds out 'shfl-up-zero-delta +PROVED .*z3 .*, cvc5 0.test, cvc5 agrees on 1 of 1'
holds out '0 not as expected; cvc5 agrees on [1-9][0-9]* of [1-9][0-9]* claims, undecided on 0'
status 1 prove shfl-up-clamp-31 --solver both
holds out 'shfl-up-clamp-31 +ERROR'
holds out 'Z3 and cvc5 disagree'
holds out '1 not as expected'

fake cvc5 'This is cvc5 version 0.test' 'echo sat'
status 1 prove shfl-up-zero-delta --solver both
holds out 'shfl-up-zero-delta +ERROR'
holds out 'Z3 and cvc5 disagree'
status 0 prove shfl-up-clamp-31 --solver both
holds out 'shfl-up-clamp-31 +REFUTED .*cvc5 agrees on 1 of 1'

# Who does not answer the question is no undecided one: an ERROR, with the reason on standard error and in the JSON.
failing() {
    local why=$1
    shift
    TIMEOUT=20 status 1 prove shfl-up-zero-delta "$@"
    holds out 'shfl-up-zero-delta +ERROR'
    holds err "^warpcheck prove: shfl-up-zero-delta: .*$why"
    holds out '[12] not as expected'
    lacks out 'undecided on [1-9]'
    lacks out 'in its time'
    TIMEOUT=20 status 1 prove shfl-up-zero-delta "$@" --json
    holds out "\"note\": *\".*$why"
    holds out '"verdict": *"ERROR"'
}
for solver in both cvc5; do
    for answer in 'kill -SEGV $$:cvc5: was ended by SIGSEGV' 'echo unsat; kill -SEGV $$:SIGSEGV: unsat' \
        'exit 1:cvc5: ended with status 1' 'echo no memory; exit 3:ended with status 3: no memory' 'true:cvc5: no answer' \
        'echo "(error \"cannot parse\")":cannot parse'; do
        fake cvc5 'This is cvc5 version 0.test' "${answer%%:*}"
        failing "${answer#*:}" --solver "$solver"
    done
    fake cvc5 'This is cvc5 version 0.test' 'echo unsat'
    TMPDIR=/dev/null failing 'no temporary folder can be made' --solver "$solver"
    printf '#!/bin/sh\n/bin/rm "$0"\necho 0.test\n' >fake/cvc5
    REAL=/nowhere status 1 prove shfl-up-zero-delta --solver "$solver"
    holds err '^warpcheck prove: shfl-up-zero-delta: .*cvc5 cannot be started: No such file'
done

# One that cannot be asked for its version is not called missing.
fake cvc5 'This is cvc5 version 0.test' 'echo unsat'
status 2 bash -c 'ulimit -n 6; exec env PATH="$PWD/fake:$PATH" "$0" prove shfl-up-zero-delta --solver both' "$WARPCHECK"
holds err 'cvc5 cannot be started: Too many open files'

# No answer is counted as none, and is seen in the table, the summary, the page and the JSON.
for answer in 'echo unknown' 'exec sleep 60'; do
    fake cvc5 'This is cvc5 version 0.test' "$answer"
    TIMEOUT=6 status 0 prove shfl-up-zero-delta --solver both --record page.md
    holds out 'shfl-up-zero-delta +PROVED .*cvc5 undecided on 1 of 1 \('
    lacks out 'cvc5 agrees on [1-9]'
    holds out 'cvc5 agrees on 0 of [1-9][0-9]* claims, undecided on [1-9]'
    status 0 grep -E '`shfl-up-zero-delta` \| PROVED \| 1 \| z3 \| [0-9.]+ \| 0, undecided on 1 \|' page.md
done
TIMEOUT=6 status 0 prove shfl-up-zero-delta --solver both --json
holds out '"undecided_by_cvc5": *1'
holds out '"agreed": *0'

# A proof that is none, one that is cut short, an answer that contradicts, and none in time.
fake cadical '0.test' 'for f; do last=$f; done; printf "1 0\n" >"$last"; exit 20'
status 1 prove shfl-up-zero-delta --drat
holds out 'shfl-up-zero-delta +ERROR'
fake cadical '0.test' 'for f; do last=$f; done; : >"$last"; exit 20'
status 1 prove shfl-up-zero-delta --drat
holds out 'does not reach the empty clause'
fake cadical '0.test' 'exit 10'
status 1 prove shfl-up-zero-delta --drat
holds out 'cadical gave no proof \(status 10\)'
fake cadical '0.test' 'kill -SEGV $$'
failing 'cadical gave no proof: .*SIGSEGV' --drat
fake cadical '0.test' 'for f; do last=$f; done; rm -f "$last"; exit 20'
failing "cadical's proof: .*No such file" --drat
TMPDIR=/dev/null failing 'no temporary folder can be made' --drat
fake cadical '0.test' 'exec sleep 60'
TIMEOUT=6 status 0 prove shfl-up-zero-delta --drat --record page.md
holds out 'shfl-up-zero-delta +PROVED .*DRAT undecided on 1 of 1'
holds out 'DRAT proofs checked for 0 claims, trivial 0, undecided [1-9]'
status 0 grep -E '`shfl-up-zero-delta` \| PROVED .* \| 0, undecided on 1 \| 0 \|' page.md
rm fake/*

# Kernels: both say the same; cvc5 has no answer; it contradicts, or fails: then nothing is proved.
cat >kernel.ptx <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %m, %n, %l;
    ld.param.u32 %n, [n];
    mov.u32 %l, %laneid;
    setp.gt.u32 %p, %n, %l;
    vote.sync.ballot.b32 %m, %p, -1;
    @%p bar.warp.sync %m;
    ret;
}
END
kernel() { env PATH="$PWD/fake:$REAL" "$WARPCHECK" kernel kernel.ptx --time 0.2 --prove "$@"; }
fake cvc5 'This is cvc5 version 0.test' 'echo unsat'
status 0 kernel --solver both
holds out 'cvc5 says the same of ([1-9][0-9]*) of \1 queries that Z3 finds impossible$'
holds out ' PROVED: '
fake cvc5 'This is cvc5 version 0.test' 'echo unknown'
status 0 kernel --solver both
holds out 'cvc5 says the same of 0 of [1-9].*no answer \(cvc5: unknown\)'
fake cvc5 'This is cvc5 version 0.test' 'echo sat'
status 1 kernel --solver both
holds out 'UNKNOWN.*: the solvers contradict each other: Z3 says unsat, cvc5 says sat'
lacks out ' PROVED: '
fake cvc5 'This is cvc5 version 0.test' 'kill -SEGV $$'
status 1 kernel --solver both
holds out 'UNKNOWN.*: cvc5 cannot be asked: .*SIGSEGV'
status 2 kernel --solver cvc5
holds err '--solver cvc5: needs z3, or both'
rm fake/*
# No execution ends: nothing is proved. And what rests on another place names it.
cat >kernel.ptx <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry endless()
{
    .reg .pred %p;
    .reg .b64 %c;
    mov.u64 %c, 0;
L:
    add.u64 %c, %c, 1;
    setp.lt.u64 %p, %c, 1000000000000;
    @%p bra L;
    bar.warp.sync -1;
    ret;
}
.visible .entry rests(.param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %n, %l;
    ld.param.u32 %n, [n];
    mov.u32 %l, %laneid;
    mul.lo.u32 %n, %n, -1640531535;
    setp.eq.u32 %p, %n, 12345;
    @%p bra E;
    bra J;
E:
    setp.gt.u32 %p, %l, 3;
    @%p bar.warp.sync -1;
J:
    bar.warp.sync -1;
    ret;
}
END
status 1 kernel endless --executions 20
holds out 'no execution of this launch has ended'
lacks out '  PROVED'
status 1 kernel rests --executions 20
holds out 'it is proved if line [0-9]+ \(bar.warp.sync, PTX line [0-9]+\) is, and that is not: it could not be shown that every'

if command -v cadical >/dev/null; then
    status 0 prove shfl-up-zero-delta --drat
    holds out 'shfl-up-zero-delta +PROVED .*DRAT checked 1, trivial 0'
else
    echo "UNAVAILABLE: cadical"
fi

# Every query has a file, and a name says what the answer must be: .hypotheses, .when and .facts are satisfiable, .any
# is not (where it is, the query without .any is asked), and that one is neither when a proof needs .any.
status 0 prove redux-singleton-add match-any-symmetric-b64 --smtlib queries
for query in redux-singleton-add.hypotheses redux-singleton-add.1.any match-any-symmetric-b64.1.when; do
    status 0 test -s "queries/$query.smt2"
done
if command -v cvc5 >/dev/null; then
    for file in queries/redux-singleton-add.* queries/match-any-symmetric-b64.*; do
        case $file in
        *.hypotheses.smt2 | *.when.smt2) expected=sat ;;
        *) expected=unsat ;;
        esac
        command=$(sed -n 's/^; \(cvc5 .*\)/\1/p' "$file" | head -n 1)
        status 0 timeout 600 sh -c "cd queries && $command"
        holds out "^$expected\$"
    done
else
    echo "UNAVAILABLE: cvc5"
fi
finish
