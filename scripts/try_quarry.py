#!/usr/bin/env python3
"""Plays a whole game of Quarry against `volte gtp` on a virtual display.

usage: scripts/try_quarry.py [--volte target/release/volte] [--level 6] [--seed 1] [--keep FOLDER]

Needs quarry, Xvfb and xdotool (Debian: quarry xvfb xdotool). A person is played by clicks on random legal moves for
black; Volte is white. The session is logged (--keep keeps the log), and every reply in it must be a success. Quarry 0.2
never sends `undo`: its only way back is to look at earlier moves, which the script does in the middle of the game.
Exits with 0 when the game is over on both sides.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE = 30.0
# Quarry's windows have no manager here, so they stand in the top left corner and everything keeps its place.
PREFERENCES, ENGINES, ADD, COMMAND_LINE, CONFIRM, CLOSE = (97, 188), (112, 174), (682, 87), (250, 26), (461, 163), (701, 533)
NEW_GAME, REVERSI, WHITE_IS_COMPUTER, WHITE_ENGINE = (97, 26), (37, 137), (37, 234), (290, 234)
VOLTE_IN_LIST, FORWARD, PLAY = (210, 285), (437, 422), (437, 422)
BACK, END, BOARD_A1, SQUARE = (622, 55), (741, 55), (78, 158), 51

# Between Quarry and Volte: writes both directions down.
TEE = r"""#!/bin/bash
tee >(sed -u 's/^/< /' >>"$LOG") | "$VOLTE" gtp --level "$LEVEL" | tee >(sed -u 's/^/> /' >>"$LOG")
"""


class Display:
    """A virtual display with clicks."""

    def __init__(self):
        self.name = f":{random.SystemRandom().randrange(100, 60000)}"
        command = ["Xvfb", self.name, "-screen", "0", "1024x768x24", "-nolisten", "tcp"]
        self.server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(1.5)

    def click(self, place, pause=0.8):
        x, y = map(str, place)
        near = [str(place[0] - 3), str(place[1] - 3)]
        # The pointer has to arrive before it clicks.
        script = ["mousemove", *near, "sleep", "0.1", "mousemove", x, y, "sleep", "0.1", "click", "1"]
        self.run(*script)
        time.sleep(pause)

    def run(self, *arguments):
        subprocess.run(["xdotool", *arguments], env={**os.environ, "DISPLAY": self.name}, check=True)


class Mirror:
    """A second `volte gtp`, which follows the log and knows the legal moves."""

    def __init__(self, volte, log):
        command = [volte, "gtp", "--threads", "1", "--hash", "1"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.log = log

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line.strip())
        return " ".join(lines)[1:].strip()

    def follow(self):
        """Replays the log; returns the legal moves of black, or None if white is thinking."""
        sent, replies = [], []
        for line in self.log.read_text().splitlines():
            if line.startswith("< "):
                sent.append(line[2:].strip())
            elif line.startswith("> ?"):
                sys.exit(f"refused: {line}")
            elif line.startswith("> ="):
                replies.append(line[3:].strip())
        if len(replies) < len(sent):
            return None
        self.ask("clear_board")
        for command, reply in zip(sent, replies):
            match command.split():
                case ["play", *_]:
                    self.ask(command)
                case ["genmove", side] if reply.lower() != "pass":
                    self.ask(f"play {side} {reply}")
        legal = self.ask("gogui-rules_legal_moves").split()
        white_to_move = self.ask("gogui-rules_side_to_move") == "white"
        if white_to_move and legal == ["pass"]:
            # Quarry sends no pass: black moves again.
            self.ask("play white pass")
            return self.ask("gogui-rules_legal_moves").split()
        return None if white_to_move and legal or legal == ["pass"] else legal


def play(display, mirror, chance):
    """Clicks random legal moves until the game is over; returns how many."""
    clicks, looked_back, last, deadline = 0, False, None, time.monotonic() + PATIENCE
    while True:
        time.sleep(0.2)
        legal = mirror.follow()
        if legal == []:
            return clicks
        if legal is None or legal == last:
            if time.monotonic() > deadline:
                sys.exit("the game does not go on")
            if time.monotonic() < deadline - PATIENCE + 3:
                continue
        if not legal:
            continue
        if clicks >= 10 and not looked_back:
            for place in [BACK] * 4 + [END]:
                display.click(place, 0.3)
            looked_back = True
        move = chance.choice(legal)
        display.click((BOARD_A1[0] + SQUARE * (ord(move[0]) - ord("A")), BOARD_A1[1] + SQUARE * (int(move[1]) - 1)))
        clicks, last, deadline = clicks + 1, legal, time.monotonic() + PATIENCE


def main():
    parser = argparse.ArgumentParser(description="a whole game of Quarry against volte gtp")
    parser.add_argument("--volte", default="target/release/volte")
    parser.add_argument("--level", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    quarry = shutil.which("quarry", path=os.environ["PATH"] + ":/usr/games")
    if not (quarry and shutil.which("Xvfb") and shutil.which("xdotool")):
        sys.exit("SKIPPED: needs quarry, Xvfb and xdotool")
    volte = str(pathlib.Path(arguments.volte).resolve())
    display = Display()
    with tempfile.TemporaryDirectory() as home:
        log = pathlib.Path(home, "session.txt")
        log.touch()
        engine = pathlib.Path(home, "volte")
        engine.write_text(TEE)
        engine.chmod(0o755)
        environment = {**os.environ, "DISPLAY": display.name, "HOME": home, "VOLTE": volte, "LOG": str(log)}
        environment["LEVEL"] = str(arguments.level)
        program = subprocess.Popen([quarry], env=environment, stderr=subprocess.DEVNULL)
        try:
            time.sleep(3)
            for place in (PREFERENCES, ENGINES, ADD, COMMAND_LINE):
                display.click(place)
            display.run("type", str(engine))
            for place in (CONFIRM, CLOSE):
                display.click(place, 2)
            # Adding the engine was a session of its own.
            log.write_text("")
            for place in (NEW_GAME, REVERSI, WHITE_IS_COMPUTER, WHITE_ENGINE, VOLTE_IN_LIST, FORWARD, PLAY):
                display.click(place, 1.2)
            mirror = Mirror(volte, log)
            clicks = play(display, mirror, random.Random(arguments.seed))
            moves = log.read_text()
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                shutil.copy(log, arguments.keep)
            print(f"over: {mirror.ask('final_score')} after {clicks} clicks and {moves.count('< genmove')} answers")
        finally:
            program.terminate()
            display.server.terminate()


if __name__ == "__main__":
    main()
