#!/usr/bin/env python3
"""Lists the moves that gave away at least so many discs:  blunders.py FILE [DISCS]"""
import json, os, subprocess, sys

least = float(sys.argv[2]) if len(sys.argv) > 2 else 6
command = [os.environ.get("VOLTE", "volte"), "analyze", "--json", "--level", "10", sys.argv[1]]
for line in subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8").stdout.splitlines():
    report = json.loads(line)
    for turn in report.get("turns", []):
        if turn["loss"] >= least:
            place = report.get("line", report.get("game"))
            print(f'{place}: {turn["number"]}. {turn["move"]} lost {turn["loss"]}, better {turn["best_pv"]}')
