// The connection to the server: requests out, events in. It comes back by itself after it was lost.

const WAITS = [100, 250, 500, 1000, 2000, 5000];

/** What stands behind `#` in the address. */
export const hashValues = () => new URLSearchParams(location.hash.slice(1));

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

  /** The session of this tab, which outlives a reload. */
  get session() {
    return sessionStorage.getItem("session");
  }

  connect() {
    const query = new URLSearchParams();
    // `#g=…` in the address joins the session of another tab.
    const session = hashValues().get("g") ?? this.session;
    const token = sessionStorage.getItem("token");
    if (session) query.set("session", session);
    if (token) query.set("token", token);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws?${query}`);
    this.#socket = socket;
    socket.onmessage = (message) => socket === this.#socket && this.#take(JSON.parse(message.data));
    socket.onclose = () => socket === this.#socket && this.#lost();
  }

  /** Goes to another session; without a name to a new one. */
  join(session) {
    if (session) sessionStorage.setItem("session", session);
    else sessionStorage.removeItem("session");
    const old = this.#socket;
    this.#refuseWaiting();
    this.connect();
    old?.close();
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
      if (hashValues().has("g")) history.replaceState(null, "", `#g=${event.session}`);
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

  #refuseWaiting() {
    for (const { reject } of this.#waiting.values()) reject({ code: "offline", message: "" });
    this.#waiting.clear();
  }

  #lost() {
    this.#refuseWaiting();
    this.connected(false);
    setTimeout(() => this.connect(), WAITS[Math.min(this.#tries++, WAITS.length - 1)]);
  }
}
