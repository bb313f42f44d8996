// Who plays, changed in the middle of a game.

import { button, dialog, el } from "./dom.js";
import { Strength } from "./newgame.js";
import { t } from "./text.js";

export function openPlayers(app) {
  const { players } = app.state;
  const parts = ["black", "white"].map((side) => {
    const player = players[side];
    const other = players[side === "black" ? "white" : "black"];
    const strength = new Strength(app, `${side}-now`, player.kind === "engine" ? player : other);
    strength.title.textContent = t("strength_of", { side: t(`side_${side}`) });
    const who = el("select", { id: `${side}-now-who`, "aria-label": t(`side_${side}`), onchange: show },
      el("option", { value: "human" }, t("a_person")), el("option", { value: "engine" }, "Volte"));
    who.value = player.kind;
    const node = el("fieldset", {}, el("legend", {}, t(`side_${side}`)), who, strength.node);
    return { side, who, strength, node };
  });
  function show() {
    for (const { who, strength } of parts) strength.node.hidden = who.value !== "engine";
  }
  const change = async () => {
    const chosen = Object.fromEntries(parts.map(({ side, who, strength }) => [side, who.value === "engine" ? strength.player() : { kind: "human" }]));
    node.close();
    await app.ask({ type: "set_players", players: chosen });
  };
  const node = dialog("players", t("change_players"), t("close"), ...parts.map((part) => part.node),
    app.state.rated ? el("p", { class: "faint" }, t("change_unrated")) : "",
    el("div", { class: "bar end" }, button("change-players", t("change"), change, { class: "primary" })));
  show();
}
