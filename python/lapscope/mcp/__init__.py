"""Answers about traces for a program that speaks the Model Context Protocol: ``python -m lapscope.mcp FOLDER...``. See docs/python.md."""
