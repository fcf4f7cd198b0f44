#!/usr/bin/env bash
# `kernel` as it is used every day: several files and entries, a baseline, SARIF, JSON, HTML, parameters of some
# entries. shellcheck source=common.sh
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

usage 'make PTX of it with nvcc -ptx' "$WARPCHECK" kernel undefined.cu

# --- parameters of some entries; blocks more than once ---
run 1 unpredictable.ptx bad_unpredictable_return_early good_return_after --param n=0..40 --block 64 --block 32,2
holds out 'blocks tried: 64 32x2$'
run 2 unpredictable.ptx undefined.ptx --param nobody=1 --block 32
holds err '--param nobody=1: no entry has this parameter'
run 2 unpredictable.ptx bad_unpredictable_return_early --param nobody=1
holds err 'the parameters are: n \(number 2\)'

# --- questions: no errors, until the user says what memory holds ---
cp "$ROOT"/corpus/kernels/habits.{cu,ptx} .
run 0 habits.ptx ask_race_limits --sarif asked.sarif --html asked.html
holds out 'clean on .*, [0-9]+ questions?$'
holds out '^  question race: '
holds out '^    only    when limits holds (small|flags|bits), which is used as bounds'
answer=$(sed -n "s/.* say --memory '\([a-z=]*\)'$/\1/p" "$WORK/out" | head -1)
input=$(sed -n "s/.* --input '\(.*\)'$/\1/p" "$WORK/out" | head -1)
holds asked.sarif '"level": "warning"'
holds asked.html 'question race'
run 1 habits.ptx ask_race_limits --memory "$answer"
holds out 'ERROR race'
run 0 habits.ptx ask_race_limits --memory limits=offsets
lacks out 'question'
run 0 habits.ptx ask_race_limits --input "$input"
holds out 'question race'
run 1 habits.ptx ask_race_limits --input "$input" --memory "$answer"
run 0 habits.ptx ask_race_limits --json
holds out '"question": true'
run 2 habits.ptx ask_race_limits --memory nobody=zeros
holds err 'the pointers and variables are: limits \(number 0\), in \(number 1\), out \(number 2\)'
run 2 habits.ptx ask_race_limits --memory limits=sorted
holds err 'zeros, ones, flags, small, rising, offsets, numbers or bits'
run 2 habits.ptx ask_race_limits good_bins --memory nobody=zeros
holds err '--memory nobody=zeros: no entry has this pointer'

# --- what variables of the module hold ---
cp "$ROOT"/corpus/kernels/variables.{cu,ptx} .
run 1 variables.ptx bad_deadlock_in_a_mode --block 64
holds out '^    input .*, mode [a-z]+$'
input=$(sed -n "s/.* --input '\(.*\)'$/\1/p" "$WORK/out" | head -1)
run 1 variables.ptx bad_deadlock_in_a_mode --input "$input"
holds out 'ERROR deadlock'
run 1 variables.ptx bad_deadlock_in_a_mode --block 64 --memory mode=zeros
holds out 'NOT REACHED'
run 0 variables.ptx good_in_a_mode --block 64 --memory mode=ones

# --- only some kinds ---
run 0 undefined.ptx bad_undefined_half_mask --only deadlock --only race
holds out 'clean on .*, 1 left out by --only: undefined$'
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
# Line 0 of a source is a compiler's word for: of no line. Its place is the line in the PTX.
sed -E 's/^(\s*\.loc\s+[0-9]+) [0-9]+ [0-9]+.*/\1 0 0/' undefined.ptx >lineless.ptx
run 1 lineless.ptx bad_undefined_half_mask
holds out '^    at      lineless.ptx:([0-9]+) \(shfl.sync.down.b32, PTX line \1\)'
holds out '^        \| shfl\.sync\.down\.b32 +%'
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
    # Lanes that wait at one place for different lanes are one location: the schema takes none twice.
    run 1 "$ROOT"/corpus/kernels/everyday.ptx bad_deadlock_next_of_each bad_race_stack --notes --sarif deadlock.sarif
    python3 "$ROOT"/test/cli/sarif.py asked.sarif found.sarif deadlock.sarif || fail "not SARIF 2.1.0"
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
assert d["totals"] == dict(clean=6, known=1, error=5, unknown=0, unreached=0, nothing=0, unreadable=1, errors=5, errors_known=1, questions=0, notes=0), d["totals"]
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
# --- an input of the fuzz target is looked at again: reduced, named and kept ---
if "$WARPCHECK" fuzz --help >help 2>&1 && grep -q -- --kernel help; then
    printf 'any bytes are a launch' >input
    status 1 env WARPCHECK_FUZZ_KERNEL=undefined.ptx:bad_undefined_half_mask "$WARPCHECK" replay --target kernel input --out fuzzed
    holds out 'FINDING kernel-undefined-bad.undefined.half.mask'
    holds out '1 inputs, 1 new findings'
    status 1 "$WARPCHECK" replay fuzzed/kernel-undefined-*
    holds out '1 kernel launches'
    status 0 env WARPCHECK_FUZZ_KERNEL=undefined.ptx:good_half_mask "$WARPCHECK" replay --target kernel input --out fuzzed
    status 0 "$WARPCHECK" replay --target kernel input --out fuzzed
    usage 'nowhere.ptx: cannot be read' "$WARPCHECK" fuzz --kernel nowhere.ptx
    usage 'no entry nobody' "$WARPCHECK" fuzz --kernel undefined.ptx:nobody
    usage 'is for the target kernel' "$WARPCHECK" fuzz --kernel undefined.ptx --target laws
