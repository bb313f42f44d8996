// The list of moves, and the other lines of the game.

import { button, el, mark } from "./dom.js";
import { t } from "./text.js";

export class Moves {
  constructor(app) {
    this.app = app;
    this.list = el("ol", { class: "moves", "aria-label": t("moves") });
    this.lines = el("div", { class: "lines", role: "group", "aria-label": t("lines") });
    this.opening = el("p", { class: "faint" });
    this.node = el("section", { class: "card" }, el("h2", {}, t("moves")), this.opening, this.list, this.lines);
  }

  draw() {
    const { state, review } = this.app;
    const losses = new Map((review?.points ?? []).map((point) => [point.ply, point.loss]));
    const items = [state.turns.length ? this.#item(0, "«", null, t("start")) : null];
    for (const [index, turn] of state.turns.entries()) {
      const text = turn.move === "pass" ? "—" : turn.move;
      const label = `${index + 1}. ${t(`side_${turn.side}`)}: ${turn.move === "pass" ? t("pass") : turn.move}`;
      items.push(this.#item(index + 1, text, turn.side, label, losses.get(index)));
    }
    this.list.replaceChildren(...items.filter(Boolean));
    this.#reveal(this.list.querySelector("[aria-current]"));
    this.opening.hidden = !state.opening;
    this.opening.textContent = state.opening ? t("opening", { name: state.opening }) : "";
    const others = state.lines.length > 1;
    this.node.hidden = state.turns.length === 0 && !others;
    this.lines.hidden = !others;
    this.lines.replaceChildren(...(others ? state.lines.map((line, index) => this.#line(line, index)) : []));
  }

  /** Scrolls the list, and not the page, to a turn. */
  #reveal(turn) {
    if (!turn) return;
    const [top, bottom] = [turn.offsetTop - this.list.offsetTop, turn.offsetTop - this.list.offsetTop + turn.offsetHeight];
    if (top < this.list.scrollTop || bottom > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = top - this.list.clientHeight / 2;
  }

  #item(ply, text, side, label, loss) {
    const { state } = this.app;
    const node = button(null, text, () => this.app.ask({ type: "go_to", ply }), { "aria-label": label, "data-ply": ply });
    mark(node, "data-side", side);
    mark(node, "aria-current", ply === state.ply ? "step" : null);
    mark(node, "data-undone", ply > state.ply);
    mark(node, "data-loss", loss >= 6 ? "large" : loss >= 2 ? "small" : null);
    return el("li", {}, node);
  }

  #line(line, index) {
    const { state } = this.app;
    const current = index === state.line;
    const where = current ? t("line_current", { length: line.length }) : t("line_other", { ply: line.shared + 1, moves: line.moves.join(" ") });
    return button(null, where, () => this.app.ask({ type: "line", line: index }), { "aria-pressed": String(current) });
  }
}
