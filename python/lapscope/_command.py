"""Finds and runs the command that is installed with this package."""

from __future__ import annotations

import os
from typing import Any, List, Sequence, Tuple, Union

PathLike = Union[str, "os.PathLike[str]"]


class Error(Exception):
    """The command failed. The message is its standard error, ``status`` its exit status."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.status)  # for pickling, as between processes of a cluster


class Usage(Error):
    """The command does not accept an option or an argument (status 2)."""


class Inconclusive(Error):
    """The command reaches no conclusion and prints no result that explains it (status 3)."""


class Unreadable(Error):
    """A file cannot be read or written (status 4)."""


class Note(UserWarning):
    """A message of the command in addition to its result."""


_errors = {2: Usage, 3: Inconclusive, 4: Unreadable}
_with_result = (0, 1, 3)  # exit statuses with which the command prints a whole result: 1 and 3 of gates and inconclusive runs


def _places() -> List[str]:
    import sysconfig

    package = os.path.dirname(os.path.abspath(__file__))
    return [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        os.path.join(os.path.dirname(package), "bin"),  # pip install --target
    ]


def command() -> str:
    """Returns the path of the command: ``$LAPSCOPE_COMMAND``, else the place where pip installs programs."""
    chosen = os.environ.get("LAPSCOPE_COMMAND")
    if chosen:
        return chosen
    places = _places()
    for place in places:
        path = os.path.join(place, "lapscope")
        if os.path.isfile(path):
            return path
    raise Error(f"lapscope's command is in none of {', '.join(places)}: install the package again, or name the command with "
                "LAPSCOPE_COMMAND.", 4)


def arguments(options: "dict[str, Any]") -> List[str]:
    """Converts options to command-line words. True gives a flag, a list repeats the option, and a tuple gives it
    several values."""
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
    """Runs the command and returns its output and exit status. Raises an Error if it prints no result, or only a part."""
    import subprocess

    # Files come first, or an option without its value would take them for it. A name may begin with "-".
    paths = ["./" + file if file.startswith("-") else file for file in files]
    words = [command(), *options[:1], *paths, *options[1:]]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise Error(f"lapscope's command cannot be run: {error}. Install the package again, or name the command with "
                    "LAPSCOPE_COMMAND.", 4) from None
    said = done.stderr.decode("utf-8", "replace").strip()
    if not done.stdout or done.returncode not in _with_result:
        sentences = "\n".join(line.removeprefix("lapscope: ") for line in said.splitlines())
        how = f"was ended by signal {-done.returncode}" if done.returncode < 0 else f"ended with {done.returncode}"
        raise _errors.get(done.returncode, Error)(sentences or f"lapscope {how}.", done.returncode)
    if said:
        import warnings

        warnings.warn(said, Note, stacklevel=_level_of_caller())
    return done.stdout, done.returncode


def _level_of_caller() -> int:
    """Returns the stack level of the code that called this package, as seen by `run`."""
    import sys

    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_code.co_filename.startswith(os.path.dirname(__file__) + os.sep):
        frame, level = frame.f_back, level + 1
    return level
