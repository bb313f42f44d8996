// Beside the board: players and clocks, what goes on, what can be done, and what the engine thinks.

import { button, el, mark } from "./dom.js";
import { clock, count, score, t } from "./text.js";

/** How a player is called. */
export function playerName(app, side) {
  const player = app.state.players[side];
  if (player.kind === "human") {
    const other = app.state.players[side === "black" ? "white" : "black"];
    return other.kind === "engine" ? app.settings.name || t("you") : t("person");
  }
  if (player.move_ms) return t("volte_time", { seconds: player.move_ms / 1000 });
  return player.level === null ? "Volte" : t("volte_level", { level: player.level });
}

/** A key that presses a button. */
const keys = (key) => ({ "aria-keyshortcuts": key, title: t("key", { key }) });

export class Panel {
  #seen = 0;

  constructor(app) {
    this.app = app;
    this.rows = { black: this.#row("black"), white: this.#row("white") };
    this.status = el("p", { id: "status" });
    const ask = (type) => () => app.ask({ type });
    const go = (to) => () => app.ask({ type: "go_to", ply: to(app.state) });
    this.buttons = {
      first: button("first", "«", go(() => 0), { "aria-label": t("to_start"), title: t("to_start") }),
      back: button("back", "‹", go((state) => state.ply - 1), { "aria-label": t("back"), title: t("back") }),
      undo: button("undo", t("undo"), ask("undo"), keys("u")),
      redo: button("redo", t("redo"), ask("redo"), keys("r")),
      forward: button("forward", "›", go((state) => state.ply + 1), { "aria-label": t("forward"), title: t("forward") }),
      last: button("last", "»", go((state) => state.turns.length), { "aria-label": t("to_end"), title: t("to_end") }),
      pass: button("pass", t("pass"), () => app.choose("pass"), { class: "primary" }),
      resume: button("resume", t("resume"), ask("resume"), { class: "primary" }),
      now: button("move-now", t("move_now"), ask("move_now")),
      stop: button("stop", t("stop"), ask("stop")),
      hint: button("hint", t("hint"), () => app.ask({ type: "hint", lines: app.settings.hint_lines }), keys("h")),
      analysis: button("analysis", t("analysis"), () => app.ask({ type: "analyze", lines: app.state.analysis ? 0 : app.settings.hint_lines }), keys("a")),
      again: button("again", t("again"), () => app.begin(), { class: "primary" }),
      draw: button("draw", t("offer_draw"), () => app.confirm("confirm_draw", { type: "offer_draw" })),
      resign: button("resign", t("resign"), () => app.confirm("confirm_resign", { type: "resign" })),
      share: button("share", t("share"), () => app.open("share")),
    };
    const { first, back, undo, redo, forward, last, pass, resume, now, stop, hint, analysis, draw, resign, share, again } = this.buttons;
    this.numbers = el("p", { class: "faint" });
    this.list = el("ol", { class: "candidates" });
    this.thoughts = el("section", { class: "card", id: "thoughts" }, el("h2", {}, t("thoughts")), this.numbers, this.list);
    this.node = el("div", {},
      el("section", { class: "card players" }, this.rows.black.node, this.rows.white.node, this.status,
        el("div", { class: "bar strong" }, pass, resume, now, stop, again),
        el("div", { class: "bar walk", role: "group", "aria-label": t("walk") }, first, back, undo, redo, forward, last),
        el("div", { class: "bar actions", role: "group", "aria-label": t("actions") }, hint, analysis, share, draw, resign)),
      this.thoughts);
    setInterval(() => this.drawClocks(), 100);
  }

  #row(side) {
    const name = el("span", { class: "name" });
    const discs = el("span", { class: "discs" });
    const time = el("span", { class: "time" });
    const node = el("div", { class: "player", "data-side": side }, el("span", { class: "disc", "aria-hidden": "true" }), name, time, discs);
    return { node, name, discs, time };
  }

  draw() {
    const { state, settings } = this.app;
    this.#seen = performance.now();
    const over = state.status === "over";
    for (const side of ["black", "white"]) {
      const row = this.rows[side];
      row.name.textContent = playerName(this.app, side);
      row.discs.textContent = state.discs[side];
      row.discs.setAttribute("aria-label", t("discs_of", { side: t(`side_${side}`), count: state.discs[side] }));
      mark(row.node, "data-turn", !over && state.board.side === side);
    }
    this.drawClocks();
    this.status.textContent = this.app.statusText();
    mark(this.status, "data-status", state.status);
    const { buttons } = this;
    const end = state.turns.length;
    const choosing = state.busy === "move";
    const person = state.players.black.kind === "human" || state.players.white.kind === "human";
    buttons.first.disabled = buttons.back.disabled = state.ply === 0;
    buttons.last.disabled = buttons.forward.disabled = state.ply === end;
    buttons.undo.disabled = state.ply === 0;
    buttons.redo.disabled = state.ply === end;
    buttons.pass.hidden = !(state.must_pass && state.status === "human");
    buttons.resume.hidden = state.status !== "paused";
    buttons.now.hidden = !choosing;
    buttons.stop.hidden = state.busy === null;
    buttons.again.hidden = !over;
    for (const name of ["hint", "analysis", "draw", "resign"]) buttons[name].hidden = over;
    buttons.hint.disabled = over || choosing;
    mark(buttons.analysis, "aria-pressed", String(state.analysis > 0));
    buttons.analysis.disabled = over && state.analysis === 0;
    buttons.resign.disabled = over || !person || state.ply < end;
    buttons.draw.disabled = buttons.resign.disabled || choosing;
    this.drawThoughts(settings);
  }

  drawThoughts() {
    const { thinking, settings, state } = this.app;
    const old = state.status === "over" && thinking?.purpose === "move";
    const shown = thinking !== null && thinking.purpose !== "draw" && !old;
    this.thoughts.hidden = !shown;
    if (!shown) return;
    const { depth, selectivity } = thinking.lines[0];
    const speed = thinking.ms > 50 ? count((1000 * thinking.nodes) / thinking.ms) : "";
    this.numbers.textContent = t(speed ? "numbers_speed" : "numbers", { depth: selectivity < 100 ? `${depth}@${selectivity}%` : depth, nodes: count(thinking.nodes), speed });
    // The moves of the side whose turn it was; the score is for it.
    const side = thinking.ply === state.ply ? state.board.side : state.turns[thinking.ply]?.side;
    this.list.replaceChildren(...thinking.lines.map((line) => {
      const parts = [el("b", {}, line.move), el("span", { class: "value" }, score(line.score, line.exact))];
      if (settings.show_line) parts.push(el("span", { class: "pv" }, line.pv.slice(1, 12).join(" ")));
      return el("li", { "data-side": side, "data-exact": line.exact }, parts);
    }));
  }

  drawClocks() {
    const { state } = this.app;
    if (!state) return;
    for (const side of ["black", "white"]) {
      const left = state.time_left_ms?.[side];
      const { time } = this.rows[side];
      time.hidden = left === undefined;
      if (left === undefined) continue;
      const running = state.clock_running === side;
      const now = left - (running ? performance.now() - this.#seen : 0);
      time.textContent = clock(now);
      mark(time, "data-running", running);
      mark(time, "data-low", now < 10000);
    }
  }
}
