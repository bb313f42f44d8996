// The page: takes events in, has the parts drawn, sends what the person wants. It knows no rules.

import { Board } from "./board.js";
import { button, el, mark } from "./dom.js";
import { Graph } from "./graph.js";
import { openHistory } from "./history.js";
import { listen as listenToKeys, openKeys } from "./keys.js";
import { gameOfLink, openShare } from "./share.js";
import { Moves } from "./moves.js";
import { openNewGame, pace } from "./newgame.js";
import { openContinue } from "./continue.js";
import { Lower } from "./lower.js";
import { Panel, playerName } from "./panel.js";
import { openPlayers } from "./players.js";
import { openSettings } from "./settings.js";
import { play as sound } from "./sound.js";
import * as texts from "./text.js";
import { Thoughts } from "./thoughts.js";
import { hashValues, Wire } from "./wire.js";

const { t } = texts;
const place = (id) => document.getElementById(id);
const FIRST_OPPONENT = { kind: "engine", level: 4, move_ms: null };
const HUMAN = { kind: "human" };
const DIALOGS = {
  "new-game": openNewGame, history: openHistory, settings: openSettings, share: openShare, keys: openKeys, players: openPlayers,
};
/** How long a notice stays, in milliseconds. */
const NOTICE_TIME = 4000;

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
  #noticeTimer = null;
  #lost = false;

  constructor() {
    this.wire = new Wire((event) => this.hear(event), (connected) => this.connected(connected));
  }

  async hear(event) {
    switch (event.type) {
      case "hello":
        // What was counted and thought in another session, or before the server ended, counts no more.
        if (this.hello && this.hello.session !== event.session) this.state = null;
        this.hello = event;
        this.#isFresh = !event.resumed;
        this.#played = null;
        this.thinking = this.review = null;
        if (event.restored || (this.#lost && !event.resumed)) this.#say = event.restored ? "restored" : "new_session";
        this.#lost = false;
        break;
      case "settings":
        await this.take(event.settings);
        break;
      case "state":
        this.show(event);
        break;
      case "thinking":
        this.thinking = event;
        this.parts?.thoughts.draw();
        if (event.purpose === "hint" || event.purpose === "analysis") this.board?.draw();
        break;
      case "review":
        this.review = event;
        if (this.parts && this.state) this.draw();
        break;
      case "notice":
        this.notice(event);
        break;
      case "error":
        this.fail(event);
        break;
    }
  }

  /** What to say when the page has been drawn. */
  #say = null;

  /** Takes the settings in; a new language builds the page anew, and the settings stay open in it. */
  async take(settings) {
    this.settings = settings;
    const root = document.documentElement;
    mark(root, "data-board", settings.board);
    mark(root, "data-discs", settings.discs);
    mark(root, "data-theme", settings.theme === "auto" ? null : settings.theme);
    if (this.#language !== settings.language || !this.parts) {
      this.#language = settings.language;
      await texts.load(settings.language);
      const open = [...document.querySelectorAll("dialog")].map((node) => node.id);
      this.build();
      if (open.includes("settings")) {
        this.open("settings");
        place("set-language").focus();
      }
    }
    if (this.state) this.draw();
    if (this.#isFresh) this.begin();
  }

  /** What a session without a game begins with: the game of the address, or one like the last; others can be gone on with. */
  async begin() {
    this.#isFresh = false;
    const linked = gameOfLink(location.href);
    if (linked) return this.openLink(linked);
    await this.again();
    const open = await this.wire.get({ type: "list_open" }, "open_games").catch(() => null);
    const others = open?.games.filter((game) => game.session === null || game.session !== this.hello.session) ?? [];
    if (others.length) openContinue(this, others);
  }

  /** A new game like the last one, or an easy one. */
  again() {
    const { players, clock, ponder } = this.settings.last_game ?? { players: { black: HUMAN, white: FIRST_OPPONENT }, clock: null };
    return this.ask({ type: "new_game", players, clock, pace_ms: pace(clock), ponder: ponder ?? false });
  }

  /** Puts the game of a link on the board. */
  async openLink({ text, at, side }) {
    const { state } = this;
    const moves = text.includes(";") ? null : text.match(/[a-h][1-8]/gi)?.join("").toLowerCase() ?? "";
    const here = state?.turns.map((turn) => turn.move).filter((move) => move !== "pass").join("");
    if (state && moves !== null && moves === here && state.turns.length) {
      if (at !== null) await this.ask({ type: "go_to", ply: Math.min(at, state.turns.length) });
      return;
    }
    await this.ask({ type: "new_game", players: { black: HUMAN, white: HUMAN }, start: { kind: "text", text }, pace_ms: 0 });
    this.flipped = side === "white";
    if (at !== null && at < this.state.turns.length) await this.ask({ type: "go_to", ply: at });
    this.board?.draw();
  }

  /** The address has changed while the page is open. */
  hashChanged() {
    const linked = gameOfLink(location.href);
    const session = hashValues().get("g");
    if (linked) this.openLink(linked);
    else if (session && session !== this.hello?.session) this.wire.join(session);
  }

  build() {
    document.title = t("title");
    const open = (id, text, props) => button(`open-${id}`, text, () => this.open(id), props);
    const sign = (id, text, name) => open(id, text, { "aria-label": name, title: name, class: "sign" });
    place("top").replaceChildren(el("h1", {}, "Volte"),
      el("nav", { "aria-label": t("menu") },
        open("new-game", t("new_game"), { class: "primary" }), open("history", t("history")),
        el("span", { class: "gap" }),
        sign("keys", "?", t("keys")),
        button("theme", "◐", () => this.switchTheme(), { "aria-label": t("switch_theme"), title: t("switch_theme"), class: "sign" }),
        sign("settings", "⚙", t("settings"))));
    this.board = new Board(place("board"), this);
    this.parts = { panel: new Panel(this), moves: new Moves(this), thoughts: new Thoughts(this), graph: new Graph(this) };
    const { panel, moves, thoughts, graph } = this.parts;
    this.lower = new Lower([["thoughts", t("thoughts"), thoughts.node], ["graph", t("graph"), graph.node]]);
    place("panel").replaceChildren(panel.node, moves.node, this.lower.node);
    for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
    this.connected(!this.#lost);
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
    if (!isReviewed) this.review = null;
    if (!this.parts) return;
    const turned = this.draw();
    if (old && state.ply > old.ply) this.announce(state, turned);
    if (old && state.status === "over" && old.status !== "over") this.ended();
    if (this.#say) this.toast(t(this.#say));
    this.#say = null;
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
    } else if (event.notice === "kept" && event.unfinished) {
      this.toast(t("kept_unfinished"));
    } else if (event.notice === "kept" && event.rating !== null) {
      this.toast(t("new_rating", { elo: event.rating }));
    }
  }

  /** A square was chosen, or a pass. */
  choose(move) {
    const { state } = this;
    if (state.status === "over") return this.refuse(move, t("error_game_over"));
    if (state.status !== "human") return this.refuse(move, t("not_now", { status: this.statusText() }));
    if (move !== "pass" && !state.legal.includes(move)) {
      return this.refuse(move, t(state.must_pass ? "must_pass_first" : "illegal", { square: move, side: t(`side_${state.board.side}`) }));
    }
    // A second click on the way to the answer is none.
    if (this.#played === state.revision) return;
    this.#played = state.revision;
    this.ask({ type: "play", move, at: state.ply });
  }

  /** Shows that nothing can be played on a square. */
  refuse(square, reason) {
    this.board.shake(square);
    this.toast(reason, true);
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

  /** To the other of light and dark. */
  switchTheme() {
    const isDark = this.settings.theme === "dark" || (this.settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
    this.keep({ theme: isDark ? "light" : "dark" });
  }

  confirm(question, intent) {
    if (confirm(t(question))) this.ask(intent);
  }

  open(id) {
    if (!document.querySelector("dialog[open]") && this.state) DIALOGS[id](this);
  }

  errorText(error) {
    if (error.fault) return texts.faultText(error.fault);
    const key = `error_${error.code}`;
    return texts.has(key) ? t(key, { message: error.message }) : error.message;
  }

  fail(error) {
    this.#played = null;
    if (this.parts) this.toast(this.errorText(error), true);
  }

  /** Shows a message for a while, in the place that is kept for it, or in the dialog that is open. */
  toast(text, isBad = false) {
    this.say(text);
    const node = (isBad && document.querySelector("dialog[open] .told")) || place("notice");
    node.textContent = text;
    mark(node, "data-bad", isBad);
    node.title = text;
    clearTimeout(this.#noticeTimer);
    this.#noticeTimer = setTimeout(() => (node.textContent = node.title = ""), NOTICE_TIME * (isBad ? 1.5 : 1));
  }

  /** Says a text to who listens to the page. */
  say(text) {
    place("live").textContent = text;
  }

  /** Without the server nothing can be pressed. */
  connected(is) {
    this.#lost ||= !is;
    mark(document.body, "data-offline", !is);
    place("main").inert = place("top").inert = !is;
    for (const node of document.querySelectorAll("dialog[open] :is(button:not(.close), input, select, textarea)")) node.inert = !is;
    const node = place("offline");
    if (node) node.textContent = is ? "" : t("offline");
  }
}

const app = new App();
listenToKeys(app);
addEventListener("hashchange", () => app.hashChanged());
app.wire.connect();
// For tests and the curious.
window.volte = app;
