// Beside the board: players and clocks, what goes on, and what can be done. No button ever moves or goes: one that has
// nothing to do is dimmed, so that a click that comes late hits no other.

import { button, el, mark } from "./dom.js";
import { keyOf } from "./keys.js";
import { clock, playerText, t } from "./text.js";

/** How a player is called. */
export function playerName(app, side) {
  const player = app.state.players[side];
  if (player.kind === "human") {
    const other = app.state.players[side === "black" ? "white" : "black"];
    return other.kind === "engine" ? app.settings.name || t("you") : t("person");
  }
  return playerText(player, null);
}

export class Panel {
  #seen = 0;

  constructor(app) {
    this.app = app;
    this.rows = { black: this.#row("black"), white: this.#row("white") };
    this.status = el("p", { id: "status" });
    const notice = el("p", { id: "notice", class: "told" });
    const offline = el("p", { id: "offline", role: "alert" });
    const ask = (type) => () => app.ask({ type });
    const go = (to) => () => app.ask({ type: "go_to", ply: to(app.state) });
    const make = (id, text, press, sign = null) => {
      const name = t(text);
      const key = keyOf(id);
      const node = button(id, "", press, { title: key ? `${name} – ${t("key", { key })}` : name, ...(key && { "aria-keyshortcuts": key }) });
      node.append(...(sign ? [el("span", { "aria-hidden": "true", class: "sign" }, sign), el("span", { class: "unseen" }, name)] : [el("span", {}, name)]));
      return node;
    };
    this.buttons = {
      first: make("first", "to_start", go(() => 0), "«"),
      back: make("back", "back", go((state) => Math.max(0, state.ply - 1)), "‹"),
      forward: make("forward", "forward", go((state) => Math.min(state.turns.length, state.ply + 1)), "›"),
      last: make("last", "to_end", go((state) => state.turns.length), "»"),
      share: make("share", "share", () => app.open("share")),
      undo: make("undo", "undo", ask("undo")),
      redo: make("redo", "redo", ask("redo")),
      stop: make("stop", "stop", () => app.ask({ type: app.state.status === "paused" && app.state.busy === null && !app.review?.running ? "resume" : "stop" })),
      now: make("move-now", "move_now", ask("move_now")),
      pass: make("pass", "pass", () => app.choose("pass")),
      hint: make("hint", "hint", () => app.ask({ type: "hint", lines: app.settings.hint_lines })),
      analysis: make("analysis", "analysis", () => app.ask({ type: "analyze", lines: app.state.analysis ? 0 : app.settings.hint_lines })),
      review: make("review", "review_short", () => this.#review()),
      draw: make("draw", "offer_draw", () => app.confirm("confirm_draw", { type: "offer_draw" })),
      resign: make("resign", "resign", () => app.confirm("confirm_resign", { type: "resign" })),
    };
    this.again = button("again", "↻", () => app.again(), { class: "primary sign", "aria-label": t("again"), title: t("again") });
    this.node = el("section", { class: "card players" },
      el("div", { class: "both" }, this.rows.black.node, this.rows.white.node),
      el("div", { class: "said" }, this.status, this.again, notice, offline),
      el("div", { class: "controls", role: "group", "aria-label": t("actions") }, Object.values(this.buttons)));
    setInterval(() => this.drawClocks(), 100);
  }

  #row(side) {
    const name = el("span", { class: "name" });
    const discs = el("span", { class: "discs" });
    const time = el("span", { class: "time" });
    const node = button(null, "", () => this.app.open("players"), { class: "player", "data-side": side });
    const said = (text) => el("span", { class: "unseen" }, text);
    node.append(el("span", { class: "disc", "aria-hidden": "true" }), said(`${t(`side_${side}`)}: `), name, time, discs, said(`. ${t("change_players")}`));
    return { node, name, discs, time };
  }

  #review() {
    this.app.lower.show("graph");
    this.app.ask({ type: this.app.review?.running ? "stop" : "review" });
  }

  draw() {
    const { state } = this.app;
    this.#seen = performance.now();
    const over = state.status === "over";
    for (const side of ["black", "white"]) {
      const row = this.rows[side];
      row.name.textContent = playerName(this.app, side);
      row.discs.textContent = state.discs[side];
      row.node.title = t("change_players");
      mark(row.node, "data-turn", !over && state.board.side === side);
    }
    this.drawClocks();
    this.status.textContent = this.status.title = this.app.statusText();
    mark(this.status, "data-status", state.status);
    this.again.hidden = !over;
    const { buttons } = this;
    const end = state.turns.length;
    const choosing = state.busy === "move";
    const reviewing = this.app.review?.running ?? false;
    const person = state.players.black.kind === "human" || state.players.white.kind === "human";
    const waits = state.status === "paused" && state.busy === null && !reviewing;
    buttons.first.disabled = buttons.back.disabled = buttons.undo.disabled = state.ply === 0;
    buttons.last.disabled = buttons.forward.disabled = buttons.redo.disabled = state.ply === end;
    buttons.pass.disabled = !(state.must_pass && state.status === "human");
    mark(buttons.pass, "data-wanted", !buttons.pass.disabled);
    buttons.stop.lastChild.textContent = t(waits ? "resume" : "stop");
    buttons.stop.disabled = !waits && state.busy === null && !reviewing;
    mark(buttons.stop, "data-wanted", waits);
    buttons.now.disabled = !choosing;
    buttons.hint.disabled = over || choosing;
    mark(buttons.analysis, "aria-pressed", String(state.analysis > 0));
    buttons.analysis.disabled = over && state.analysis === 0;
    buttons.review.disabled = end === 0;
    mark(buttons.review, "aria-pressed", String(reviewing));
    buttons.resign.disabled = over || !person || state.ply < end;
    buttons.draw.disabled = buttons.resign.disabled || choosing;
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
