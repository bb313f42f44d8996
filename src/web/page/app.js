// The page: takes events in, has the parts drawn, sends what the person wants. It knows no rules.

import { Board } from "./board.js";
import { button, el, mark } from "./dom.js";
import { Graph } from "./graph.js";
import { openHistory, openShare } from "./history.js";
import { Moves } from "./moves.js";
import { openNewGame, pace } from "./newgame.js";
import { Panel, playerName } from "./panel.js";
import { openSettings } from "./settings.js";
import { play as sound } from "./sound.js";
import * as texts from "./text.js";
import { Wire } from "./wire.js";

const { t } = texts;
const place = (id) => document.getElementById(id);
const FIRST_OPPONENT = { kind: "engine", level: 4, move_ms: null };
const DIALOGS = { "new-game": openNewGame, history: openHistory, settings: openSettings, share: openShare };

class App {
  hello = null;
  state = null;
  settings = null;
  thinking = null;
  review = null;
  #language = null;
  #isFresh = false;
  /** The revision of the state in which the person moved last. */
  #played = null;

  constructor() {
    this.wire = new Wire((event) => this.hear(event), (connected) => this.connected(connected));
  }

  async hear(event) {
    switch (event.type) {
      case "hello":
        this.hello = event;
        this.#isFresh = !event.resumed;
        this.thinking = this.review = null;
        break;
      case "settings":
        await this.take(event.settings);
        break;
      case "state":
        this.show(event);
        break;
      case "thinking":
        this.thinking = event;
        this.parts?.panel.drawThoughts();
        if (event.purpose === "hint" || event.purpose === "analysis") this.board?.draw();
        break;
      case "review":
        this.review = event;
        this.parts?.graph.draw();
        this.parts?.moves.draw();
        break;
      case "notice":
        this.notice(event);
        break;
      case "error":
        this.fail(event);
        break;
    }
  }

