"""Captures in the calling process, which `lapscope record --armed` must have started."""

from __future__ import annotations

import os
from typing import NamedTuple, Optional

from ._command import Error, Inconclusive, Usage
from ._results import Analysis
from ._trace import Option, analyze

_patience_s = 30.0  # the last flush of a capture may take some seconds


class NotArmed(Error):
    """This process cannot begin a capture (status 4)."""


class _State(NamedTuple):
    is_capturing: bool
    captures: int  # number begun so far
    trace: str  # of the last capture
    problem: str


class Capture:
    """The capture of ``with lapscope.record() as capture:``. After the block, ``path`` is the trace, or None if the GPU
    did nothing."""

    def __init__(self, seconds: Optional[float] = None, keep: Optional[float] = None, light: bool = False) -> None:
        self.path: Optional[str] = None
        self._line = "start"
        for name, key, limit in (("seconds", "duration", seconds), ("keep", "keep", keep)):
            if limit is not None:
                if not 0 < limit < float("inf"):  # nan is neither
                    raise Usage(f"{name} is a number of seconds above 0, not {limit}.", 2)
                self._line += f"\t{key}={max(1, round(limit * 1000))}"
        if light:
            self._line += "\tlight=1"
        self._begun: Optional[_State] = None

    def __enter__(self) -> "Capture":
        state = _ask(self._line)
        if state.problem:
            raise Error(state.problem, 3)
        self.path, self._begun = None, state
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        begun = self._begun
        if begun is None:
            return
        self._begun = None
        try:
            state = _ask("status")
            # If this capture has ended by itself, another one may be running, which must not be stopped.
            if state.is_capturing and state.captures == begun.captures:
                state = _ask("stop")
        except Error:
            if kind is None:
                raise
            return  # the block's own exception is more important
        path = state.trace if state.captures == begun.captures else begun.trace
        self.path = path if path and os.path.exists(path) else None
        if state.problem and state.captures == begun.captures and kind is None:
            raise Error(state.problem, 3)

    def analyze(self, **options: Option) -> Analysis:
        """Analyzes the trace: see ``lapscope.analyze``."""
        if self._begun is not None:
            raise Error("the capture has not ended yet: leave the `with` block before.", 3)
        if self.path is None:
            raise Inconclusive("the capture has no trace: no GPU work that it could record has begun and ended in it. Wait for "
                               "the device before the end of the `with` block, as with torch.cuda.synchronize().", 3)
        return analyze(self.path, **options)


def record(seconds: Optional[float] = None, keep: Optional[float] = None, light: bool = False) -> Capture:
    """Records this process's GPU work: ``with lapscope.record() as capture: …``, then ``capture.analyze()``.

    The process must be armed: started by ``lapscope record --armed -o FOLDER/ -- python …``. Work that ends after the
    block is not in the trace. If ``seconds`` is given, the capture ends after that time at the latest. If ``keep`` is
    given, the trace has only the last ``keep`` seconds of the capture (at most 60). ``light`` records the same as
    ``lapscope record --light``, and all calls. Raises NotArmed, or Error if a capture is already running.
    """
    return Capture(seconds, keep, light)


def _ask(line: str) -> _State:
    """Sends a line to the collector's thread in this process and returns its answer: see docs/ctl.md and
    collector/control/control_commands.h."""
    import socket

    folder = os.environ.get("LAPSCOPE_CONTROL")
    if not folder:
        raise NotArmed("this process is not armed: start it with `lapscope record --armed -o FOLDER/ -- python …`.", 4)
    name = f"{os.fsdecode(os.fsencode(socket.gethostname())[:64])}.{os.getpid()}"
    answer = b""
    try:
        opened = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
                made.settimeout(_patience_s)
                made.connect(f"/proc/self/fd/{opened}/{name}")  # short: socket paths are limited
                made.sendall(line.encode() + b"\n")
                while not answer.endswith(b"\n"):
                    part = made.recv(4096)
                    if not part:
                        break
                    answer += part
        finally:
            os.close(opened)
    except (FileNotFoundError, ConnectionRefusedError):
        raise NotArmed("this process is armed, but nothing in it answers: it has not used CUDA yet, or it was forked from one that "
                       "had. Call CUDA before, as with torch.cuda.init().", 4) from None
    except OSError as error:
        raise NotArmed(f"the collector in this process does not answer: {error}.", 4) from None
    parts = os.fsdecode(answer.rstrip(b"\n")).split("\t")
    if len(parts) != 6 or parts[0] not in ("capturing", "armed") or not parts[1].isdigit():
        raise NotArmed("this process was started by another version of lapscope: start it with the one that is installed here.", 4)
    return _State(parts[0] == "capturing", int(parts[1]), parts[2], parts[4] or parts[3])
