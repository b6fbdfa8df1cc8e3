// Talking to the server: everything by HTTP, and live news by WebSocket where there is one.
// @ts-check

const BEAT = 4000;
/** Milliseconds in which something must have been heard. */
const PATIENCE = 10000;
/** And in which a question must be answered that the server holds open, or thinks about. */
const LONG = 45000;

/** @param {string} path @param {object} [message] @param {number} [patience] @returns {Promise<any>} */
export async function ask(path, message, patience = LONG) {
  const signal = AbortSignal.timeout(patience);
  return answered(await fetch(path, message === undefined ? { credentials: "same-origin", signal } : {
    method: "POST",
    credentials: "same-origin",
    signal,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
  }));
}

/** What a form says, sent as it would be without a script. @param {string} path @param {FormData} form @returns {Promise<any>} */
export async function post(path, form) {
  const fields = new URLSearchParams();
  form.forEach((value, name) => fields.append(name, String(value)));
  return answered(await fetch(path, { method: "POST", credentials: "same-origin", headers: { accept: "application/json" }, body: fields }));
}

/** @param {Response} answer @returns {Promise<any>} */
async function answered(answer) {
  const found = await answer.json().catch(() => ({ refused: `The server answered ${answer.status}.` }));
  if (answer.status === 429 || answer.status >= 500) throw new Error(found.refused);
  if (!answer.ok) throw new Refused(found.refused ?? `The server answered ${answer.status}.`);
  return found;
}

/** What the server does not allow, in a sentence: asking again changes nothing. */
export class Refused extends Error {}

/** News of a game for as long as the page is open. It is asked for again after every gap, from the beginning.
 * What is heard is the number of the last event, and the events themselves where they came along.
 * @param {string} game @param {(seq: number, events?: any[]) => void} hear @param {(connected: boolean) => void} standing
 * @param {() => boolean} watches whether this browser sat here and only watches now */
export function follow(game, hear, standing, watches) {
  let wait = 250;
  let failed = 0;
  const again = () => {
    standing(false);
    setTimeout(failed > 2 ? poll : connect, wait);
    wait = Math.min(2 * wait, 8000);
  };
  const connect = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${game}/live${watches() ? "?watch" : ""}`);
    let heard = Date.now();
    const beat = setInterval(() => {
      if (Date.now() - heard > PATIENCE) over(); // a frozen socket stays "open": it is not waited for
      else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ act: "ping", do: "ping" }));
    }, BEAT);
    const over = () => {
      clearInterval(beat);
      [socket.onclose, socket.onmessage] = [null, null];
      socket.close();
      failed += 1;
      again();
    };
    socket.onmessage = (event) => {
      heard = Date.now();
      [wait, failed] = [250, 0];
      standing(true);
      const found = JSON.parse(event.data);
      if (found.table) hear(found.table.seq, found.events);
    };
    socket.onclose = over;
  };
  const poll = async () => {
    const watch = watches() ? "watch" : "";
    try {
      const table = await ask(`/api/games/${game}?${watch}`);
      standing(true);
      hear(table.seq);
      await ask(`/api/games/${game}/events?after=${table.seq}&wait=20&${watch}`);
      [wait, failed] = [250, failed + 1];
      setTimeout(failed % 10 === 0 ? connect : poll, 0);
    } catch (error) {
      if (error instanceof Refused) hear(Infinity); // something here is no longer as it was: the table says what
      again();
    }
  };
  connect();
}

/** Send an act until it is answered: under one name, so that it happens once however often it is sent.
 * What comes back is the number of the last event that it led to.
 * @param {string} game @param {object} act @returns {Promise<number>} */
export async function send(game, act) {
  const named = { act: crypto.getRandomValues(new Uint32Array(4)).join("-"), ...act };
  for (let wait = 250; ; wait = Math.min(2 * wait, 8000)) {
    try {
      const { events } = await ask(`/api/games/${game}/act`, named, PATIENCE);
      return events.length ? events[events.length - 1].seq : 0;
    } catch (error) {
      if (error instanceof Refused) throw error;
      await new Promise((done) => { setTimeout(done, wait); });
    }
  }
}
