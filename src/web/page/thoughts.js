// What the engine thinks: the best moves with what is expected after them.

import { button, el } from "./dom.js";
import { count, score, t } from "./text.js";

export class Thoughts {
  constructor(app) {
    this.app = app;
    this.numbers = el("p", { class: "faint numbers" });
    this.list = el("ol", { class: "candidates" });
    this.node = el("div", { id: "thoughts-pane" }, this.numbers, this.list);
  }

  draw() {
    const { thinking, settings, state } = this.app;
    if (!state) return;
    // The other's cards are closed in a game that counts.
    const hidden = state.rated && state.status !== "over" && thinking?.purpose === "move";
    const old = state.status === "over" && thinking?.purpose === "move";
    const shown = thinking !== null && thinking.purpose !== "draw" && !old && !hidden;
    if (!shown) {
      this.numbers.textContent = t(state.rated && state.status !== "over" ? "thoughts_rated" : "thoughts_none");
      this.list.replaceChildren();
      return;
    }
    const { depth, selectivity } = thinking.lines[0];
    const speed = thinking.ms > 50 ? count((1000 * thinking.nodes) / thinking.ms) : "";
    this.numbers.textContent = t(speed ? "numbers_speed" : "numbers", { depth: selectivity < 100 ? `${depth}@${selectivity}%` : depth, nodes: count(thinking.nodes), speed });
    // The moves of the side whose turn it was; the score is for it.
    const side = thinking.ply === state.ply ? state.board.side : state.turns[thinking.ply]?.side;
    this.list.replaceChildren(...thinking.lines.map((line) => {
      const here = thinking.ply === state.ply && thinking.purpose !== "move";
      const go = here ? button(null, line.move, () => this.app.ask({ type: "explore", moves: [line.move], at: state.ply }), { title: t("explore") }) : el("b", {}, line.move);
      const parts = [go, el("span", { class: "value" }, score(line.score, line.exact), line.exact ? el("abbr", { title: t("exact") }, "!") : "")];
      if (settings.show_line) parts.push(el("span", { class: "pv", title: line.pv.join(" ") }, line.pv.slice(1, 16).join(" ")));
      return el("li", { "data-side": side }, parts);
    }));
  }
}
