#!/usr/bin/env python3
"""Builds the documentation as a site that can be read without network: build/site/html/index.html.

    scripts/site.py [OUT]      OUT is a folder, build/site by default; replaces its folder html/

Needs mkdocs-material and mkdocstrings (tests/python/requirements.txt). The folders of pages are those of the sources,
so that links stay valid. Other files that pages link to are copied, too. A link or an anchor without a target is an
error, and so is a page that mkdocs.yml does not list.
"""
import ast
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CHANGELOG.md", "docs/*.md", "docs/causes/*.md", "research/*.md", "workloads/**/*.md", "tests/traces/README.md")
# Ranks reports lower, so that a search finds pages for users first.
REPORT = "---\nsearch:\n  boost: 0.3\n---\n"
# The page of the Python package, which is made from its docstrings.
API = "docs/python-api.md"


def linked(page):
    """Yields the files of the sources that a page links to or shows."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        file = (page.parent / target).resolve()
        if ":" not in target and file.is_file() and file.is_relative_to(ROOT):
            yield file


def api_page():
    module = ast.parse((ROOT / "python/lapscope/__init__.py").read_text(encoding="utf-8"))
    names = sorted(name.name for node in module.body if isinstance(node, ast.ImportFrom) for name in node.names)
    parts = [f"::: lapscope.{name}\n" for name in names]
    return "# Python API\n\nFrom the docstrings of the package; [python.md](python.md) shows how to use it.\n\n" + "\n".join(parts)


def stage(folder):
    shutil.rmtree(folder, ignore_errors=True)
    pages = {page for pattern in PAGES for page in ROOT.glob(pattern)}
    others = {file for page in pages for file in linked(page)} - pages
    for file in pages | others | set((ROOT / "docs/site").iterdir()):
        copy = folder / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file in pages:
            text = file.read_text(encoding="utf-8")
            for sample in (other.name for other in others if other.suffix == ".md"):
                text = text.replace(f"/{sample})", f"/{sample}.txt)")  # a Markdown sample, which must not become a page
            copy.write_text((REPORT if file.parent.name == "research" else "") + text, encoding="utf-8")
        else:
            shutil.copyfile(file, copy.with_name(copy.name + ".txt") if file.suffix == ".md" else copy)
    (folder / API).write_text(api_page(), encoding="utf-8")


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/site").resolve()
    stage(out / "pages")
    os.environ["LAPSCOPE_SITE_PAGES"] = str(out / "pages")
    from mkdocs.__main__ import cli  # last, so that the pages exist even without mkdocs

    cli(["build", "--strict", "--clean", "-f", str(ROOT / "mkdocs.yml"), "-d", str(out / "html")])


main()
