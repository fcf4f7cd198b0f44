#!/usr/bin/env python3
"""votes, answered in Python: a process at the end of a pipe.

    ../warpcheck gen vote.sync --done-only --count 100000 | ./pipe.py | ../warpcheck verify

A case is one line; the answer is the line, ` => ` and what is known of the result (docs/formats.md)."""
import sys


def fields(line):
    words = line.split()
    return words[1], dict(word.split("=", 1) for word in words if "=" in word), "!a" in words


def lanes(text):
    """0x1,0x0*3,0x8+0x2*28 as 32 numbers: n times a value, or a value that grows by a step"""
    values = []
    for part in text.split(","):
        value, _, times = part.partition("*")
        first, _, step = value.partition("+")
        values += [int(first, 0) + i * int(step or "0", 0) & 0xFFFFFFFF for i in range(int(times or 1))]
    return values


for line in sys.stdin:
    form, field, negate = fields(line)
    exited, active = int(field["exited"], 0), int(field["active"], 0)
    predicates, masks = lanes(field["a"]), lanes(field["membermask"])
    p, d = 0, [0] * 32
    for lane in range(32):
        if not active >> lane & 1:
            continue
        group = masks[lane] & ~exited
        votes = [bool(predicates[i]) != negate for i in range(32) if group >> i & 1]
        ballot = sum(1 << i for i in range(32) if group >> i & 1 and bool(predicates[i]) != negate)
        operation = form.split(".")[2]
        result = {"all": all(votes), "any": any(votes), "uni": all(votes) or not any(votes), "ballot": False}[operation]
        p |= int(result) << lane
        d[lane] = ballot
    answer = f"d={','.join(hex(x) for x in d)}" if ".ballot." in form else f"p={hex(p)}"
    print(f"{line.rstrip()} => {answer}", flush=True)
