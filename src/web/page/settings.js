// The dialog of settings. Each change is kept at once.

import { dialog, el } from "./dom.js";
import { LANGUAGES, t } from "./text.js";
import { levelMeaning } from "./newgame.js";

export const BOARDS = ["green", "blue", "wood", "grey"];
export const DISCS = ["classic", "ivory", "contrast"];
export const THEMES = ["auto", "light", "dark"];
const SWITCHES = ["show_legal", "show_last", "show_stable", "show_line", "coordinates", "animation", "sound", "auto_pass"];

export function openSettings(app) {
  const { settings } = app;
  const select = (name, options, value = settings[name]) => {
    const node = el("select", { id: `set-${name}`, onchange: () => app.keep({ [name]: node.value || null }) },
      options.map(([option, text]) => el("option", { value: option }, text)));
    node.value = value ?? "";
    return el("label", { class: "field" }, t(`set_${name}`), node);
  };
  const toggle = (name) => {
    const box = el("input", { type: "checkbox", id: `set-${name}`, checked: settings[name], onchange: () => app.keep({ [name]: box.checked }) });
    return el("label", { class: "switch" }, box, t(`set_${name}`));
  };
  const number = (name, min, max, meaning) => {
    const said = el("span", { class: "faint" });
    const say = () => (said.textContent = meaning(Number(node.value)));
    const node = el("input", { type: "range", id: `set-${name}`, min, max, value: settings[name], oninput: say, onchange: () => app.keep({ [name]: Number(node.value) }) });
    say();
    return el("label", { class: "field" }, t(`set_${name}`), node, said);
  };
  const name = el("input", { type: "text", id: "set-name", maxlength: 40, value: settings.name, onchange: () => app.keep({ name: name.value }) });
  dialog("settings", t("settings"), t("close"),
    el("div", { class: "pair" },
      select("language", [["", t("language_browser")], ...Object.entries(LANGUAGES)]),
      el("label", { class: "field" }, t("set_name"), name)),
    el("div", { class: "pair" },
      select("board", BOARDS.map((board) => [board, t(`board_${board}`)])),
      select("discs", DISCS.map((discs) => [discs, t(`discs_${discs}`)]))),
    select("theme", THEMES.map((theme) => [theme, t(`theme_${theme}`)])),
    el("div", { class: "switches" }, SWITCHES.map(toggle)),
    number("hint_lines", 1, 33, (lines) => String(lines)),
    number("hint_level", 0, 30, (level) => levelMeaning(app, level)));
}
