// The board: draws a state, and tells which square was chosen.

import { el, mark } from "./dom.js";
import { arrowsAreOfBoard } from "./keys.js";
import { score, t } from "./text.js";

const FILES = "abcdefgh";
export const SQUARES = Array.from({ length: 64 }, (_, index) => FILES[index % 8] + (Math.floor(index / 8) + 1));
export const COLORS = { X: "black", O: "white" };
/** What players write behind a bad move. */
export const SIGNS = { dubious: "?!", mistake: "?", blunder: "??" };

/** A grid of 64 buttons with the keys of a grid. `choose` gets the name of a square. */
export function grid(label, choose) {
  const cells = SQUARES.map((name) =>
    el("button", {
      type: "button", role: "gridcell", class: "cell", "data-square": name, tabIndex: -1, onclick: () => choose(name),
    }, el("span", { class: "disc" }), el("span", { class: "mark" }), el("span", { class: "badge", "aria-hidden": "true" })));
  cells[0].tabIndex = 0;
  const rows = Array.from({ length: 8 }, (_, row) => el("div", { role: "row", class: "row" }, cells.slice(8 * row, 8 * row + 8)));
  const node = el("div", { role: "grid", class: "grid", "aria-label": label }, rows);
  node.addEventListener("focusin", (event) => {
    if (!cells.includes(event.target)) return;
    for (const cell of cells) cell.tabIndex = cell === event.target ? 0 : -1;
  });
  node.addEventListener("keydown", (event) => {
    const at = cells.indexOf(document.activeElement);
    const [row, column] = [Math.floor(at / 8), at % 8];
    const way = node.hasAttribute("data-flipped") ? -1 : 1;
    const to = { ArrowUp: [row - way, column], ArrowDown: [row + way, column], ArrowLeft: [row, column - way],
      ArrowRight: [row, column + way], Home: [row, 0], End: [row, 7], PageUp: [0, column], PageDown: [7, column] }[event.key];
    // Whoever went to the board by pointing walks through the game with the arrows.
    if (at < 0 || !to || (!arrowsAreOfBoard() && !node.closest("dialog"))) return;
    event.preventDefault();
    event.stopPropagation();
    const clamp = (value) => Math.min(7, Math.max(0, value));
    cells[8 * clamp(to[0]) + clamp(to[1])].focus();
  });
  return { node, cells };
}

/** A board that is only looked at. */
export function picture(cells, label, last = null) {
  return el("div", { class: "mini", role: "img", "aria-label": label }, [...cells].map((cell, index) =>
    el("span", { "data-disc": COLORS[cell] ?? null, "data-last": SQUARES[index] === last ? "true" : null })));
}

export class Board {
  #cells;
  #before = null;
  #revision = -1;

  constructor(place, app) {
    const { node, cells } = grid(t("board"), (square) => app.choose(square));
    this.#cells = cells;
    this.grid = node;
    this.app = app;
    const files = () => el("div", { class: "files", "aria-hidden": "true" }, [...FILES].map((file) => el("span", {}, file)));
    const ranks = () => el("div", { class: "ranks", "aria-hidden": "true" }, [...FILES].map((_, rank) => el("span", {}, String(rank + 1))));
    this.frame = el("div", { class: "frame" }, files(), ranks(), node);
    place.replaceChildren(this.frame);
  }

  /** Draws everything anew; returns how many discs turned. */
  draw() {
    const { state, settings } = this.app;
    if (!state) return 0;
    const { cells } = state.board;
    const turns = state.turns.slice(0, state.ply);
    const lastTurn = turns.findLast((turn) => turn.move !== "pass");
    const last = settings.show_last ? lastTurn?.move : null;
    const legal = new Set(settings.show_legal && state.status === "human" ? state.legal : []);
    const stable = new Set(settings.show_stable ? state.stable : []);
    const hints = this.#hints();
    const badges = this.#badges();
    let turned = 0;
    mark(this.frame, "data-next", state.board.side);
    mark(this.frame, "data-coordinates", settings.coordinates);
    mark(this.frame, "data-flipped", this.app.flipped);
    mark(this.grid, "data-flipped", this.app.flipped);
    const fresh = state.revision !== this.#revision;
    for (const [index, cell] of this.#cells.entries()) {
      const name = SQUARES[index];
      const color = COLORS[cells[index]];
      const old = this.#before ? COLORS[this.#before[index]] : color;
      const hint = hints.get(name);
      const badge = badges.get(name);
      mark(cell, "data-disc", color);
      mark(cell, "data-legal", legal.has(name));
      mark(cell, "data-last", name === last);
      mark(cell, "data-stable", stable.has(name));
      mark(cell, "data-hint", hint ? (hint.best ? "best" : "other") : null);
      mark(cell, "data-badge", badge?.kind);
      cell.children[1].textContent = hint ? score(hint.score, hint.exact) : "";
      cell.children[2].textContent = badge?.text ?? "";
      if (fresh) {
        const turns = color && old && color !== old;
        turned += turns ? 1 : 0;
        mark(cell, "data-move", settings.animation && color !== old && color ? (turns ? "turn" : "place") : null);
      }
      cell.setAttribute("aria-label", this.#label(name, color, state.legal.includes(name), name === last, hint, badge));
    }
    this.#before = cells;
    this.#revision = state.revision;
    return turned;
  }

  #hints() {
    const { state, thinking } = this.app;
    const shown = thinking && thinking.ply === state.ply
      && (thinking.purpose === "hint" || thinking.purpose === "analysis");
    if (!shown) return new Map();
    return new Map(thinking.lines.map((line, index) => [line.move, { ...line, best: index === 0 }]));
  }

  /** What a review says here: the sign of the last move, that of the next one, and what was better. */
  #badges() {
    const { state, review } = this.app;
    const badges = new Map();
    if (!review || (state.rated && state.status !== "over")) return badges;
    const at = (ply) => review.points.find((point) => point.ply === ply && point.sign && state.turns[ply]?.move === point.move);
    const last = at(state.ply - 1);
    if (last) badges.set(last.move, { kind: last.sign, text: SIGNS[last.sign], said: t(`sign_${last.sign}`) });
    const next = at(state.ply);
    if (next) {
      badges.set(next.move, { kind: next.sign, text: SIGNS[next.sign], said: t(`sign_${next.sign}`) });
      badges.set(next.best, { kind: "better", text: "★", said: t("better") });
    }
    return badges;
  }

  #label(name, color, legal, last, hint, badge) {
    const parts = [name, color ? t(`side_${color}`) : t("empty")];
    if (legal && this.app.state.status === "human") parts.push(t("legal_move"));
    if (last) parts.push(t("last_move"));
    if (hint) parts.push(score(hint.score, hint.exact));
    if (badge) parts.push(badge.said);
    return parts.join(", ");
  }

  /** Shows that nothing can be played on a square. */
  shake(square) {
    const cell = this.#cells[SQUARES.indexOf(square)];
    if (!cell) return;
    cell.removeAttribute("data-refused");
    void cell.offsetWidth;
    mark(cell, "data-refused", true);
    setTimeout(() => mark(cell, "data-refused", null), 900);
  }

  focus() {
    this.#cells.find((cell) => cell.tabIndex === 0)?.focus();
  }
}
