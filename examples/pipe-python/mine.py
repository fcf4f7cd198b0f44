#!/usr/bin/env python3
"""Your warp instructions at the end of a pipe: a case a line comes in, an answer a line goes out.

Edit `answer`: take out what it does and call yours. It gets the instruction and the registers of all lanes, and returns
the parts of the result that you have: d (32 numbers), p (a mask with a bit for each lane). For what you do not have it
raises Declined. `make check` tells whether it is right. The lines are described in docs/formats.md."""
import sys


class Declined(Exception):
    pass


def answer(form, negate, exited, active, a, b, c, membermask):
    """votes; what lanes get that wait is not looked at"""
    if not form.startswith("vote.sync."):
        raise Declined("only vote.sync")
    operation = form.split(".")[2]
    p, d = 0, [0] * 32
    for lane in range(32):
        if not active >> lane & 1:
            continue
        group = membermask[lane] & ~exited
        votes = [bool(a[i]) != negate for i in range(32) if group >> i & 1]
        results = {"all": all(votes), "any": any(votes), "uni": all(votes) or not any(votes), "ballot": False}
        p |= int(results[operation]) << lane
        d[lane] = sum(1 << i for i in range(32) if group >> i & 1 and bool(a[i]) != negate)
    return {"d": d} if operation == "ballot" else {"p": p}


# --- reading and writing lines; nothing below is to be edited ---


def lanes(text, bits):
    """0x1,0x0*3,0x8+0x2*28 as 32 numbers of so many bits: n times a value, or a value that grows by a step"""
    values = []
    for part in text.split(","):
        value, _, times = part.partition("*")
        first, _, step = value.partition("+")
        values += [(int(first, 0) + i * int(step or "0", 0)) % 2**bits for i in range(int(times or 1))]
    return values


def read(line):
    words = line.split()
    field = dict(word.split("=", 1) for word in words if "=" in word)
    bits = {"a": 64 if words[1].endswith(".b64") else 32, "b": 32, "c": 32, "membermask": 32}
    operands = [lanes(field[name], bits[name]) if name in field else [0] * 32 for name in bits]
    return words[1], "!a" in words, int(field["exited"], 0), int(field["active"], 0), *operands


def write(result):
    values = {part: value if isinstance(value, int) else ",".join(map(hex, value)) for part, value in result.items()}
    return " ".join(f"{part}={value}" for part, value in values.items())


for line in sys.stdin:
    try:
        print(f"{line.rstrip()} => {write(answer(*read(line)))}", flush=True)
    except Declined as why:
        print(f"not accepted: {why}", flush=True)
