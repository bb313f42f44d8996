// The connection to the server: requests out, events in. It comes back by itself after it was lost.

const WAITS = [200, 500, 1000, 2000, 5000];

/** The session of this tab, which outlives a reload; `#g=…` in the address joins that of another tab. */
function sessionName() {
  return new URLSearchParams(location.hash.slice(1)).get("g") ?? sessionStorage.getItem("session");
}

export class Wire {
  #socket = null;
  #next = 1;
  #waiting = new Map();
  #tries = 0;

  /** `hear` gets every event, `connected` whether there is a connection. */
  constructor(hear, connected) {
    this.hear = hear;
    this.connected = connected;
    const token = new URLSearchParams(location.search).get("token");
    if (token) sessionStorage.setItem("token", token);
  }

  connect() {
    const query = new URLSearchParams();
    const session = sessionName();
    const token = sessionStorage.getItem("token");
    if (session) query.set("session", session);
    if (token) query.set("token", token);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#socket = new WebSocket(`${scheme}://${location.host}/ws?${query}`);
    this.#socket.onmessage = (message) => this.#take(JSON.parse(message.data));
    this.#socket.onclose = () => this.#lost();
  }

  /** Sends a request; rejects with the error if it is refused, else resolves with the events it brought, by type. */
  ask(intent) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject({ code: "offline", message: "" });
    const id = this.#next++;
    this.#socket.send(JSON.stringify({ id, intent }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, events: {} }));
  }

  /** Sends a request and gives the event of a type that answers it. */
  async get(intent, type) {
    return (await this.ask(intent))[type];
  }

  #take(event) {
    if (event.type === "hello") {
      this.#tries = 0;
      sessionStorage.setItem("session", event.session);
      if (location.hash) history.replaceState(null, "", `#g=${event.session}`);
      this.connected(true);
    }
    const waiting = this.#waiting.get(event.id);
    if (waiting) {
      this.#waiting.delete(event.id);
      if (event.type === "done") waiting.resolve(waiting.events);
      else waiting.reject(event);
      return;
    }
    // The server answers in order, and what a request brings comes before its `done`.
    for (const { events } of this.#waiting.values()) events[event.type] = event;
    this.hear(event);
  }

  #lost() {
    for (const { reject } of this.#waiting.values()) reject({ code: "offline", message: "" });
    this.#waiting.clear();
    this.connected(false);
    setTimeout(() => this.connect(), WAITS[Math.min(this.#tries++, WAITS.length - 1)]);
  }
}
