// Kept games, the rating, and games that come and go as text.

import { button, dialog, download, el, mark, svg } from "./dom.js";
import { date, score, t } from "./text.js";

const FORMATS = ["transcript", "ggf", "sgf", "pgn"];

const formats = (id, more = []) =>
  el("select", { id, "aria-label": t("format") }, [...FORMATS, ...more].map((format) => el("option", { value: format }, t(`format_${format}`))));

/** How a game ended for the person: won, lost, drawn, or who won if nobody or both are the person. */
function outcome(game) {
  if (game.ending === "unfinished") return "unfinished";
  if (game.winner === null) return "drawn";
  if (game.human === null) return `won_${game.winner}`;
  return game.winner === game.human ? "won" : "lost";
}

export function openHistory(app) {
  const list = el("ul", { class: "games" });
  const more = button("more-games", t("more"), () => load(false));
  const starred = el("input", { type: "checkbox", id: "only-starred", onchange: () => load(true) });
  const empty = el("p", { class: "faint" }, t("no_games"));
  const rating = el("div", { class: "rating" });
  let shown = 0;

  async function load(anew) {
    shown = anew ? 0 : shown;
    const answer = await app.wire.get({ type: "list_games", starred: starred.checked, skip: shown }, "games");
    if (anew) list.replaceChildren();
    list.append(...answer.games.map(item));
    shown += answer.games.length;
    more.hidden = shown >= answer.total;
    empty.hidden = shown > 0;
  }

  function item(game) {
    const how = outcome(game);
    const result = el("span", { class: "result", "data-outcome": how }, t(`outcome_${how}`));
    // For the person if one played, else for the winner.
    const loses = game.human ? game.human === "white" : game.winner === "white";
    const detail = game.score !== null ? score(loses ? -game.score : game.score, true) : game.ending === "played" || game.ending === "unfinished" ? "" : t(`ending_${game.ending}`);
    const star = button(null, game.starred ? "★" : "☆", async () => {
      await app.ask({ type: "star_game", game: game.game, starred: !game.starred });
      game.starred = !game.starred;
      star.textContent = game.starred ? "★" : "☆";
      mark(star, "aria-pressed", String(game.starred));
    }, { class: "star", "aria-label": t("star"), "aria-pressed": String(game.starred) });
    const open = async () => {
      await app.ask({ type: "open_game", game: game.game });
      node.close();
    };
    const remove = button(null, "✕", async () => {
      if (!confirm(t("confirm_delete"))) return;
      await app.ask({ type: "delete_game", game: game.game });
      row.remove();
    }, { class: "quiet", "aria-label": t("delete") });
    const names = el("span", { class: "names" }, `${game.names.black} – ${game.names.white}`);
    const facts = el("span", { class: "faint" }, [date(game.time), game.human && t(`side_${game.human}`), t("moves_count", { count: game.moves }), game.rated ? t("rated") : null].filter(Boolean).join(" · "));
    const opener = button(null, "", open, { class: "opener" });
    opener.append(names, facts);
    const row = el("li", { "data-game": game.game }, star, opener, el("span", { class: "score" }, result, el("span", { class: "faint" }, detail)), remove);
    return row;
  }

  const text = el("textarea", { id: "import-text", rows: 3, "aria-label": t("import_text"), placeholder: t("paste_hint") });
  const answer = el("p", { class: "faint", role: "status" });
  const bring = async () => {
    try {
      const imported = await app.wire.get({ type: "import_games", text: text.value }, "imported");
      answer.textContent = t("imported", { kept: imported.kept, skipped: imported.skipped.length }) + imported.skipped.slice(0, 3).map((line) => `\n${line}`).join("");
      text.value = "";
      load(true);
    } catch (error) {
      answer.textContent = app.errorText(error);
    }
  };
  const file = el("input", { type: "file", id: "import-file", "aria-label": t("import_file"), onchange: async () => {
    if (!file.files[0]) return;
    text.value = await file.files[0].text();
    bring();
  } });
  const format = formats("export-format");
  const take = async () => {
    try {
      const out = await app.wire.get({ type: "export_games", games: [], format: format.value }, "text");
      download(out.file_name, out.text);
    } catch (error) {
      app.fail(error);
    }
  };
  const node = dialog("history", t("history"), t("close"),
    rating,
    el("label", { class: "switch" }, starred, t("only_starred")), empty, list, more,
    el("details", {}, el("summary", {}, t("import_export")), text,
      el("div", { class: "bar" }, button("import", t("import"), bring), file),
      answer, el("div", { class: "bar" }, format, button("export", t("export_all"), take))));
  load(true).catch((error) => app.fail(error));
  app.wire.get({ type: "rating" }, "rating").then((found) => rating.replaceChildren(...course(found)), (error) => app.fail(error));
}

/** The rating and its course. */
function course(rating) {
  if (rating.games === 0) return [el("p", { class: "faint" }, t("no_rating"))];
  const elos = rating.course.map((point) => point.elo);
  const [low, high] = [Math.min(...elos) - 20, Math.max(...elos) + 20];
  const x = (index) => 6 + (348 * index) / Math.max(1, elos.length - 1);
  const y = (elo) => 64 - (58 * (elo - low)) / (high - low);
  const dots = rating.course.map((point, index) => svg("circle", { cx: x(index), cy: y(point.elo), r: 3, class: ["lost", "drawn", "won"][point.half_points] }));
  const line = svg("polyline", { class: "curve", points: elos.map((elo, index) => `${x(index)},${y(elo)}`).join(" ") });
  return [
    el("p", {}, el("b", {}, t("rating_now", { elo: rating.elo })), el("span", { class: "faint" }, ` ${t("rating_games", { games: rating.games })}`)),
    svg("svg", { viewBox: "0 0 360 70", role: "img", "aria-label": t("rating_course") }, line, dots),
  ];
}

/** The game on the board as text. */
export function openShare(app) {
  const format = formats("share-format", ["board"]);
  const text = el("textarea", { id: "share-text", rows: 6, readonly: true, "aria-label": t("share") });
  let name = "volte-game.txt";
  const show = async () => {
    const out = await app.wire.get({ type: "export", format: format.value }, "text");
    text.value = out.text;
    name = out.file_name;
  };
  format.addEventListener("change", () => show().catch((error) => app.fail(error)));
  const copy = button("copy", t("copy"), async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
    } catch {
      // Where there is no clipboard, the text is selected at least.
    }
    copy.textContent = t("copied");
  });
  dialog("share-dialog", t("share"), t("close"), format, text,
    el("div", { class: "bar end" }, copy, button("download", t("download"), () => download(name, text.value), { class: "primary" })));
  show().catch((error) => app.fail(error));
}
