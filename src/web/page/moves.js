// The list of moves, and the tree of what was played differently.

import { button, el, mark } from "./dom.js";
import { SIGNS } from "./board.js";
import { opening, t } from "./text.js";

/** Turns of another line that its button shows. */
const SHOWN = 8;

/** How many turns two lists of moves share. */
const common = (one, other) => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
};

export class Moves {
  constructor(app) {
    this.app = app;
    this.list = el("ol", { class: "moves", "aria-label": t("moves"), tabIndex: 0 });
    this.lines = el("div", { class: "lines", role: "group", "aria-label": t("lines") });
    this.opening = el("p", { class: "faint opening" });
    this.node = el("section", { class: "card movelist" }, el("h2", {}, t("moves")), this.opening, this.list, this.lines);
  }

  draw() {
    const { state, review } = this.app;
    if (!state) return;
    const points = new Map((review?.points ?? []).filter((point) => state.turns[point.ply]?.move === point.move).map((point) => [point.ply, point]));
    const items = [this.#item(0, "«", null, t("start"))];
    for (const [index, turn] of state.turns.entries()) {
      const point = points.get(index);
      const text = (turn.move === "pass" ? "—" : turn.move) + (point?.sign ? SIGNS[point.sign] : "");
      const label = [`${index + 1}. ${t(`side_${turn.side}`)}: ${turn.move === "pass" ? t("pass") : turn.move}`, point?.sign && t(`sign_${point.sign}`)].filter(Boolean).join(", ");
      items.push(this.#item(index + 1, text, turn.side, label, point));
    }
    this.list.replaceChildren(...items);
    this.#reveal(this.list.querySelector("[aria-current]"));
    this.opening.textContent = state.opening ? t("opening", { name: opening(state.opening) }) : "";
    const others = state.lines.length > 1;
    this.lines.hidden = !others;
    this.lines.replaceChildren(...(others ? this.#tree() : []));
  }

  /** Scrolls the list, and not the page, to a turn. */
  #reveal(turn) {
    if (!turn) return;
    const { list } = this;
    const [list0, turn0] = [list.getBoundingClientRect(), turn.getBoundingClientRect()];
    if (turn0.top < list0.top || turn0.bottom > list0.bottom) list.scrollTop += turn0.top - list0.top - list.clientHeight / 2;
    if (turn0.left < list0.left || turn0.right > list0.right) list.scrollLeft += turn0.left - list0.left - list.clientWidth / 2;
  }

  #item(ply, text, side, label, point) {
    const { state } = this.app;
    const node = button(null, text, () => this.app.ask({ type: "go_to", ply }), { "aria-label": label, "data-ply": ply, tabIndex: -1 });
    mark(node, "data-side", side);
    mark(node, "aria-current", ply === state.ply ? "step" : null);
    mark(node, "data-undone", ply > state.ply);
    mark(node, "data-sign", point?.sign);
    return el("li", {}, node);
  }

  /** The other lines, each under the one that it leaves. */
  #tree() {
    const { state } = this.app;
    const here = state.turns.map((turn) => turn.move);
    const lines = state.lines.map((line, index) => ({ ...line, index, all: [...here.slice(0, line.shared), ...line.moves] }));
    const others = lines.filter((line) => line.index !== state.line);
    others.sort((one, other) => one.shared - other.shared || one.index - other.index);
    return others.map((line, at) => {
      // Of those before it, the one from which it parts last is its branch.
      const parents = others.slice(0, at).map((other) => common(other.all, line.all));
      const from = Math.max(line.shared, ...parents);
      const depth = new Set(parents.filter((shared) => shared > line.shared)).size;
      const moves = line.all.slice(from);
      const text = moves.length ? moves.slice(0, SHOWN).map((move) => (move === "pass" ? "—" : move)).join(" ") + (moves.length > SHOWN ? " …" : "") : t("line_end");
      const node = button(null, `${from + 1}. ${text}`, () => this.app.ask({ type: "line", line: line.index }), { title: t("line_other"), "data-line": line.index });
      node.style.marginInlineStart = `${0.8 * depth}rem`;
      return node;
    });
  }
}
