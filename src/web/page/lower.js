// The lower part of the panel: one of several things at a time, or all of them where there is room.

import { el, mark } from "./dom.js";

export class Lower {
  /** `panes` are names, titles and nodes. */
  constructor(panes) {
    this.tabs = panes.map(([name, title, pane]) => el("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `pane-${name}`, onclick: () => this.show(name), onkeydown: (event) => this.#walk(event),
    }, title));
    this.panes = panes.map(([name, title, pane]) => el("section", { id: `pane-${name}`, class: "pane", role: "tabpanel", "aria-label": title, tabIndex: 0 }, el("h2", {}, title), pane));
    this.node = el("div", { id: "lower", class: "card" }, el("div", { role: "tablist", class: "tabs" }, this.tabs), el("div", { class: "panes" }, this.panes));
    this.show(sessionStorage.getItem("pane") ?? panes[0][0]);
  }

  show(name) {
    if (!this.tabs.some((tab) => tab.id === `tab-${name}`)) name = this.tabs[0].id.slice(4);
    sessionStorage.setItem("pane", name);
    for (const tab of this.tabs) {
      const is = tab.id === `tab-${name}`;
      mark(tab, "aria-selected", String(is));
      tab.tabIndex = is ? 0 : -1;
    }
    for (const pane of this.panes) mark(pane, "data-shown", pane.id === `pane-${name}`);
  }

  #walk(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.tabs.indexOf(event.currentTarget);
    const next = this.tabs[(at + way + this.tabs.length) % this.tabs.length];
    next.click();
    next.focus();
  }
}
