// Tower Defense Duel on boardgame.io, by the same rules: whoever stands exactly 15 tall wins, and the bell rings
// after 200 turns. `node boardgame.js MODULES PORT LOBBY [FOLDER]` serves it from memory,
// or from files in a folder; games are made at the port of the lobby.
"use strict";

const { createRequire } = require("node:module");
const path = require("node:path");

const [modules, port, lobby, folder] = process.argv.slice(2);
const from = createRequire(path.join(path.resolve(modules), "index.js"));
const { FlatFile, Server } = from("boardgame.io/server");
const { INVALID_MOVE } = from("boardgame.io/core");

const GOAL = 15;
const BELL = 200;
const HEIGHTS = [1, 2, 4];

const tower = {
  name: "tower",
  setup: () => ({ towers: [0, 0] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    build: ({ G, ctx }, units) => {
      if (!HEIGHTS.includes(Number(units))) return INVALID_MOVE;
      G.towers[Number(ctx.currentPlayer)] += Number(units);
      return undefined;
    },
    attack: ({ G, ctx }) => {
      const other = 1 - Number(ctx.currentPlayer);
      if (G.towers[other] < 3) return INVALID_MOVE;
      G.towers[other] -= 3;
      return undefined;
    },
  },
  endIf: ({ G, ctx }) => {
    for (const seat of [0, 1]) {
      if (G.towers[seat] === GOAL) return { winner: String(seat) };
      if (G.towers[seat] > GOAL) return { winner: String(1 - seat) };
    }
    return ctx.turn > BELL ? { draw: true } : undefined;
  },
};

const db = folder ? new FlatFile({ dir: folder }) : undefined;
const server = Server({ games: [tower], origins: [], ...(db ? { db } : {}) });
server.run({
  port: Number(port),
  lobbyConfig: { apiPort: Number(lobby) },
  callback: () => console.log("listening"),
});
