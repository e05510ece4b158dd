"""Serves traces by the Model Context Protocol: ``python -m lapscope.mcp FOLDER...``. See docs/python.md."""
