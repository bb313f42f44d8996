// The graph of a game: the score after each turn from Black's view, with losses marked. A click goes there.

import { button, el, svg } from "./dom.js";
import { score, t } from "./text.js";

const [WIDTH, HEIGHT, LEFT] = [360, 130, 28];

export class Graph {
  constructor(app) {
    this.app = app;
    this.start = button("review", t("review"), () => app.ask({ type: "review" }));
    this.progress = el("p", { class: "faint" });
    this.plot = el("div", { class: "plot" });
    this.worst = el("ul", { class: "worst" });
    this.node = el("section", { class: "card" }, el("h2", {}, t("graph")), this.start, this.progress, this.plot, this.worst);
  }

  draw() {
    const { state, review } = this.app;
    const over = state.result !== null;
    this.node.hidden = !review && !over;
    const busy = state.busy === "review";
    this.start.hidden = busy || state.status === "engine";
    this.start.textContent = review?.finished ? t("review_again") : t("review");
    this.progress.hidden = !busy;
    this.progress.textContent = t("review_progress", { done: review?.points.length ?? 0, all: review?.turns ?? 0 });
    const points = [...(review?.points ?? [])].sort((one, other) => one.ply - other.ply);
    this.plot.replaceChildren(...(points.length ? [this.#plot(points, review.turns)] : []));
    const worst = points.filter((point) => point.loss >= 1).sort((one, other) => other.loss - one.loss).slice(0, 5);
    this.worst.replaceChildren(...worst.map((point) => this.#loss(point)));
  }

  #loss(point) {
    const { turns } = this.app.state;
    const side = turns[point.ply]?.side ?? "black";
    const text = t("loss", { number: point.ply + 1, move: point.move, loss: score(-point.loss, point.exact), best: point.best });
    const go = button(null, text, () => this.app.ask({ type: "go_to", ply: point.ply }), { "data-side": side });
    return el("li", {}, go);
  }

  #plot(points, turns) {
    const { state } = this.app;
    const reach = Math.max(8, ...points.map((point) => Math.abs(point.score)));
    const x = (ply) => LEFT + ((WIDTH - LEFT - 6) * ply) / Math.max(1, turns);
    const y = (value) => HEIGHT / 2 - ((HEIGHT / 2 - 10) * value) / reach;
    const path = points.map((point) => `${x(point.ply + 1).toFixed(1)},${y(point.score).toFixed(1)}`);
    const first = x(points[0].ply + 1).toFixed(1);
    const last = x(points.at(-1).ply + 1).toFixed(1);
    const parts = [
      svg("line", { x1: LEFT, x2: WIDTH, y1: y(0), y2: y(0), class: "axis" }),
      ...[reach, 0, -reach].map((value) => {
        const label = svg("text", { x: LEFT - 5, y: y(value) + 4, class: "label" });
        label.textContent = score(value, true);
        return label;
      }),
      svg("polygon", { points: `${first},${y(0)} ${path.join(" ")} ${last},${y(0)}`, class: "area" }),
      svg("polyline", { points: path.join(" "), class: "curve" }),
      svg("line", { x1: x(state.ply), x2: x(state.ply), y1: 2, y2: HEIGHT - 2, class: "here" }),
      ...points.filter((point) => point.loss >= 2).map((point) => this.#dot(point, x, y)),
      ...points.map((point) => this.#target(point, x, turns)),
    ];
    return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("graph_label") }, parts);
  }

  #dot(point, x, y) {
    return svg("circle", { cx: x(point.ply + 1), cy: y(point.score), r: Math.min(6, 2.5 + point.loss / 4), class: point.loss >= 6 ? "large" : "small" });
  }

  #target(point, x, turns) {
    const width = (WIDTH - LEFT) / Math.max(1, turns);
    const title = svg("title");
    title.textContent = `${point.ply + 1}. ${point.move} ${score(point.score, point.exact)}`;
    const go = () => this.app.ask({ type: "go_to", ply: point.ply + 1 });
    return svg("rect", { x: x(point.ply + 1) - width / 2, y: 0, width, height: HEIGHT, class: "target", onclick: go }, title);
  }
}
