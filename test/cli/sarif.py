"""sarif.py FILE...: is each file what the schema of SARIF 2.1.0 asks of the properties that warpcheck writes?

Written from the schema's words: an object may have no other property than these, those marked with ! must be there,
lists marked with * hold nothing twice.
"""
import json
import re
import sys

LEVEL = ("none", "note", "warning", "error")
RULES = {
    "log": {"$schema": str, "!version": ("2.1.0",), "!runs": ["run"]},
    "run": {"!tool": "tool", "invocations": ["invocation"], "columnKind": ("utf16CodeUnits", "unicodeCodePoints"),
            "results": ["result"]},
    "tool": {"!driver": "driver"},
    "driver": {"!name": str, "semanticVersion": str, "rules*": ["rule"]},
    "rule": {"!id": str, "name": str, "shortDescription": "message", "fullDescription": "message", "help": "message",
             "defaultConfiguration": "configuration"},
    "configuration": {"level": LEVEL},
    "message": {"!text": str},
    "invocation": {"!executionSuccessful": bool, "toolExecutionNotifications": ["notification"]},
    "notification": {"level": LEVEL, "!message": "message"},
    "result": {"ruleId": str, "ruleIndex": 0, "level": LEVEL, "!message": "message", "locations": ["location"],
               "relatedLocations*": ["location"], "partialFingerprints": {str}, "suppressions*": ["suppression"],
               "properties": dict},
    "location": {"physicalLocation": "physical", "message": "message"},
    "physical": {"!artifactLocation": "artifact", "region": "region"},
    "artifact": {"uri": "URI"},
    "region": {"!startLine": 1, "snippet": "message"},
    "suppression": {"!kind": ("inSource", "external"), "justification": str},
}


def check(value, rule, where):
    if rule == "URI":
        assert isinstance(value, str) and re.fullmatch(r"([A-Za-z0-9._~/+@,=-]|%[0-9A-F]{2})+", value), (where, value)
    elif isinstance(rule, str):
        assert isinstance(value, dict), where
        known = {name.strip("!*"): name for name in RULES[rule]}
        assert set(value) <= set(known), (where, set(value) - set(known))
        for name, marked in known.items():
            assert name in value or marked[0] != "!", (where, name)
            if name in value:
                check(value[name], RULES[rule][marked], where + "." + name)
                if marked.endswith("*"):
                    texts = [json.dumps(item, sort_keys=True) for item in value[name]]
                    assert len(set(texts)) == len(texts), (where + "." + name, "twice")
    elif isinstance(rule, list):
        assert isinstance(value, list), where
        for n, item in enumerate(value):
            check(item, rule[0], f"{where}[{n}]")
    elif isinstance(rule, tuple):
        assert value in rule, (where, value)
    elif isinstance(rule, set):
        assert isinstance(value, dict) and all(isinstance(item, str) for item in value.values()), where
    elif isinstance(rule, int):
        assert type(value) is int and value >= rule, (where, value)
    else:
        assert type(value) is rule, (where, value)


for path in sys.argv[1:]:
    check(json.load(open(path)), "log", path)
