// The dialog for a new game: who plays, how strongly, how fast, from where.

import { button, dialog, el, mark } from "./dom.js";
import { grid, SQUARES } from "./board.js";
import { Paste } from "./paste.js";
import { t } from "./text.js";

const CLOCKS = [null, [60, 0], [180, 2], [300, 0], [600, 5], [1800, 0]];
const START = `${"-".repeat(27)}OX------XO${"-".repeat(27)}`;

/** Without clocks Volte gives the eyes time to follow. */
export const pace = (clock) => (clock ? 0 : 450);

/** What a level means, in words. */
export function levelMeaning(app, number) {
  const level = app.hello.levels[number];
  const values = { level: number, depth: level.depth, from: level.perfect_from, elo: level.elo };
  return t(number === 0 ? "level_zero" : level.perfect_from >= 60 ? "level_perfect" : "level_meaning", values);
}

/** A board to set up by hand: `X`, `O` or empty on a click, by the chosen disc. */
class Editor {
  constructor(app) {
    this.app = app;
    this.tool = "X";
    const { node, cells } = grid(t("setup_board"), (square) => this.put(square));
    this.cells = cells;
    this.tools = ["X", "O", "-"].map((tool) =>
      button(`tool-${tool}`, t({ X: "side_black", O: "side_white", "-": "empty" }[tool]), () => this.take(tool)));
    this.side = el("select", { id: "setup-side", "aria-label": t("to_move") },
      el("option", { value: "black" }, t("moves_black")), el("option", { value: "white" }, t("moves_white")));
    const fill = (text, key) => button(null, t(key), () => this.fill(text()));
    this.node = el("div", { class: "editor" },
      el("div", { class: "bar" }, this.tools),
      el("div", { class: "frame small" }, node),
      el("div", { class: "bar" }, this.side, fill(() => START, "setup_start"), fill(() => "-".repeat(64), "setup_clear"),
        fill(() => this.app.state.board.cells, "setup_current")));
    this.fill(app.state.board.cells);
    this.side.value = app.state.board.side;
    this.take("X");
  }

  take(tool) {
    this.tool = tool;
    this.tools.forEach((node, index) => mark(node, "aria-pressed", String("XO-"[index] === tool)));
  }

  put(square) {
    const at = SQUARES.indexOf(square);
    const disc = this.board[at] === this.tool ? "-" : this.tool;
    this.fill(this.board.slice(0, at) + disc + this.board.slice(at + 1));
  }

  fill(board) {
    this.board = board;
    for (const [index, cell] of this.cells.entries()) {
      const color = { X: "black", O: "white" }[board[index]];
      mark(cell, "data-disc", color);
      cell.setAttribute("aria-label", `${SQUARES[index]}, ${color ? t(`side_${color}`) : t("empty")}`);
    }
  }
}

/** Level or time of one engine. */
export class Strength {
  constructor(app, id, player) {
    const level = player?.kind === "engine" && player.level !== null ? player.level : 4;
    const seconds = player?.kind === "engine" && player.move_ms ? player.move_ms / 1000 : 2;
    this.by = el("select", { id: `${id}-by`, "aria-label": t("strength"), onchange: () => this.show() },
      el("option", { value: "level" }, t("by_level")), el("option", { value: "time" }, t("by_time")),
      el("option", { value: "free" }, t("by_clock")));
    this.by.value = player?.kind === "engine" ? (player.move_ms ? "time" : player.level === null ? "free" : "level") : "level";
    this.level = el("input", { type: "range", id: `${id}-level`, min: 0, max: 60, value: level, "aria-label": t("level"), oninput: () => this.show() });
    this.seconds = el("input", { type: "number", id: `${id}-seconds`, min: 0.01, max: 3600, step: "any", value: seconds, "aria-label": t("seconds") });
    this.meaning = el("p", { class: "faint" });
    this.app = app;
    this.title = el("legend", {});
    this.timed = el("label", {}, this.seconds, ` ${t("seconds")}`);
    this.node = el("fieldset", {}, this.title, this.by, this.level, this.timed, this.meaning);
    this.show();
  }

  show() {
    const by = this.by.value;
    this.level.hidden = by !== "level";
    this.timed.hidden = by !== "time";
    this.meaning.textContent = by === "level" ? levelMeaning(this.app, Number(this.level.value)) : t(by === "time" ? "time_meaning" : "clock_meaning");
  }

  player() {
    const by = this.by.value;
    return {
      kind: "engine",
      level: by === "level" ? Number(this.level.value) : null,
      move_ms: by === "time" ? Math.round(1000 * Number(this.seconds.value)) : null,
    };
  }
}