fi

# --- emitted: a program that launches it, here over a driver that only pretends ---
CC=${CC:-cc}
status 1 "$WARPCHECK" kernel --executions 60 undefined.ptx bad_undefined_half_mask --out kept
folder=$(echo kept/kernel-undefined-*)
status 0 "$WARPCHECK" emit "$folder" --format ptx --out again.ptx
checks=$((checks + 1))
cmp -s again.ptx undefined.ptx || fail "emit --format ptx is not the module"
usage 'holds a kernel; --format ptx, host or cuda' "$WARPCHECK" emit "$folder" --format line
mkdir -p corpus/kernels && cp undefined.cu corpus/kernels
status 0 "$WARPCHECK" emit "$folder" --format cuda
holds out '#include ".*/undefined.cu"'
holds out 'KERNEL bad_undefined_half_mask'
holds out 'wrong \(undefined\)'
rm -r corpus
status 0 "$WARPCHECK" emit "$folder" --format cuda
holds out '^    "\.version'
status 0 "$WARPCHECK" emit "$folder" --format host --out launch.c
status 0 "$CC" -Wall -Wextra -Werror -o launch launch.c -ldl
cat >driver.c <<'X'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int is(const char *what) { return strcmp(getenv("PRETEND"), what) == 0; }
int cuInit(unsigned n) { return n; }
int cuDeviceGet(int *device, int n) { *device = n; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int n) { *context = context; return n; }
int cuCtxSetCurrent(void *context) { return context == NULL; }
int cuModuleLoadDataEx(void **module, const char *text, unsigned count, int *options, void **values)
{
    FILE *loaded = fopen("loaded.ptx", "w"); /* the program holds the module */
    *module = module;
    printf("level %d\n", count == 1 && options[0] == 7 ? (int)(size_t)values[0] : -1);
    return !loaded || fputs(text, loaded) < 0 || fclose(loaded) != 0;
}
int cuModuleGetFunction(void **f, void *m, const char *name) { *f = m; return strcmp(name, "bad_undefined_half_mask"); }
int cuModuleGetGlobal_v2(void **place, size_t *size, void *m, const char *name) { *place = m; *size = strlen(name); return 1; }
int cuMemAlloc_v2(unsigned long long *place, size_t size) { *place = (unsigned long long)calloc(1, size); return 0; }
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t size) { memcpy((void *)to, from, size); return 0; }
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t size) { memcpy(to, (void *)from, size); return 0; }
int cuStreamQuery(void *stream) { return stream ? 1 : is("hang") ? 600 : is("fault") ? 715 : 0; }
int cuGetErrorName(int error, const char **name) { *name = error == 715 ? "CUDA_ERROR_ILLEGAL_INSTRUCTION" : "?"; return 0; }
int cuFuncSetAttribute(void *f, int attribute, int value) { return f == NULL || attribute != 8 || value < 0; }
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **none, void **block)
{
    (void)f, (void)shared, (void)stream, (void)none;
    char **pointers = block[1]; /* the parameters are pointers: their buffers begin there */
    if (is("other") && *(size_t *)block[3] >= 8)
        pointers[0][0] ^= 1;
    return gx * gy * gz * by * bz != 1 || bx != 32;
}
X
status 0 "$CC" -shared -fPIC -o libcuda.so.1 driver.c
launch() {
    status "$1" env LD_LIBRARY_PATH="$WORK" PRETEND="$2" ./launch 0.2
    holds out "$3"
    holds out '^level 4$'
}
launch 3 hang 'HANG: the kernel did not end within 0.2 seconds'
checks=$((checks + 1))
cmp -s loaded.ptx undefined.ptx || fail 'the emitted program loads another module'
launch 1 fault 'FAULT: the device ended the kernel: CUDA_ERROR_ILLEGAL_INSTRUCTION'
launch 1 other 'buffer 0, word 0: expected 0x.* observed 0x'
launch 0 nothing 'RETURNED: memory is what the executor left'
finish
