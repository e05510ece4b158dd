"""The recordings in tests/traces/sealed/sealed.tar.xz, which were sealed until the model was finished."""
import hashlib
import pathlib
import sys
import tarfile

RANGE = "measured"


def unpacked(archive, folder):
    seal = archive.with_name(archive.name + ".sha256").read_text().split()[0]
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != seal:
        sys.exit(f"sealed_set: {archive} has the SHA-256 {found}, and was sealed with {seal}")
    with tarfile.open(archive) as packed:
        for member in packed.getmembers():
            if not member.isfile() or pathlib.PurePath(member.name).name != member.name:
                sys.exit(f"sealed_set: {archive} has {member.name}, which is no file of its own")
            (folder / member.name).write_bytes(packed.extractfile(member).read())
    return found


def walls_of(folder):
    """Returns the walls in ms by program and variant, from lines such as 'cloth fixed checksum=1 wall_ms=2.345'."""
    walls = {}
    for line in (folder / "walls.txt").read_text().splitlines():
        name, variant, *values = line.split()
        walls.setdefault((name, variant), []).append(float(dict(value.split("=") for value in values)["wall_ms"]))
    return walls