/** Opens the dialog. */
export function openNewGame(app, kind = null) {
  const { players: { black, white }, clock: oldClock } = app.state;
  const who = black.kind === "human" ? (white.kind === "human" ? "two" : "black") : white.kind === "human" ? "white" : "none";
  // Whoever changes sides meets the same opponent.
  const [engine, other] = black.kind === "engine" ? [black, white] : [white, black];
  const strengths = {
    black: new Strength(app, "black", black.kind === "engine" ? black : engine),
    white: new Strength(app, "white", white.kind === "engine" ? white : other.kind === "engine" ? other : engine),
  };
  const radios = ["black", "white", "two", "none"].map((value) =>
    el("label", { class: "choice" }, el("input", { type: "radio", name: "who", value, id: `who-${value}`, checked: value === who, onchange: show }), el("span", {}, t(`who_${value}`))));
  const chosen = () => radios.map((label) => label.firstChild).find((radio) => radio.checked).value;
  const clock = el("select", { id: "clock", "aria-label": t("clock") }, CLOCKS.map((preset, index) =>
    el("option", { value: index }, preset ? t(preset[1] ? "clock_increment" : "clock_main", { minutes: preset[0] / 60, seconds: preset[1] }) : t("clock_none"))));
  clock.append(el("option", { value: "own" }, t("clock_own")));
  const preset = CLOCKS.findIndex((preset) => (preset ? preset[0] * 1000 === oldClock?.main_ms && preset[1] * 1000 === oldClock.increment_ms : !oldClock));
  clock.value = preset < 0 ? "own" : String(preset);
  clock.addEventListener("change", show);
  const minutes = el("input", { type: "number", id: "clock-minutes", min: 0.02, max: 1440, step: "any", value: (oldClock?.main_ms ?? 300000) / 60000 });
  const increment = el("input", { type: "number", id: "clock-seconds", min: 0, max: 3600, step: "any", value: (oldClock?.increment_ms ?? 0) / 1000 });
  const own = el("div", { class: "pair" }, el("label", {}, t("minutes"), minutes), el("label", {}, t("seconds_added"), increment));
  const ponder = el("input", { type: "checkbox", id: "ponder", checked: app.settings.last_game?.ponder ?? false });
  const pondering = el("label", { class: "switch" }, ponder, t("ponder"));
  const start = el("select", { id: "start", "aria-label": t("start_from"), onchange: show },
    ["standard", "handicap1", "handicap2", "handicap3", "handicap4", "board", "text"].map((value) => el("option", { value }, t(`start_${value}`))));
  if (kind) start.value = kind;
  const editor = new Editor(app);
  const paste = new Paste(app);
  const fault = el("p", { class: "fault", role: "alert" });
  const isRunning = app.state.result === null && app.state.turns.length > 0;

  function show() {
    const value = chosen();
    strengths.black.node.hidden = value === "black" || value === "two";
    strengths.white.node.hidden = value === "white" || value === "two";
    const both = value === "none";
    strengths.black.title.textContent = both ? t("strength_of", { side: t("side_black") }) : t("strength");
    strengths.white.title.textContent = both ? t("strength_of", { side: t("side_white") }) : t("strength");
    editor.node.hidden = start.value !== "board";
    paste.node.hidden = start.value !== "text";
    own.hidden = clock.value !== "own";
    pondering.hidden = value === "two" || both;
  }

  async function begin(event) {
    event.preventDefault();
    const value = chosen();
    const human = { kind: "human" };
    const players = {
      black: value === "black" || value === "two" ? human : strengths.black.player(),
      white: value === "white" || value === "two" ? human : strengths.white.player(),
    };
    const from = start.value.startsWith("handicap") ? { kind: "handicap", corners: Number(start.value.at(-1)) }
      : start.value === "board" ? { kind: "board", board: { cells: editor.board, side: editor.side.value } }
        : start.value === "text" ? paste.value : { kind: "standard" };
    const preset = clock.value === "own" ? [60 * Number(minutes.value), Number(increment.value)] : CLOCKS[Number(clock.value)];
    const given = preset && { main_ms: Math.round(preset[0] * 1000), increment_ms: Math.round(preset[1] * 1000) };
    const game = { players, start: from, clock: given, pace_ms: pace(given), ponder: ponder.checked };
    try {
      await app.wire.ask({ type: "new_game", ...game });
      node.close();
      app.flipped = false;
      app.board.draw();
      app.board.focus();
      app.keep({ last_game: { ...game, start: { kind: "standard" } } });
    } catch (error) {
      fault.textContent = app.errorText(error);
    }
  }

  const form = el("form", { onsubmit: begin },
    el("fieldset", { class: "who" }, el("legend", {}, t("who_plays")), radios),
    strengths.black.node, strengths.white.node,
    el("div", { class: "pair" }, el("label", {}, t("clock"), clock), el("label", {}, t("start_from"), start)),
    own, pondering, editor.node, paste.node, fault,
    isRunning ? el("p", { class: "faint", id: "old-is-kept" }, t("old_is_kept")) : "",
    el("div", { class: "bar end" }, el("button", { id: "begin", class: "primary" }, t("begin"))));
  const node = dialog("new-game", t("new_game"), t("close"), form);
  show();
}
