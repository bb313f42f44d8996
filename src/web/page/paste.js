// Text that is pasted, typed or dropped: a game, a board, several games, or a file of them.

import { el, mark } from "./dom.js";
import { names } from "./continue.js";
import { faultText, score, t } from "./text.js";

/** Files are sent as text of this form, since some are no text. */
const asUrl = (file) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result);
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
});

/** A field for text that takes files too. `changed` hears of every change. */
export class DropZone {
  #file = null;

  constructor(id, label, changed) {
    this.changed = changed;
    this.text = el("textarea", { id, rows: 4, "aria-label": label, placeholder: t("paste_hint"), oninput: () => this.#typed() });
    this.chooser = el("input", { type: "file", id: `${id}-file`, "aria-label": t("import_file"), onchange: () => this.chooser.files[0] && this.take(this.chooser.files[0]) });
    this.node = el("div", { class: "drop" }, this.text, el("label", { class: "faint" }, `${t("drop_hint")} `, this.chooser));
    this.node.addEventListener("dragover", (event) => {
      event.preventDefault();
      mark(this.node, "data-over", true);
    });
    this.node.addEventListener("dragleave", () => mark(this.node, "data-over", null));
    this.node.addEventListener("drop", (event) => {
      event.preventDefault();
      mark(this.node, "data-over", null);
      const [file] = event.dataTransfer.files;
      if (file) this.take(file);
      else this.put(event.dataTransfer.getData("text"));
    });
  }

  async take(file) {
    this.#file = await asUrl(file);
    this.text.value = file.name;
    this.changed();
  }

  put(text) {
    this.#file = null;
    this.text.value = text;
    this.changed();
  }

  clear() {
    this.#file = null;
    this.text.value = this.chooser.value = "";
  }

  get isFile() {
    return this.#file !== null;
  }

  get value() {
    return this.#file ?? this.text.value;
  }

  #typed() {
    this.#file = null;
    this.changed();
  }
}

/** A text that is read while it is pasted; of several games one is chosen. */
export class Paste {
  #asked = 0;

  constructor(app) {
    this.app = app;
    this.zone = new DropZone("paste", t("paste"), () => this.read());
    this.answer = el("p", { class: "faint", role: "status" });
    this.games = el("select", { id: "paste-games", size: 5, "aria-label": t("paste_games"), hidden: true });
    this.node = el("div", { class: "paste" }, this.zone.node, this.answer, this.games);
  }

  get value() {
    return { kind: "text", text: this.zone.value, game: Math.max(0, this.games.hidden ? 0 : this.games.selectedIndex) };
  }

  async read() {
    const turn = ++this.#asked;
    const text = this.zone.value;
    try {
      const preview = text.trim() ? await this.app.wire.get({ type: "preview", text }, "preview") : null;
      if (turn !== this.#asked) return;
      this.answer.textContent = preview ? this.#told(preview) : "";
      mark(this.answer, "data-bad", Boolean(preview?.faults.length));
      const several = preview?.total > 1;
      this.games.hidden = !several;
      this.games.replaceChildren(...(several ? preview.games.map((game, index) => this.#option(game, index)) : []));
      this.games.selectedIndex = 0;
    } catch (error) {
      if (turn !== this.#asked) return;
      this.games.hidden = true;
      this.answer.textContent = this.app.errorText(error);
      mark(this.answer, "data-bad", true);
    }
  }

  #told({ moves, total, games, faults }) {
    const what = total > 1 ? t("paste_several", { count: total }) : moves ? t("paste_read", { count: moves }) : t("paste_position");
    const shown = total > games.length ? [t("paste_first", { count: games.length })] : [];
    return [what, ...shown, ...faults.map(faultText)].join("\n");
  }

  #option(game, index) {
    const facts = [game.names.black || game.names.white ? names(game) : null, game.date, t("turns_count", { count: game.moves }), game.score === null ? null : score(game.score, true)];
    return el("option", { value: index }, `${index + 1}. ${facts.filter(Boolean).join(" · ")}`);
  }
}
