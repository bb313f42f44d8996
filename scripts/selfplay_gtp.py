#!/usr/bin/env python3
"""Plays games between two `volte gtp` processes and checks every move.

usage: scripts/selfplay_gtp.py [--games 200] [--level 4] [--volte target/release/volte]

Each game starts from random moves (a fixed seed). Even games send every pass, as gogui-twogtp does; odd games leave
passes out, as Quarry does. A move must be among the legal moves that the other process tells, both processes must agree
about the board after it and about the result at the end. Exits with 1 at an illegal move, a disagreement or a hang.
"""

import argparse
import collections
import random
import subprocess
import sys
import threading
import time

HANG = 60.0


class Engine:
    """A `volte gtp` process."""

    def __init__(self, path, level):
        command = [path, "gtp", "--threads", "1", "--hash", "16", "--level", str(level)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        """The reply to a command without its sign; a hang or a refusal ends the program."""
        alarm = threading.Timer(HANG, self.process.kill)
        alarm.start()
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line.rstrip("\n"))
        alarm.cancel()
        if line == "" or not lines or not lines[0].startswith("="):
            sys.exit(f"`{command}`: {lines or f'no reply within {HANG} s'}")
        return "\n".join(lines)[1:].strip()

    def close(self):
        self.ask("quit")
        if self.process.wait(HANG) != 0:
            sys.exit("an engine did not exit well")


def legal_moves(engine):
    return engine.ask("gogui-rules_legal_moves").lower().split()


def play_game(engines, explicit_passes, chance):
    """Plays a game; returns its result, its number of moves and of passes."""
    for engine in engines.values():
        engine.ask("clear_board")
    random_moves = chance.randrange(4, 14)
    moves = passes = 0
    while True:
        referee = engines["black"]
        legal = legal_moves(referee)
        if not legal:
            break
        side = referee.ask("gogui-rules_side_to_move")
        mover = side
        if legal == ["pass"]:
            passes += 1
            if not explicit_passes:
                mover = "white" if side == "black" else "black"
        own, other = engines[mover], engines["white" if mover == "black" else "black"]
        if legal != legal_moves(engines["white"]):
            sys.exit("the processes do not agree about the legal moves")
        if moves < random_moves and legal != ["pass"]:
            move = chance.choice(legal)
            own.ask(f"play {mover} {move}")
        else:
            move = own.ask(f"genmove {mover}").lower()
        if mover == side and move not in legal:
            sys.exit(f"illegal move {move} of {legal}")
        # The other process checks a move past an unwritten pass: it refuses what is illegal.
        other.ask(f"play {mover} {move}")
        moves += 1
        if own.ask("gogui-rules_board") != other.ask("gogui-rules_board"):
            sys.exit("the processes do not agree about the board")
    results = {engine.ask("final_score") for engine in engines.values()}
    if len(results) != 1:
        sys.exit(f"the processes do not agree about the result: {results}")
    for engine in engines.values():
        # A match runner ends its games so.
        engine.ask("play black pass")
        engine.ask("play white pass")
    return results.pop(), moves, passes


def main():
    parser = argparse.ArgumentParser(description="200 games of self-play through GTP, every move checked")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--level", type=int, default=4)
    parser.add_argument("--volte", default="target/release/volte")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    engines = {color: Engine(arguments.volte, arguments.level) for color in ("black", "white")}
    winners = collections.Counter()
    total_moves = total_passes = 0
    start = time.monotonic()
    for game in range(arguments.games):
        result, moves, passes = play_game(engines, game % 2 == 0, chance)
        winners[result[0]] += 1
        total_moves += moves
        total_passes += passes
    for engine in engines.values():
        engine.close()
    seconds = time.monotonic() - start
    print(
        f"{arguments.games} games at level {arguments.level}, {total_moves} moves, {total_passes} passes, "
        f"black {winners['B']}, white {winners['W']}, drawn {winners['0']}, {seconds:.1f} s: no illegal move, no hang"
    )


if __name__ == "__main__":
    main()
