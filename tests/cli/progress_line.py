"""Checks the progress line that a command shows on a terminal.

usage: progress_line.py LAPSCOPE GENERATE_TRACE
"""

import fcntl
import os
import re
import struct
import subprocess
import sys
import tempfile
import termios
import time

lapscope, generate_trace = sys.argv[1:]
COLUMNS = 72
LONG = 2.5  # seconds; the line of a shorter command is not checked
LINE = re.compile(r"^(reading|sorting|checking|measuring|finding causes in|drawing|rendering) [^ ]+"
                  r" +\[#*-*\] +(\d+) %, \d+ (s|min) left$")


def on_terminal(*arguments):
    """Returns what a terminal received, as (seconds, bytes) since the start, and how long the command took."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    begin = time.monotonic()
    child = subprocess.Popen([lapscope, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=theirs)
    os.close(theirs)
    pieces = []
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # on Linux: the other end is closed
            piece = b""
        if not piece:
            break
        pieces.append((time.monotonic() - begin, piece))
    assert child.wait() in (0, 3), child.returncode
    os.close(ours)
    return pieces, time.monotonic() - begin


def check_drawn(pieces, took):
    first = pieces[0][0]
    assert 0.9 < first < 1.5, f"the line came after {first:.2f} s"
    text = b"".join(piece for _, piece in pieces).decode()
    lines = []
    *told, rest = text.split("\r\n")
    assert not rest, f"left on the terminal: {rest!r}"
    for one in told:
        # Before a sentence, the line is erased.
        drawn, erase, sentence = one.rpartition("\r\x1b[K")
        assert sentence.startswith("lapscope: "), one
        assert erase or not drawn, one
        lines += [line for line in re.split("\r|\x1b\\[K", drawn) if line]
    shares = []
    for line in lines:
        assert len(line) < COLUMNS, line
        found = LINE.match(line)
        assert found, f"not a line of progress: {line!r}"
        shares.append(int(found[2]))
    assert LINE.match(lines[0]), lines[0]
    assert shares == sorted(shares), f"a share falls: {shares}"
    assert shares[-1] > shares[0]
    print(f"first after {first:.2f} of {took:.1f} s: {lines[0]!r}; last: {lines[-1]!r}")


with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "t.sqlite")
    for ops in (1_000, 30_000, 120_000, 480_000, 1_920_000):
        subprocess.run([generate_trace, str(ops), trace], check=True, stdout=subprocess.DEVNULL)
        command = ["report", trace, "--format", "html", "-o", os.path.join(folder, "r.html")]
        pieces, took = on_terminal(*command)
        if took < 0.9:
            assert not any(b"\r\x1b" in piece or b"%" in piece for _, piece in pieces), pieces
        if took >= LONG:
            break
        os.remove(trace)
    else:
        print(f"lapscope-skip: this machine reports {ops} ops in {took:.1f} s: no command is long enough")
        sys.exit(77)
    check_drawn(pieces, took)
    # Logs of CI contain only sentences.
    piped = subprocess.run([lapscope, *command], capture_output=True, check=False)
    told = piped.stderr.decode()
    assert piped.returncode in (0, 3)
    assert not set("\r\x1b%") & set(told), told
    assert all(line.startswith("lapscope: ") for line in told.splitlines()), told
