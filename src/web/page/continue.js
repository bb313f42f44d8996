// Games that are not over and can be gone on with.

import { button, dialog, el } from "./dom.js";
import { picture } from "./board.js";
import { date, playerText, t } from "./text.js";

const SHOWN = 6;

/** How the players of a game are called. */
export const names = (game) => ["black", "white"].map((side) => playerText(game.players?.[side], game.names[side])).join(" – ");

/** Goes on with a game: in its session, or in this one if it has none. */
export async function goOn(app, game) {
  if (game.session) app.wire.join(game.session);
  else await app.ask({ type: "open_game", game: game.game });
}

export function openContinue(app, games) {
  const item = (game) => {
    const go = button(null, "", async () => {
      node.close();
      await goOn(app, game);
    }, { class: "opener" });
    const when = `${date(game.time)} · ${t("turns_count", { count: game.ply })}`;
    go.append(picture(game.board.cells, t("board")), el("span", { class: "words" }, el("b", {}, names(game)), el("span", { class: "faint" }, when), el("span", { class: "go" }, t("continue"))));
    return el("li", { "data-session": game.session }, go);
  };
  const node = dialog("continue", t("continue_title"), t("close"), el("p", {}, t("continue_said", { count: games.length })),
    el("ul", { class: "open-games" }, games.slice(0, SHOWN).map(item)),
    games.length > SHOWN ? el("p", { class: "faint" }, t("continue_more")) : "",
    el("div", { class: "bar end" }, button("continue-new", t("new_game"), () => node.close())));
  return node;
}
