// Small helpers to make and change elements.

const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "hidden", "textContent", "id", "tabIndex"]);

/** Makes an element: `on…` are listeners, a few names are properties, the rest are attributes. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) node[name] = value;
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Makes an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...children.flat());
  return node;
}

/** A button with a text and perhaps a sign before it. */
export function button(id, text, onclick, props = {}) {
  return el("button", { type: "button", id, onclick, ...props }, text);
}

/** Sets an attribute or takes it away. */
export function mark(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** A modal dialog with a title and a button that closes it; it is removed when it closes. */
export function dialog(id, title, closeText, ...children) {
  const close = el("button", { type: "button", class: "close", "aria-label": closeText, onclick: () => node.close() }, "×");
  // The focus goes here first, so that the title is read and no button is pressed by chance.
  const heading = el("h2", { id: `${id}-title`, tabIndex: -1, autofocus: true }, title);
  const node = el("dialog", { id, "aria-labelledby": `${id}-title` }, el("header", {}, heading, close), el("p", { class: "told", role: "alert" }), ...children);
  node.addEventListener("close", () => node.remove());
  node.addEventListener("click", (event) => {
    if (event.target === node) node.close();
  });
  document.body.append(node);
  node.showModal();
  return node;
}

/** Lets the person save a text as a file. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
