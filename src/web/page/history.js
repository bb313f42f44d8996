// Kept games, the rating, and games that come and go as text.

import { goOn, names } from "./continue.js";
import { button, dialog, download, el, mark, svg } from "./dom.js";
import { DropZone } from "./paste.js";
import { formats } from "./share.js";
import { date, faultText, score, t } from "./text.js";

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
  const search = el("input", { type: "search", id: "search-games", "aria-label": t("search"), placeholder: t("search_hint"), oninput: () => load(true) });
  let shown = 0;
  let asked = 0;

  async function load(anew) {
    const turn = ++asked;
    shown = anew ? 0 : shown;
    const answer = await app.wire.get({ type: "list_games", starred: starred.checked, search: search.value, skip: shown }, "games");
    // A later question has its own answer.
    if (turn !== asked) return;
    if (anew) list.replaceChildren();
    list.append(...answer.games.map(item));
    shown += answer.games.length;
    more.hidden = shown >= answer.total;
    empty.hidden = shown > 0;
    empty.textContent = t(search.value.trim() || starred.checked ? "none_found" : "no_games");
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
      node.close();
      if (game.ending === "unfinished") await goOn(app, game);
      else await app.ask({ type: "open_game", game: game.game });
    };
    const remove = button(null, "✕", async () => {
      if (!confirm(t("confirm_delete"))) return;
      await app.ask({ type: "delete_game", game: game.game });
      row.remove();
    }, { class: "quiet", "aria-label": t("delete") });
    const who = el("span", { class: "names" }, names(game));
    const facts = el("span", { class: "faint" }, [date(game.time), game.human && t(`side_${game.human}`), t("moves_count", { count: game.moves }), game.rated ? t("rated") : null].filter(Boolean).join(" · "));
    const opener = button(null, "", open, { class: "opener" });
    opener.append(who, facts);
    const row = el("li", { "data-game": game.game }, star, opener, el("span", { class: "score" }, result, el("span", { class: "faint" }, detail)), remove);
    return row;
  }

  const zone = new DropZone("import-text", t("import_text"), () => zone.isFile && bring());
  const answer = el("p", { class: "faint", role: "status" });
  const bring = async () => {
    try {
      const imported = await app.wire.get({ type: "import_games", text: zone.value }, "imported");
      answer.textContent = t("imported", { kept: imported.kept, skipped: imported.skipped.length }) + imported.faults.slice(0, 3).map((fault) => `\n${faultText(fault)}`).join("");
      zone.clear();
      load(true);
    } catch (error) {
      answer.textContent = app.errorText(error);
    }
  };
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
    el("div", { class: "inline" }, search, el("label", { class: "switch" }, starred, t("only_starred"))), empty, list, more,
    el("details", {}, el("summary", {}, t("import_export")), zone.node,
      el("div", { class: "bar" }, button("import", t("import"), bring)),
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
