#!/usr/bin/env python3
"""Adds the best move and its score to each row of a CSV with a column `position`:  annotate.py <IN >OUT"""
import csv, json, os, subprocess, sys

rows = list(csv.DictReader(sys.stdin))
positions = "".join(row["position"] + "\n" for row in rows)
command = [os.environ.get("VOLTE", "volte"), "best", "--json", "--level", "10"]
answers = subprocess.run(command, input=positions, stdout=subprocess.PIPE, encoding="utf-8").stdout.splitlines()
writer = csv.DictWriter(sys.stdout, [*rows[0], "best", "score"], lineterminator="\n")
writer.writeheader()
for row, answer in zip(rows, map(json.loads, answers)):
    writer.writerow({**row, "best": answer.get("move"), "score": answer.get("score")})
