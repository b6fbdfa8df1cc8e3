#!/usr/bin/env node
// A bot that learns one thing: which moves it has made least often in this game. It prefers those, so that nobody
// can foresee it for long, and keeps away from building too high.
const readline = require("node:readline");

let game = "";
let position = [];
let made = new Map();

function tooHigh(move, seat) {
  const units = Number(move.split("_")[1]);
  return game === "tower" && units > 0 && Number(position[seat - 1]) + units > 15;
}

function choose(legal, seat) {
  const sane = legal.filter((move) => !tooHigh(move, seat));
  const options = sane.length > 0 ? sane : legal;
  const least = Math.min(...options.map((move) => made.get(move) ?? 0));
  const rare = options.filter((move) => (made.get(move) ?? 0) === least);
  const move = rare[Math.floor(Math.random() * rare.length)];
  made.set(move, least + 1);
  return move;
}

const answers = {
  udi: () => console.log("id name Fickle\nid author You\ngame *\nudiok"),
  isready: () => console.log("readyok"),
  newgame: (words) => {
    game = words[0];
    made = new Map();
  },
  position: (words) => {
    position = words.slice(1);
  },
  go: (words) => {
    const seat = Number(words[words.indexOf("seat") + 1]);
    const legal = words.slice(words.indexOf("legal") + 1);
    console.log(`bestmove ${choose(legal, seat)}`);
  },
  quit: () => process.exit(0),
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, ...words] = line.trim().split(/\s+/);
  if (Object.hasOwn(answers, command)) answers[command](words);
});
