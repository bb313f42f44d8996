// The game on the board for others: as text, and as a link that holds it.

import { button, dialog, download, el } from "./dom.js";
import { t } from "./text.js";

export const FORMATS = ["transcript", "ggf", "sgf", "pgn"];

export const formats = (id, more = []) =>
  el("select", { id, "aria-label": t("format") }, [...FORMATS, ...more].map((format) => el("option", { value: format }, t(`format_${format}`))));

/** The game in a link: its text, the turn it stands at, and the side it is seen from; `null` if it holds none. */
export function gameOfLink(link) {
  const values = new URLSearchParams(link.split("#")[1] ?? "");
  if (!values.has("game")) return null;
  const at = values.has("at") ? Number.parseInt(values.get("at"), 10) : null;
  return { text: values.get("game"), at: Number.isInteger(at) && at >= 0 ? at : null, side: values.get("side") };
}

/** A link with a game; any page of Volte opens it. */
export function linkOf(app, text) {
  const values = new URLSearchParams({ game: text.trim(), variant: "othello", at: app.state.ply, side: app.flipped ? "white" : "black" });
  return `${location.origin}${location.pathname}#${values}`;
}

/** A button that copies what a field holds. */
function copier(id, field) {
  const node = button(id, t("copy"), async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Where there is no clipboard, the text is selected at least.
    }
    node.textContent = t("copied");
  });
  return node;
}

export function openShare(app) {
  const format = formats("share-format", ["board"]);
  const text = el("textarea", { id: "share-text", rows: 5, readonly: true, "aria-label": t("share") });
  const link = el("input", { type: "text", id: "share-link", readonly: true, "aria-label": t("link") });
  let name = "volte-game.txt";
  const show = async () => {
    const out = await app.wire.get({ type: "export", format: format.value }, "text");
    text.value = out.text;
    name = out.file_name;
  };
  format.addEventListener("change", () => show().catch((error) => app.fail(error)));
  dialog("share-dialog", t("share"), t("close"),
    el("label", { class: "field" }, t("link"), el("span", { class: "inline" }, link, copier("copy-link", link))),
    el("label", { class: "field" }, t("as_text"), format), text,
    el("div", { class: "bar end" }, copier("copy", text), button("download", t("download"), () => download(name, text.value), { class: "primary" })));
  show().catch((error) => app.fail(error));
  app.wire.get({ type: "export", format: "transcript" }, "text").then((out) => (link.value = linkOf(app, out.text)), (error) => app.fail(error));
}
