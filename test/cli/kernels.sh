#!/usr/bin/env bash
# `kernel` as it is used every day: several files and entries, a baseline, SARIF, JSON, HTML, parameters of some entries.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

cp "$ROOT"/corpus/kernels/{undefined,silent,unpredictable}.{cu,ptx} .
run() {
    local expected=$1
    shift
    status "$expected" "$WARPCHECK" kernel --executions 60 "$@"
}

# --- several at once ---
run 1 undefined.ptx silent.ptx
holds out '^[0-9]+ entries: [0-9]+ clean, 6 with errors; 6 errors$'
run 1 undefined.ptx bad_undefined_half_mask good_half_mask
holds out '^2 entries: 1 clean, 1 with errors; 1 error$'
run 0 undefined.ptx good_half_mask
lacks out 'entries:'
run 2 undefined.ptx nowhere.ptx good_half_mask
holds err 'nowhere.ptx: cannot be read'
holds out 'good_half_mask: clean'

# --- parameters of some entries; blocks more than once ---
run 1 unpredictable.ptx bad_unpredictable_return_early good_return_after --param n=0..40 --block 64 --block 32,2
holds out 'blocks tried: 64 32x2$'
run 2 unpredictable.ptx undefined.ptx --param nobody=1 --block 32
holds err '--param nobody=1: no entry has this parameter'
run 2 unpredictable.ptx bad_unpredictable_return_early --param nobody=1
holds err 'the parameters are: n \(number 2\)'

# --- only some kinds ---
run 0 undefined.ptx bad_undefined_half_mask --only deadlock --only race
holds out 'clean on .*, 1 left out'
run 1 undefined.ptx bad_undefined_half_mask --only undefined
usage 'did you mean deadlock' "$WARPCHECK" kernel undefined.ptx --only deadlok

# --- a baseline: lines are printed, taken, survive shifted lines, and are told when they match nothing ---
printf '# nothing is known yet\n' >known
run 1 undefined.ptx bad_undefined_half_mask good_half_mask --baseline known
sed -n 's/^ *baseline \(.*\)/\1 halves are meant/p' out >>known
printf 'undefined good_half_mask shfl.sync.down.b32 0123456789abcdef of another day\n' >>known
printf 'undefined elsewhere shfl.sync.down.b32 0123456789abcdef of another kernel\n' >>known
checks=$((checks + 1))
[ "$(wc -l <known)" -eq 4 ] || fail "the baseline has not 4 lines"
run 0 undefined.ptx bad_undefined_half_mask good_half_mask --baseline known
holds out 'bad_undefined_half_mask: clean but for what is known .* 1 known'
holds out 'reason  halves are meant'
holds out '^baseline line 3 matches nothing any more: undefined good_half_mask '
lacks out 'baseline line 4'
run 1 undefined.ptx bad_undefined_half_mask bad_undefined_syncwarp --baseline known
holds out '^2 entries: 1 clean but for what is known, 1 with errors; 1 error, 1 known$'
# Two lines more before the kernel, in source and PTX: the same error.
sed -i '1i // one\n// two' undefined.cu
number=$(sed -n -E 's/.*\.file[[:space:]]+([0-9]+) .*undefined\.cu".*/\1/p' undefined.ptx)
awk -v file="$number" '{
    if ($1 == ".loc" && $2 == file) $3 += 2
    for (n = 1; n < NF; n++) if ($n == "inlined_at" && $(n + 1) == file) $(n + 2) += 2
    print
}' undefined.ptx >moved.ptx
run 0 moved.ptx bad_undefined_half_mask --baseline known
holds out 'clean but for what is known'
# Another instruction's error is not covered.
sed 's/shfl.sync.down.b32/shfl.sync.up.b32/' moved.ptx >other.ptx
run 1 other.ptx bad_undefined_half_mask --baseline known
printf 'undefined bad_undefined_half_mask shfl.sync.down.b32 0123456789abcdef\n' >unreasoned
usage 'unreasoned:1: needs CLASS ENTRY INSTRUCTION HASH, .* and a reason' "$WARPCHECK" kernel undefined.ptx --baseline unreasoned
usage 'nowhere: cannot be read' "$WARPCHECK" kernel undefined.ptx --baseline nowhere
cp "$ROOT"/corpus/kernels/undefined.cu .

