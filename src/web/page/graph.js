// The graph of a game: the score after each turn from Black's view, with what was lost. It grows while the game is
// analysed, and is walked by keys, by a click, and by a finger.

import { button, el, mark, svg } from "./dom.js";
import { SIGNS } from "./board.js";
import { score, t } from "./text.js";

const [WIDTH, HEIGHT, LEFT, RIGHT] = [360, 120, 28, 6];

export class Graph {
  #asked = null;

  constructor(app) {
    this.app = app;
    this.progress = el("p", { class: "faint" });
    this.plot = el("div", { class: "plot", role: "slider", tabIndex: 0, "aria-label": t("graph_label"), "aria-valuemin": 0, onkeydown: (event) => this.#key(event) });
    for (const kind of ["pointerdown", "pointermove"]) this.plot.addEventListener(kind, (event) => this.#point(event));
    this.worst = el("ul", { class: "worst" });
    this.node = el("div", {}, this.progress, this.plot, this.worst);
  }

  draw() {
    const { state, review } = this.app;
    if (!state) return;
    const points = [...(review?.points ?? [])].sort((one, other) => one.ply - other.ply);
    this.progress.textContent = !review ? t("review_none") : review.running ? t("review_progress", { done: points.length, all: review.turns }) : t("review_done", { turns: points.length });
    const turns = Math.max(review?.turns ?? 0, state.turns.length);
    this.plot.hidden = !review;
    mark(this.plot, "aria-valuemax", turns);
    mark(this.plot, "aria-valuenow", state.ply);
    const here = points.find((point) => point.ply === state.ply - 1);
    mark(this.plot, "aria-valuetext", here ? this.#said(here) : t("turn_number", { number: state.ply }));
    this.plot.replaceChildren(...(review ? [this.#draw(points, turns)] : []));
    const worst = points.filter((point) => point.sign).sort((one, other) => other.loss - one.loss).slice(0, 6);
    this.worst.replaceChildren(...worst.map((point) => this.#loss(point)));
  }

  #said(point) {
    return `${point.ply + 1}. ${point.move}${point.sign ? SIGNS[point.sign] : ""} ${score(point.score, point.exact)}`;
  }

  #loss(point) {
    const side = this.app.state.turns[point.ply]?.side ?? "black";
    const text = t("loss", { number: point.ply + 1, side: t(`side_${side}`), move: point.move, sign: SIGNS[point.sign], loss: score(-point.loss, point.exact), best: point.best });
    return el("li", {}, button(null, text, () => this.app.ask({ type: "go_to", ply: point.ply }), { "data-side": side, "data-ply": point.ply }));
  }

  /** The turn under a pointer that is pressed. */
  #point(event) {
    if (event.type === "pointermove" && !(event.buttons & 1)) return;
    if (event.type === "pointerdown") this.plot.setPointerCapture?.(event.pointerId);
    const { left, width } = this.plot.getBoundingClientRect();
    const turns = Math.max(1, Number(this.plot.getAttribute("aria-valuemax")));
    const at = (((event.clientX - left) / width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    this.#go(Math.round(at * turns));
  }

  #key(event) {
    const { ply, turns } = this.app.state;
    const to = { ArrowLeft: ply - 1, ArrowDown: ply - 1, ArrowRight: ply + 1, ArrowUp: ply + 1, Home: 0, End: turns.length, PageUp: ply - 10, PageDown: ply + 10 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#go(to);
  }

  /** Goes to a turn, one request at a time: of those that come meanwhile the last one counts. */
  async #go(ply) {
    const to = Math.min(this.app.state.turns.length, Math.max(0, ply));
    const busy = this.#asked !== null;
    this.#asked = to;
    if (busy) return;
    while (this.#asked !== null) {
      const next = this.#asked;
      if (next !== this.app.state.ply) await this.app.ask({ type: "go_to", ply: next });
      if (this.#asked === next) this.#asked = null;
    }
  }

  #draw(points, turns) {
    const { state } = this.app;
    const reach = Math.max(8, ...points.map((point) => Math.abs(point.score)));
    const x = (ply) => LEFT + ((WIDTH - LEFT - RIGHT) * ply) / Math.max(1, turns);
    const y = (value) => HEIGHT / 2 - ((HEIGHT / 2 - 10) * value) / reach;
    const path = points.map((point) => `${x(point.ply + 1).toFixed(1)},${y(point.score).toFixed(1)}`);
    const parts = [
      svg("line", { x1: LEFT, x2: WIDTH, y1: y(0), y2: y(0), class: "axis" }),
      ...[reach, 0, -reach].map((value) => {
        const label = svg("text", { x: LEFT - 5, y: y(value) + 4, class: "label" });
        label.textContent = score(value, true);
        return label;
      }),
    ];
    if (points.length) {
      const [first, last] = [x(points[0].ply + 1).toFixed(1), x(points.at(-1).ply + 1).toFixed(1)];
      parts.push(svg("polygon", { points: `${first},${y(0)} ${path.join(" ")} ${last},${y(0)}`, class: "area" }),
        svg("polyline", { points: path.join(" "), class: "curve" }));
    }
    parts.push(svg("line", { x1: x(state.ply), x2: x(state.ply), y1: 2, y2: HEIGHT - 2, class: "here" }));
    for (const point of points.filter((point) => point.sign)) parts.push(...this.#dot(point, x, y));
    return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, parts);
  }

  #dot(point, x, y) {
    const [cx, cy] = [x(point.ply + 1), y(point.score)];
    const sign = svg("text", { x: cx, y: cy < 20 ? cy + 15 : cy - 6, class: "dot-sign" });
    sign.textContent = SIGNS[point.sign];
    return [svg("circle", { cx, cy, r: 3, class: point.sign }), sign];
  }
}