  /** Takes the settings in; a new language builds the page anew. */
  async take(settings) {
    this.settings = settings;
    const root = document.documentElement;
    mark(root, "data-board", settings.board);
    mark(root, "data-discs", settings.discs);
    if (this.#language !== settings.language || !this.parts) {
      this.#language = settings.language;
      await texts.load(settings.language);
      this.build();
    }
    if (this.state) this.draw();
    if (this.#isFresh) this.begin();
  }

  /** A new game begins like the last one, or with an easy one. */
  begin() {
    this.#isFresh = false;
    const human = { kind: "human" };
    const { players, clock } = this.settings.last_game ?? { players: { black: human, white: FIRST_OPPONENT }, clock: null };
    this.ask({ type: "new_game", players, clock, pace_ms: pace(clock) });
  }

  build() {
    document.title = t("title");
    const open = (id, text) => button(`open-${id}`, text, () => this.open(id));
    place("top").replaceChildren(el("h1", {}, "Volte"),
      el("nav", { "aria-label": t("menu") }, open("new-game", t("new_game")), open("history", t("history")), open("settings", t("settings"))),
      el("p", { id: "offline", role: "alert", hidden: true }, t("offline")));
    place("top").querySelector("#open-new-game").classList.add("primary");
    this.board = new Board(place("board"), this);
    this.parts = { panel: new Panel(this), graph: new Graph(this), moves: new Moves(this) };
    place("panel").replaceChildren(this.parts.panel.node, this.parts.graph.node, this.parts.moves.node);
    for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  }

  show(state) {
    const old = this.state;
    this.state = state;
    this.firstBoard ??= Math.round(performance.now());
    const isSame = old && old.ply === state.ply && old.board.cells === state.board.cells;
    // What was thought about another position is over; the thought behind the last move may still be read.
    const behind = this.thinking?.purpose === "move" && state.ply > this.thinking.ply;
    if (!isSame && !behind) this.thinking = null;
    const isReviewed = this.review?.points.every((point) => state.turns[point.ply]?.move === point.move);
    if (!isReviewed && state.busy !== "review") this.review = null;
    if (!this.parts) return;
    const turned = this.draw();
    if (old && state.ply > old.ply) this.announce(state, turned);
    if (old && state.status === "over" && old.status !== "over") this.ended();
  }

  draw() {
    const turned = this.board.draw();
    for (const part of Object.values(this.parts)) part.draw();
    return turned;
  }

  /** Says what was played. */
  announce(state, turned) {
    const turn = state.turns.slice(0, state.ply).findLast((turn) => turn.move !== "pass");
    if (!turn) return;
    if (this.settings.sound) sound("place", turned);
    this.say(t("played", { name: playerName(this, turn.side), move: turn.move }));
  }

  ended() {
    if (this.settings.sound) sound("end");
    this.say(this.statusText());
  }

  /** What goes on, in words. */
  statusText() {
    const { state } = this;
    const side = t(`side_${state.board.side}`);
    const low = side.toLowerCase();
    if (state.status === "over") return this.resultText(state.result);
    if (state.status === "engine") return t("thinking", { name: playerName(this, state.board.side) });
    if (state.status === "paused") return t("paused", { side, low });
    if (state.must_pass) return t("must_pass", { side, low });
    const alone = state.players.black.kind !== state.players.white.kind;
    return t(alone ? "your_turn" : "turn_of", { side, low });
  }

  resultText(result) {
    const { black, white } = this.state.discs;
    const ending = result.ending === "played" ? "" : ` ${t(`why_${result.ending}`)}`;
    const human = ["black", "white"].filter((side) => this.state.players[side].kind === "human");
    const values = { black, white, score: Math.abs(result.score ?? 0), side: result.winner && t(`side_${result.winner}`), low: result.winner && t(`side_${result.winner}`).toLowerCase() };
    const kind = !result.winner ? "drawn" : human.length !== 1 ? "side" : human[0] === result.winner ? "won" : "lost";
    const numbers = result.ending === "played" ? ` ${t("numbers_end", values)}` : "";
    return t(`result_${kind}`, values) + ending + numbers;
  }

  notice(event) {
    if (event.notice === "passed") {
      if (this.settings.sound) sound("pass");
      this.toast(t("passed", { side: t(`side_${event.side}`) }));
    } else if (event.notice === "draw_declined") {
      this.toast(t("draw_declined"));
    } else if (event.notice === "kept" && event.rating !== null) {
      this.toast(t("new_rating", { elo: event.rating }));
    }
  }

  /** A square was chosen, or a pass. */
  choose(move) {
    const { state } = this;
    if (state.status !== "human" || (move !== "pass" && !state.legal.includes(move))) return;
    // A second click on the way to the answer is none.
    if (this.#played === state.revision) return;
    this.#played = state.revision;
    this.ask({ type: "play", move, at: state.ply });
  }

  /** Sends a request; a refusal is shown. */
  async ask(intent) {
    try {
      await this.wire.ask(intent);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Changes some settings. */
  keep(changes) {
    return this.ask({ type: "set_settings", settings: { ...this.settings, ...changes } });
  }

  confirm(question, intent) {
    if (confirm(t(question))) this.ask(intent);
  }

  open(id) {
    if (!document.querySelector("dialog[open]")) DIALOGS[id](this);
  }

  errorText(error) {
    const key = `error_${error.code}`;
    return texts.has(key) ? t(key, { message: error.message }) : error.message;
  }

  fail(error) {
    this.#played = null;
    if (this.parts) this.toast(this.errorText(error), true);
  }

  /** Shows a message for a while. */
  toast(text, isBad = false) {
    const node = el("p", { class: "toast", "data-bad": isBad }, text);
    place("toasts").append(node);
    this.say(text);
    setTimeout(() => node.remove(), isBad ? 6000 : 3000);
  }

  /** Says a text to who listens to the page. */
  say(text) {
    place("live").textContent = text;
  }

  connected(is) {
    const note = place("offline");
    if (note) note.hidden = is;
  }
}

const KEYS = { u: "undo", r: "redo", h: "hint", a: "analysis", "[": "back", "]": "forward" };

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const id = KEYS[event.key] ?? (event.key === "n" ? "open-new-game" : null);
  const node = id && place(id);
  if (node && !node.disabled) node.click();
});

const app = new App();
app.wire.connect();
// For tests and the curious.
window.volte = app;
