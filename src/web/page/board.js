// The board: draws a state, and tells which square was chosen.

import { el, mark } from "./dom.js";
import { score, t } from "./text.js";

const FILES = "abcdefgh";
export const SQUARES = Array.from({ length: 64 }, (_, index) => FILES[index % 8] + (Math.floor(index / 8) + 1));
const COLORS = { X: "black", O: "white" };

/** A grid of 64 buttons with the keys of a grid. `choose` gets the name of a square. */
export function grid(label, choose) {
  const cells = SQUARES.map((name) =>
    el("button", {
      type: "button", role: "gridcell", class: "cell", "data-square": name, tabIndex: -1, onclick: () => choose(name),
    }, el("span", { class: "disc" }), el("span", { class: "mark" })));
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
    const to = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1], Home: [row, 0], End: [row, 7], PageUp: [0, column], PageDown: [7, column] }[event.key];
    if (at < 0 || !to) return;
    event.preventDefault();
    event.stopPropagation();
    const clamp = (value) => Math.min(7, Math.max(0, value));
    cells[8 * clamp(to[0]) + clamp(to[1])].focus();
  });
  return { node, cells };
}

export class Board {
  #cells;
  #before = null;
  #revision = -1;

  constructor(place, app) {
    const { node, cells } = grid(t("board"), (square) => app.choose(square));
    this.#cells = cells;
    this.app = app;
    const files = () => el("div", { class: "files", "aria-hidden": "true" }, [...FILES].map((file) => el("span", {}, file)));
    const ranks = () => el("div", { class: "ranks", "aria-hidden": "true" }, [...FILES].map((_, rank) => el("span", {}, String(rank + 1))));
    this.frame = el("div", { class: "frame" }, files(), ranks(), node);
    place.replaceChildren(this.frame);
  }

  /** Draws everything anew; returns how many discs turned. */
  draw() {
    const { state, settings } = this.app;
    const { cells } = state.board;
    const turns = state.turns.slice(0, state.ply);
    const last = settings.show_last ? turns.findLast((turn) => turn.move !== "pass")?.move : null;
    const legal = new Set(settings.show_legal && state.status === "human" ? state.legal : []);
    const stable = new Set(settings.show_stable ? state.stable : []);
    const hints = this.#hints();
    let turned = 0;
    const next = state.board.side === "black" ? "black" : "white";
    mark(this.frame, "data-next", next);
    mark(this.frame, "data-coordinates", settings.coordinates);
    const fresh = state.revision !== this.#revision;
    for (const [index, cell] of this.#cells.entries()) {
      const name = SQUARES[index];
      const color = COLORS[cells[index]];
      const old = this.#before ? COLORS[this.#before[index]] : color;
      const hint = hints.get(name);
      mark(cell, "data-disc", color);
      mark(cell, "data-legal", legal.has(name));
      mark(cell, "data-last", name === last);
      mark(cell, "data-stable", stable.has(name));
      mark(cell, "data-hint", hint ? (hint.best ? "best" : "other") : null);
      cell.lastChild.textContent = hint ? score(hint.score, hint.exact) : "";
      if (fresh) {
        const turns = color && old && color !== old;
        turned += turns ? 1 : 0;
        mark(cell, "data-move", settings.animation && color !== old && color ? (turns ? "turn" : "place") : null);
      }
      cell.setAttribute("aria-label", this.#label(name, color, state.legal.includes(name), name === last, hint));
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

  #label(name, color, legal, last, hint) {
    const parts = [name, color ? t(`side_${color}`) : t("empty")];
    if (legal && this.app.state.status === "human") parts.push(t("legal_move"));
    if (last) parts.push(t("last_move"));
    if (hint) parts.push(score(hint.score, hint.exact));
    return parts.join(", ");
  }

  focus() {
    this.#cells.find((cell) => cell.tabIndex === 0)?.focus();
  }
}
