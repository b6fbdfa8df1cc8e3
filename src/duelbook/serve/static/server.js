// Talking to the server: everything by HTTP, and live news by WebSocket where there is one.
// @ts-check

/** @param {string} path @param {object} [message] @returns {Promise<any>} */
export async function ask(path, message) {
  const asked = message === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
  };
  const answer = await fetch(path, { credentials: "same-origin", ...asked });
  const found = await answer.json().catch(() => ({ refused: `The server answered ${answer.status}.` }));
  if (!answer.ok) throw new Refused(found.refused ?? `The server answered ${answer.status}.`);
  return found;
}

/** What the server does not allow, in a sentence: asking again changes nothing. */
export class Refused extends Error {}

const BEAT = 4000;
const PATIENCE = 10000;

/** News of a game for as long as the page is open. It is asked for again after every gap, from the beginning.
 * @param {string} game @param {(table: any) => void} hear @param {(connected: boolean) => void} standing */
export function follow(game, hear, standing) {
  let wait = 250;
  let failed = 0;
  const again = () => {
    standing(false);
    setTimeout(failed > 2 ? poll : connect, wait);
    wait = Math.min(2 * wait, 8000);
  };
  const connect = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${game}/live`);
    let heard = Date.now();
    const beat = setInterval(() => {
      if (Date.now() - heard > PATIENCE) socket.close();
      else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ act: "ping", do: "ping" }));
    }, BEAT);
    const over = () => {
      clearInterval(beat);
      socket.onclose = null;
      failed += 1;
      again();
    };
    socket.onmessage = (event) => {
      heard = Date.now();
      [wait, failed] = [250, 0];
      standing(true);
      const found = JSON.parse(event.data);
      if (found.table) hear(found.table);
    };
    socket.onclose = over;
  };
  const poll = async () => {
    try {
      const table = await ask(`/api/games/${game}`);
      standing(true);
      hear(table);
      await ask(`/api/games/${game}/events?after=${table.seq}&wait=20`);
      [wait, failed] = [250, failed + 1];
      setTimeout(failed % 10 === 0 ? connect : poll, 0);
    } catch {
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
      const { events } = await ask(`/api/games/${game}/act`, named);
      return events.length ? events[events.length - 1].seq : 0;
    } catch (error) {
      if (error instanceof Refused) throw error;
      await new Promise((done) => { setTimeout(done, wait); });
    }
  }
}
