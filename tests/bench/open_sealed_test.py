#!/usr/bin/env python3
"""open_sealed_test.py LAPSCOPE

Makes an archive like the sealed one from recorded pairs. open_sealed.py scores it, and refuses a changed archive.
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PAIRS = HERE.parent / "traces/pairs"
LAPSCOPE = sys.argv[1]
# Recorded pairs by their names in the archive. Each has a range of the same name and bare walls.
NAMES = {"inputs-graph": "inputs-graph", "inputs-loss": "inputs-loss", "small-copies": "small-copies",
         "lock-around-waits": "lock-around-waits"}
CONTROL = "outputs-small"  # no mistake is planted in its fixed program


def pack(folder):
    recorded = {pair["name"]: pair for pair in json.loads((PAIRS / "pairs.json").read_text())["pairs"]}
    lines, planted, files = [], [], {}
    for name, own in NAMES.items():
        for variant, one in recorded[own]["variants"].items():
            files[f"{name}-{variant}.sqlite"] = PAIRS / one["trace"]
            lines += [f"{name} {variant} checksum=1 wall_ms={wall:.3f}" for process in one["wall_ms"] for wall in process]
        planted.append({"name": name, "causes": [recorded[own]["cause"]]})
    planted.append({"name": "not-recorded", "causes": ["host-sync", "stream-order"]})
    planted.append({"name": "control-outputs", "causes": ["none"]})
    files["control-outputs-control.sqlite"] = PAIRS / recorded[CONTROL]["variants"]["fixed"]["trace"]
    lines.append("control-outputs control checksum=1 wall_ms=1.000")
    (folder / "walls.txt").write_text("\n".join(lines) + "\n")
    (folder / "planted.json").write_text(json.dumps(planted))
    files.update({name: folder / name for name in ("walls.txt", "planted.json")})
    archive = folder / "sealed.tar.xz"
    with tarfile.open(archive, "w:xz") as packed:
        for name, file in files.items():
            packed.add(file, name)
    seal = hashlib.sha256(archive.read_bytes()).hexdigest()
    archive.with_name("sealed.tar.xz.sha256").write_text(f"{seal}  sealed.tar.xz\n")
    return archive, recorded


def opened(archive):
    return subprocess.run([sys.executable, HERE / "open_sealed.py", LAPSCOPE, archive], capture_output=True, text=True, check=False)


with tempfile.TemporaryDirectory() as folder:
    archive, recorded = pack(pathlib.Path(folder))
    said = opened(archive)
    assert said.returncode == 0, said.stdout + said.stderr
    rows = {line.split(" | ")[0].strip("| "): line for line in said.stdout.splitlines() if line.startswith("| ")}
    # pair_accuracy.py reports the same for these recordings.
    of_pairs = subprocess.run([sys.executable, HERE / "pair_accuracy.py", LAPSCOPE, PAIRS, "--only", "inputs", "causes"],
                              capture_output=True, text=True, check=False).stdout
    for name, own in NAMES.items():
        cells = next(line for line in of_pairs.splitlines() if line.startswith(f"| {own} |")).split(" | ")
        predicted, measured, error, first = cells[4:8]
        assert predicted in rows[name] and measured in rows[name] and f" {error} " in rows[name], (cells, rows[name])
        assert f"| {first.partition(' ')[0]} |".replace("none", "nothing") in rows[name], (first, rows[name])
    assert "it was not measured" in rows["not-recorded"], said.stdout
    assert "Predicted: 4 of 5." in said.stdout and "Controls with a finding above 10 %: " in said.stdout, said.stdout
    assert "Bands held: " in said.stdout and "95 % interval" in said.stdout, said.stdout
    archive.write_bytes(archive.read_bytes()[:-1])
    refused = opened(archive)
    assert refused.returncode != 0 and "was sealed with" in refused.stderr, refused
