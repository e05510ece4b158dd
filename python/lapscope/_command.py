"""Finds and runs the command that was installed with this package."""

from __future__ import annotations

import os
from typing import Any, List, Sequence, Tuple, Union

PathLike = Union[str, "os.PathLike[str]"]


class Error(Exception):
    """What the command says on standard error. ``status`` is its exit status."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.status)  # from one process to another, as of a cluster


class Usage(Error):
    """An option or an argument that the command does not take (status 2)."""


class Inconclusive(Error):
    """Nothing can be said, and there is no result that says why (status 3)."""


class Unreadable(Error):
    """A file that cannot be read or written (status 4)."""


class Note(UserWarning):
    """What the command says besides its result."""


_errors = {2: Usage, 3: Inconclusive, 4: Unreadable}


def _places() -> List[str]:
    import sysconfig

    package = os.path.dirname(os.path.abspath(__file__))
    return [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        os.path.join(os.path.dirname(package), "bin"),  # pip install --target
    ]


def command() -> str:
    """The path of the command: ``$LAPSCOPE_COMMAND``, else where pip puts programs of this package."""
    chosen = os.environ.get("LAPSCOPE_COMMAND")
    if chosen:
        return chosen
    places = _places()
    for place in places:
        path = os.path.join(place, "lapscope")
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(
        f"lapscope's command is in none of {', '.join(places)}: install the package again, or name the command with "
        "LAPSCOPE_COMMAND."
    )


def arguments(options: "dict[str, Any]") -> List[str]:
    """Options as the command takes them: True is a flag, a list repeats the option, a tuple gives it several values."""
    words: List[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, tuple):
            words += [option, *map(str, value)]
        else:
            words += [f"{option}={one}" for one in (value if isinstance(value, list) else [value])]
    return words


def run(options: Sequence[str], files: Sequence[str]) -> Tuple[bytes, int]:
    """What the command prints, and its exit status. Raises an Error where it prints no result."""
    import subprocess

    # Names of files come last: one may begin with "-".
    words = [command(), *options, "--", *files]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = done.stderr.decode("utf-8", "replace").strip()
    if not done.stdout:
        sentences = "\n".join(line.removeprefix("lapscope: ") for line in said.splitlines())
        raise _errors.get(done.returncode, Error)(sentences or f"lapscope ended with {done.returncode}.", done.returncode)
    if said:
        import warnings

        warnings.warn(said, Note, stacklevel=4)
    return done.stdout, done.returncode
