# SPDX-License-Identifier: GPL-3.0-or-later
"""Does what the program writes as JSON follow man/results.schema.json?

usage: schema.py SCHEMA DEFINITION FILE: every line of FILE.jsonl, else all of
FILE, under $defs/DEFINITION and under the whole schema."""
import json
import re
import sys

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: TYPES["number"](v) and v == int(v),
}
KNOWN = {"type", "properties", "required", "additionalProperties", "items",
         "minItems", "maxItems", "enum", "const", "minimum", "maximum",
         "pattern", "oneOf", "$ref", "$defs", "$schema", "title", "description"}


def resolve(root, schema):
    while "$ref" in schema:
        at = root
        for part in schema["$ref"].lstrip("#/").split("/"):
            at = at[part]
        schema = at
    return schema


def of_object(root, s, v, path):
    known = s.get("properties", {})
    for name in s.get("required", []):
        if name not in v:
            yield "%s: no %s" % (path, name)
    for name, value in v.items():
        rule = known.get(name, s.get("additionalProperties", True))
        if rule is False:
            yield "%s: %s is not in the schema" % (path, name)
        elif rule is not True:
            yield from errors(root, rule, value, path + "/" + name)


def of_list(root, s, v, path):
    if not s.get("minItems", 0) <= len(v) <= s.get("maxItems", len(v)):
        yield "%s: %d entries" % (path, len(v))
    for i, value in enumerate(v):
        yield from errors(root, s.get("items", {}), value, "%s/%d" % (path, i))


def errors(root, schema, v, path=""):
    s = resolve(root, schema)
    assert not set(s) - KNOWN, set(s) - KNOWN
    types = s.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[t](v) for t in types):
        yield "%s: %r is no %s" % (path, v, " or ".join(types))
        return
    if "const" in s and v != s["const"] or v not in s.get("enum", [v]):
        yield "%s: %r" % (path, v)
    if TYPES["number"](v) and not \
            s.get("minimum", v) <= v <= s.get("maximum", v):
        yield "%s: %r is out of range" % (path, v)
    if isinstance(v, str) and not re.search(s.get("pattern", ""), v):
        yield "%s: %r" % (path, v)
    if isinstance(v, dict):
        yield from of_object(root, s, v, path)
    if isinstance(v, list):
        yield from of_list(root, s, v, path)
    if "oneOf" in s:
        fit = sum(not list(errors(root, o, v, path)) for o in s["oneOf"])
        if fit != 1:
            yield "%s: fits %d of oneOf" % (path, fit)


def main(schema, name, path):
    with open(schema) as f:
        root = json.load(f)
    with open(path) as f:
        text = f.read()
    rows = text.splitlines() if path.endswith(".jsonl") else [text]
    bad = [] if rows else ["nothing to look at"]
    for row in rows:
        value = json.loads(row)
        bad += list(errors(root, root["$defs"][name], value)) + \
            list(errors(root, root, value))
    for line in bad[:10]:
        print("%s: %s" % (path, line))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
