#!/usr/bin/env python3
"""Adds the best move and its score to each row of a CSV with a column `position`:  annotate.py <IN >OUT"""
import csv, json, os, subprocess, sys

table = csv.DictReader(sys.stdin)
rows = list(table)
positions = "".join(" ".join((row["position"] or "").split()) + "\n" for row in rows)
command = [os.environ.get("VOLTE", "volte"), "best", "--json", "--level", "10"]
output = subprocess.run(command, input=positions, stdout=subprocess.PIPE, encoding="utf-8").stdout
# An empty cell has no answer, so each answer tells the line it is for.
answers = {answer["line"]: answer for answer in map(json.loads, output.splitlines())}
writer = csv.DictWriter(sys.stdout, [*table.fieldnames, "best", "score"], lineterminator="\n")
writer.writeheader()
for line, row in enumerate(rows, 1):
    answer = answers.get(line, {})
    writer.writerow({**row, "best": answer.get("move"), "score": answer.get("score")})
