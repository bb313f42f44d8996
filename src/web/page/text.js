// Texts of the page in the language of the person. Each language is one table in texts/; a new one needs that table, a
// line here, and a line in assets.rs.

export const LANGUAGES = { en: "English", ru: "Русский" };

let table = {};
let language = "en";

/** Loads a language; without one, that of the browser. */
export async function load(wanted) {
  const known = [wanted, ...navigator.languages.map((name) => name.slice(0, 2))];
  language = known.find((name) => name in LANGUAGES) ?? "en";
  table = await (await fetch(`/texts/${language}.json`)).json();
  document.documentElement.lang = language;
}

/** A text, with its `{names}` filled in. */
export function t(key, values = {}) {
  const text = table[key] ?? key;
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
