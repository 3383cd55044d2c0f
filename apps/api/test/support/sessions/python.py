"""Runs the programs of a page, one JSON string a line, with common names."""

import json
import sys

names = {"__name__": "__main__"}
for line in sys.stdin:
    exec(compile(json.loads(line), "snippet.py", "exec"), names)
    print(sys.argv[1])
