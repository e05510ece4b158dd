"""Checks JSON results against the published schema.

usage: check_schema.py SCHEMA COMMAND… [-- COMMAND…]…

COMMANDs print results. The schema must know every member of a result: unknown members are errors here, although readers
should ignore them. To show that the check can fail, it takes each member of the first result away.
"""

import copy
import json
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("lapscope-skip: python3-jsonschema is not installed")
    sys.exit(77)


def closed(schema):
    """Returns the schema with all objects closed to unlisted members."""
    if isinstance(schema, dict):
        result = {key: closed(value) for key, value in schema.items()}
        if "properties" in result and "required" in result:
            result.setdefault("additionalProperties", False)
        return result
    if isinstance(schema, list):
        return [closed(value) for value in schema]
    return schema


def paths(value, path=()):
    """Yields the paths of all members. Of an array, only the first entry counts."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield path + (key,)
            yield from paths(member, path + (key,))
    elif isinstance(value, list) and value:
        yield from paths(value[0], path + (0,))


def without(document, path):
    document = copy.deepcopy(document)
    holder = document
    for step in path[:-1]:
        holder = holder[step]
    del holder[path[-1]]
    return document


# Members that are present only if there is something to say.
OPTIONAL = {"reason", "verdict_reason", "left_out", "host_time", "host_work", "collections", "issuers", "bare", "range_ns", "runs", "ended_synchronized"}

# Objects whose members are named by measures and causes. Each may be missing.
OPEN = {"measures", "by_cause", "first", "steady"}

schema_file, *rest = sys.argv[1:]
with open(schema_file, encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(closed(schema))

documents = {}
while rest:
    end = rest.index("--") if "--" in rest else len(rest)
    command, rest = rest[:end], rest[end + 1 :]
    output = subprocess.run(command, check=True, capture_output=True).stdout
    documents[" ".join(command)] = json.loads(output)

failures = 0
for name, document in documents.items():
    for error in validator.iter_errors(document):
        failures += 1
        print(f"{name}: {error.json_path}: {error.message[:300]}")

removed = 0
report = next(iter(documents.values()))
for path in paths(report):
    if path[-1] in OPTIONAL or (len(path) > 1 and path[-2] in OPEN):
        continue
    removed += 1
    if validator.is_valid(without(report, path)):
        failures += 1
        print(f"the schema does not miss {path}")
print(f"{len(documents)} results checked, {removed} members taken away")
sys.exit(1 if failures or len(documents) < 2 or removed < 50 else 0)
