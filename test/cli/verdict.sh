#!/usr/bin/env bash
# A success is earned: "all agree" and status 0 need every stage that was asked for, and a compared case of every
# implementation under check. And nothing from outside reaches the terminal raw.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

mkdir corpus few
"$WARPCHECK" gen activemask --count 20 --answers >corpus/cases.txt
"$WARPCHECK" gen vote --count 20 --answers >>corpus/cases.txt
quick=(--corpus corpus --crashes few --seconds 0 --out findings)

# never_agrees STATUS WHAT COMMAND...: that status, WHAT in the last line, and "all agree" nowhere
never_agrees() {
    local expected=$1 what=$2
    shift 2
    status "$expected" "$@"
    tail -n 1 out >last
    holds last "$what"
    lacks out 'all agree'
}

# an implementation that accepts nothing, of the two that are checked the one of them, or as the reference
cat >none.sh <<'END'
#!/bin/sh
exec sed -u 's/.*/not accepted: never/'
END
cat >some.sh <<'END'
#!/bin/sh
exec sed -u -E '/exited=0x0 /!{s/.*/not accepted: exited lanes/;b};s/.*active=(0x[0-9a-f]+).*/=> d=\1*32/'
END
cat >right.sh <<'END'
#!/bin/sh
exec sed -u -E 's/.*active=(0x[0-9a-f]+).*/=> d=\1*32/'
END
cat >wrong.sh <<'END'
#!/bin/sh
exec sed -u -E 's/.*active=(0x[0-9a-f]+).*/=> d=0x1*32/'
END
chmod +x ./*.sh
few=(--only activemask "${quick[@]}" --cases 20)
never_agrees 1 '^NOTHING COMPARED of: pipe:./none.sh' "$WARPCHECK" run --impl pipe:./none.sh "${few[@]}"
never_agrees 1 '^NOTHING COMPARED of: pipe:./none.sh' "$WARPCHECK" run --impl fast --impl pipe:./none.sh "${few[@]}"
never_agrees 1 '^NOTHING COMPARED of: pipe:./none.sh' "$WARPCHECK" cross spec pipe:./none.sh --only activemask --cases 20 --corpus corpus
never_agrees 1 '^NOTHING COMPARED of: fast' "$WARPCHECK" cross pipe:./none.sh fast --only activemask --cases 20 --corpus corpus
never_agrees 1 '^NOTHING COMPARED of: pipe:./none.sh' "$WARPCHECK" exhaust activemask-states --impl pipe:./none.sh
status 1 "$WARPCHECK" run --impl pipe:./none.sh "${few[@]}" --json
holds out '"verdict": "NOTHING COMPARED"'
holds out '"status": 1'

# a part of the instructions, right: success, but only of these; a part that is wrong is a mismatch
never_agrees 0 '^agrees on [0-9,]+ cases .* of activemask; not offered: some cases of these' "$WARPCHECK" cross spec pipe:./some.sh \
    --only activemask --cases 200 --corpus corpus
holds last 'some cases of these, outcomes, [0-9.]+ s'
status 0 "$WARPCHECK" cross spec pipe:./some.sh --only activemask --cases 20 --corpus corpus --json
holds out '"verdict": "agree on what is offered"'
holds out '"activemask.b32"'
holds out '"parts_not_offered"'
holds out '"outcomes"'
never_agrees 0 '^agrees on [0-9,]+ cases .* of activemask; not offered: outcomes, [0-9.]+ s' "$WARPCHECK" cross spec pipe:./right.sh \
    --only activemask --cases 200 --corpus corpus
never_agrees 1 '^MISMATCH: [1-9][0-9,]* mismatches' "$WARPCHECK" run --impl pipe:./wrong.sh "${few[@]}"
lacks out 'MISMATCH: 0'

# a stage that cannot be begun: not dropped without a word. Temporary files cannot be made below a file.
if "$WARPCHECK" fuzz --help >help && [ -x "$ROOT/build/engines/libfuzzer/fuzz/fuzz_all" ]; then
    never_agrees 1 '^FAILED: .*; fuzz FAILED' env TMPDIR=/dev/null "$WARPCHECK" run --impl fast --only activemask --corpus corpus \
        --crashes few --seconds 1 --out findings
    holds err '^warpcheck: fuzz: '

    # a signal that ends the program at once leaves no temporary folder
    mkdir tmp
    (ulimit -c 0 && TMPDIR=$PWD/tmp exec env --default-signal=QUIT "$WARPCHECK" run --impl fast --only activemask \
        --cases 20 --corpus corpus --crashes few --seconds 600 --out findings) >out 2>err &
    for _ in $(seq 6000); do [ -z "$(ls tmp)" ] || break; sleep 0.1; done
    kill -QUIT $!
    status 131 wait $!
    status 0 test -z "$(ls tmp)"

    # a temporary folder that is nearly full: what is mapped has its room first, or a write to it ends the judge
    mkdir tiny
    if unshare -rm mount -t tmpfs -o size=8k tmpfs tiny 2>/dev/null; then
        export WARPCHECK
        never_agrees 1 '^FAILED: .*; fuzz FAILED' unshare -rm sh -c 'mount -t tmpfs -o size=8k tmpfs tiny && TMPDIR=$PWD/tiny &&
            export TMPDIR && "$WARPCHECK" "$@"; code=$?; echo "left behind: $(ls -A tiny)" >&2; exit $code' sh \
            run --impl fast --only activemask --corpus corpus --crashes few --seconds 1 --out findings
        holds err '^warpcheck: fuzz: .*no room for its [0-9]+ bytes: No space left on device'
        holds err '^left behind: $'
    else
        echo "UNAVAILABLE: this machine mounts no small file system for an ordinary user"
    fi
fi

# what is not here is named in the last line
status 0 "$WARPCHECK" run --impl fast --only activemask "${quick[@]}"
tail -n 1 out >last
holds last '^all agree: 0 mismatches.*; recorded UNAVAILABLE'
holds out '^recorded: UNAVAILABLE: no recording'

# FIFOs and devices as input: refused at once
mkdir pipes && mkfifo pipes/x.txt
status 2 timeout -k 10 600 "$WARPCHECK" run --impl fast --only activemask --corpus pipes --crashes few --seconds 0
holds err '^pipes/x.txt: '
lacks out 'all agree'
status 2 timeout -k 10 600 "$WARPCHECK" replay pipes/x.txt
status 2 timeout -k 10 600 "$WARPCHECK" show pipes/x.txt
mkdir kept && mkfifo kept/finding.txt && echo 'warp1 activemask.b32 d target=sm_70 exited=0x0 active=0xff' >kept/case.txt
status 2 timeout -k 10 600 "$WARPCHECK" replay kept
holds err '^kept/case.txt: .*kept/finding.txt: is a FIFO'
status 2 timeout -k 10 600 "$WARPCHECK" replay kept/case.txt
holds err '^kept/case.txt: .*kept/finding.txt: is a FIFO'
lacks out 'against'

# raw NAME: no control character but the line's end in what the last command printed
raw() {
    checks=$((checks + 1))
    if LC_ALL=C grep -aq $'[\001-\010\013-\037\177]' out err; then
        fail "a control character on the terminal: $1"
        cat -v out err | head -n 4
    fi
}
name=$(printf 'a\033[2J\007\177.txt')
echo x >"$name"
line=$(printf 'two\nlines')
for words in show replay emit reduce explain gen exhaust list verify "run --impl" "run --only" "run --only activemask --seconds 0 --corpus" "cross spec" "replay --law" \
    "emit --format" "batch --impl" "fuzz --impl" "fuzz --seeds" "fuzz --target" "fuzz --engine" "prove" "prove --family" "prove --solver" \
    "record --describe" "lint" "program" "score --checks" ""; do
    # shellcheck disable=SC2086
    timeout 600 "$WARPCHECK" $words "$name" >out 2>err </dev/null
    raw "$words NAME"
    # shellcheck disable=SC2086
    timeout 600 "$WARPCHECK" $words "$line" >out 2>err </dev/null
    checks=$((checks + 1))
    grep -qx lines out err && fail "a line of its own from a name: $words"
done
timeout 600 "$WARPCHECK" run "--$name" >out 2>err
raw 'an unknown option'
printf '#!/bin/sh\nexec sed -u "s/.*/\033[2J\033]0;own\007 rubbish/"\n' >rude.sh
printf '#!/bin/sh\nexec sed -u "s/.*/not accepted: \033[2J\007/"\n' >shy.sh
chmod +x ./*.sh
for peer in rude shy; do
    status 1 "$WARPCHECK" run --impl "pipe:./$peer.sh" "${few[@]}"
    raw "$peer"
    status 1 "$WARPCHECK" cross spec "pipe:./$peer.sh" --only activemask --cases 20 --corpus corpus --json
    raw "$peer --json"
done
latin=$(printf 'caf\351.txt')
printf 'x' >"$latin"
timeout 600 "$WARPCHECK" show "$latin" >out 2>err
checks=$((checks + 1))
iconv -f UTF-8 -t UTF-8 err >/dev/null 2>&1 || fail 'invalid UTF-8 on the terminal'
"$WARPCHECK" gen activemask --count 1 >"$latin"
status 0 "$WARPCHECK" show "$latin" --json
holds out 'caf.+xe9.txt'
finish
