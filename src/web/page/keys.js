// Shortcuts. A letter is the key where it stands on the keyboard, whatever the layout writes with it.

import { dialog, el } from "./dom.js";
import { t } from "./text.js";

/** Keys that press a button of the page: the place of the key, the button, and how the key is called. */
const BUTTONS = [
  ["ArrowLeft", "back", "←"], ["ArrowRight", "forward", "→"], ["Home", "first", "Home"], ["End", "last", "End"],
  ["BracketLeft", "back", "["], ["BracketRight", "forward", "]"],
  ["KeyU", "undo", "U"], ["KeyR", "redo", "R"], ["KeyH", "hint", "H"], ["KeyA", "analysis", "A"], ["KeyG", "review", "G"],
  ["KeyM", "move-now", "M"], ["KeyP", "pass", "P"], ["Space", "stop", "␣"], ["KeyN", "open-new-game", "N"],
];
/** What the help says besides, a text for each. */
const OTHERS = [["?", "keys_help"], ["← → ↑ ↓", "keys_board"], ["Enter", "keys_enter"], ["Esc", "keys_close"]];

/** How the key of a button is called. */
export const keyOf = (id) => BUTTONS.find(([, button]) => button === id)?.[2];

/** Whether the arrows move on the board: only after the person has gone there by keys. */
let onBoard = false;
let pointing = false;

export const arrowsAreOfBoard = () => onBoard;

export function listen(app) {
  document.addEventListener("pointerdown", () => {
    pointing = true;
    onBoard = false;
    setTimeout(() => (pointing = false), 300);
  });
  document.addEventListener("focusin", (event) => {
    if (!pointing) onBoard = Boolean(event.target.closest(".grid"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, select, textarea, dialog, [role=slider]")) return;
    // Where `?` stands depends on the layout, and it is written by it.
    if (event.key === "?" || (event.code === "Slash" && event.shiftKey)) return app.open("keys");
    // A button that has the focus is pressed by the space bar itself.
    if (event.code === "Space" && event.target.closest("button, summary")) return;
    const id = !event.shiftKey && BUTTONS.find(([code]) => code === event.code)?.[1];
    const node = id && document.getElementById(id);
    if (!node || node.disabled || node.closest("[inert]")) return;
    event.preventDefault();
    node.click();
  });
}

export function openKeys() {
  const row = (key, text) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)];
  const name = (id) => t(`key_${id.replaceAll("-", "_")}`);
  dialog("keys", t("keys"), t("close"), el("dl", { class: "keys" },
    BUTTONS.flatMap(([, id, key]) => row(key, name(id))), OTHERS.flatMap(([key, text]) => row(key, t(text)))));
}
