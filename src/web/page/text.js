// Texts of the page in the language of the person. Each language is one table in texts/; a new one needs that table, a
// line here, and a line in assets.rs.

export const LANGUAGES = { en: "English", ja: "日本語", ru: "Русский" };

let table = {};
let language = "en";
let plurals = new Intl.PluralRules("en");

/** Loads a language; without one, that of the browser. */
export async function load(wanted) {
  const known = [wanted, ...navigator.languages.map((name) => name.slice(0, 2))];
  const next = known.find((name) => name in LANGUAGES) ?? "en";
  table = await (await fetch(`/texts/${next}.json`)).json();
  language = next;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

/** A text, with its `{names}` filled in. One that counts has a form for each kind of number: `by` names the value. */
export function t(key, values = {}) {
  let text = table[key] ?? key;
  if (typeof text === "object") text = text[plurals.select(values[text.by])] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Whether there is such a text. */
export const has = (key) => key in table;

/** A score in discs, with its sign. */
export function score(value, exact) {
  const rounded = exact ? Math.round(value) : Math.round(value * 10) / 10;
  const text = exact ? String(Math.abs(rounded)) : Math.abs(rounded).toFixed(1);
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "";
  return sign + text.replace(".", language === "ru" ? "," : ".");
}

/** A large number, short. */
export const count = (number) =>
  new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(number);

/** A day and an hour. */
export const date = (seconds) =>
  new Date(seconds * 1000).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

/** Time on a clock. */
export function clock(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The name of an opening. */
export const opening = (name) => (has(`opening_${name}`) ? t(`opening_${name}`) : name);

/** How a player of a kept game is called; `name` is what the game says. */
export function playerText(player, name) {
  if (player?.kind === "engine") {
    if (player.move_ms) return t("volte_time", { seconds: player.move_ms / 1000 });
    return player.level === null ? "Volte" : t("volte_level", { level: player.level });
  }
  return !name || name === "?" ? t("unknown") : player?.kind === "human" && name === "Player" ? t("person") : name;
}

/** What is wrong with a text that was pasted. */
export function faultText(fault) {
  const what = t(`fault_${fault.kind}`, { text: fault.text, number: fault.number, side: fault.side && t(`side_${fault.side}`) });
  const at = [fault.line && t("at_line", { number: fault.line }), fault.game && t("at_game", { number: fault.game }),
    fault.kind !== "cells" && fault.number && t("at_move", { number: fault.number })].filter(Boolean);
  return at.length ? `${at.join(", ")}: ${what}` : what;
}