# --- SARIF 2.1.0: what the schema requires, and what a code host needs ---
printf '.version 8.6\n.target sm_90\n.address_size 64\n.entry unread() {\nwmma.load.x;\nret;\n}\n' >unread.ptx
run 2 undefined.ptx silent.ptx unread.ptx --baseline known --sarif found.sarif
checks=$((checks + 1))
if command -v python3 >/dev/null; then
    python3 - <<'X' || fail "found.sarif"
import json, re
log = json.load(open("found.sarif"))
assert log["version"] == "2.1.0" and "sarif" in log["$schema"]
(run,) = log["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "warpcheck" and driver["semanticVersion"]
rules = driver["rules"]
assert len({r["id"] for r in rules}) == len(rules) == 10
for r in rules:
    assert r["shortDescription"]["text"] and r["fullDescription"]["text"] and r["help"]["text"]
    assert r["defaultConfiguration"]["level"] in ("error", "note") and re.fullmatch("[A-Za-z]+", r["name"])
(invocation,) = run["invocations"]
assert invocation["executionSuccessful"] is True
assert any("wmma" in n["message"]["text"] for n in invocation["toolExecutionNotifications"])
results = run["results"]
assert len(results) == 6, len(results)
known = 0
for r in results:
    assert rules[r["ruleIndex"]]["id"] == r["ruleId"] == "undefined" and r["level"] == "error"
    assert r["message"]["text"].strip() and r["partialFingerprints"]["warpcheckKernel/v1"]
    assert len(r["locations"]) == 1
    for location in r["locations"] + r["relatedLocations"]:
        place = location["physicalLocation"]
        uri, line = place["artifactLocation"]["uri"], place["region"]["startLine"]
        assert not uri.startswith("/") and ":" not in uri and "\\" not in uri, uri
        assert open(uri).read().split("\n")[line - 1].strip() == place["region"]["snippet"]["text"]
    for s in r.get("suppressions", []):
        assert s == {"kind": "external", "justification": "halves are meant"}
        known += 1
assert known == 1
assert len({r["partialFingerprints"]["warpcheckKernel/v1"] for r in results}) == 6
X
else
    grep -q '"version": "2.1.0"' found.sarif || fail "found.sarif"
fi
usage 'cannot' "$WARPCHECK" kernel --executions 1 undefined.ptx good_half_mask --sarif no/such/folder.sarif >/dev/null

# --- JSON: everything that the text says ---
run 2 undefined.ptx unread.ptx --baseline known --json
checks=$((checks + 1))
if command -v python3 >/dev/null; then
    python3 - <<'X' || fail "--json"
import json
d = json.load(open("out"))
assert d["totals"] == dict(clean=6, known=1, error=5, unknown=0, unreadable=1, errors=5, errors_known=1, notes=0), d["totals"]
assert d["status"] == 2 and len(d["entries"]) == 13
assert [b["line"] for b in d["baseline_unmatched"]] == [3]
f = [f for e in d["entries"] if e["entry"] == "bad_undefined_half_mask" for f in e["findings"]][0]
assert f["known"] == "halves are meant" and f["signature"] in open("known").read() and f["replayed"]
assert f["at"]["line"] > 0 and f["at"]["file"].endswith("undefined.cu") and f["blocks_with"] and "blocks_without" in f
X
fi

# --- HTML: one well-formed page ---
run 2 undefined.ptx unread.ptx --baseline known --html page.html
checks=$((checks + 1))
if command -v python3 >/dev/null; then
    python3 - <<'X' || fail "page.html"
import xml.dom.minidom
page = open("page.html").read()
xml.dom.minidom.parseString(page.split("?>", 1)[-1] if page.startswith("<?") else page)
for text in "bad_undefined_half_mask", "halves are meant", "wmma", "13 entries: 5 with errors, 6 clean", "warpcheck kernel", "<svg":
    assert text in page, text
X
fi
finish
