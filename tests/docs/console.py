#!/usr/bin/env python3
"""Runs the console blocks of the documentation that need no GPU, and compares their output. Also checks tables headed
"on the screen": they must quote the screen before them.

        tests/docs/console.py LAPSCOPE [--write]     --write puts the output into the pages
"""
import glob
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
COMMANDS = {"analyze", "whatif", "gate", "diff"}
# Filters that show the first lines of a long screen, or those around a word. Standard error is then not shown.
FILTERS = re.compile(r"( \| (head -\d+|grep -A\d+ '[^'|;&<>]*'))+$")


def commands_of(block):
    """Returns the commands of a block: lines that begin with "$ ", joined at backslashes."""
    commands = []
    lines = iter(block.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            continue
        while line.endswith("\\"):
            line += "\n" + next(lines)
        commands.append(line[2:])
    return commands


def needs_nothing(command, folder):
    """Returns whether a command reads only files in the sources."""
    command = FILTERS.sub("", command)
    words = shlex.split(command.replace("\\\n", " "))
    if words[0] == "cd":
        return os.path.isdir(os.path.join(ROOT, words[1]))
    if words[0] != "lapscope" or words[1] not in COMMANDS or any(w in "|;>&" for w in words):
        return False
    files = [w for w in words[2:] if re.search(r"\.(sqlite|json|toml)$|/$", w)]
    return bool(files) and all(os.path.exists(os.path.join(folder, f)) for f in files)


def played(block, lapscope):
    """Returns what the block should contain, or None if it needs other files."""
    folder = ROOT
    text = ""
    for command in commands_of(block):
        if not needs_nothing(command, folder):
            return None
        text += "$ " + command + "\n"
        if command.startswith("cd "):
            folder = os.path.join(ROOT, command[3:])
            continue
        run = subprocess.run(command.replace("lapscope", shlex.quote(lapscope), 1), shell=True, cwd=folder,
                             stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                             stderr=subprocess.DEVNULL if FILTERS.search(command) else subprocess.STDOUT,
                             env={**os.environ, "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": "/none"})
        text += run.stdout
    return text or None


def not_shown(page):
    """Returns the quotes in tables headed "on the screen" that the block before the table does not show."""
    screen, is_legend = "", False
    for part in re.split(r"(^```console\n.*?^```$)", page, flags=re.M | re.S):
        if part.startswith("```console"):
            screen = " ".join(part.split())
            continue
        for line in part.splitlines():
            is_legend = line.startswith("|") and (is_legend or line.startswith("| on the screen |"))
            if is_legend and screen:
                quoted = re.findall(r"`([^`]*)`", line.split("|")[1])
                yield from (one for one in quoted if " ".join(one.split()) not in screen)


def main():
    lapscope = os.path.realpath(sys.argv[1])
    failed = ran = left = 0
    pages = sorted(glob.glob(ROOT + "/docs/**/*.md", recursive=True) + glob.glob(ROOT + "/research/*.md"))
    for page in [ROOT + "/README.md", *pages]:
        with open(page, encoding="utf-8") as file:
            before = file.read()

        def replay(match):
            nonlocal ran, left, failed
            text = played(match.group(1), lapscope)
            if text is None:
                left += 1
                return match.group(0)
            ran += 1
            if text != match.group(1):
                failed += 1
                if "--write" not in sys.argv:
                    print(f"{os.path.relpath(page, ROOT)} shows\n{match.group(1)}and today that is\n{text}")
            return f"```console\n{text}```"

        after = BLOCK.sub(replay, before)
        for quoted in not_shown(after):
            failed += 1
            print(f"{os.path.relpath(page, ROOT)} explains `{quoted}`, which its screen does not show")
        if "--write" in sys.argv and after != before:
            with open(page, "w", encoding="utf-8") as file:
                file.write(after)
    print(f"{ran} blocks were run, {left} need a GPU or other files")
    return 1 if failed and "--write" not in sys.argv else 0


sys.exit(main())
