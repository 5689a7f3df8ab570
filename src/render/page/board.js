"use strict";

// The board and the reserves. No rule of a game is known here: a position is what its FEN says.

const page = JSON.parse(document.getElementById("data").textContent);

// What is shown now.
const shown = { ply: page.positions.length - 1, isFlipped: page.isFlipped, hasLetters: false };

// The cells of the board by the names of their squares.
const cells = new Map();

// What a page to answer on adds to cells and reserves; nothing in a page to replay on.
const answering = { isOn: false, label: (label) => label };

const byId = (id) => document.getElementById(id);

// An element with attributes and children. Texts are set as texts, never as markup.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const isFirstPlayers = (piece) => piece === piece.toUpperCase();

const sideOf = (piece) => page.sides[isFirstPlayers(piece) ? 0 : 1];

const roleOf = (piece) => page.roles[piece.toUpperCase()];

// The picture of a piece. A character of shogi turns with the board; a letter stays upright, so it is drawn twice.
function drawn(piece) {
  const look = !shown.hasLetters ? "c" : shown.isFlipped ? "f" : "l";
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  const use = document.createElementNS(space, "use");
  const promoted = piece.startsWith("+") ? "p" : "";
  const letter = piece.replace("+", "").toUpperCase();
  use.setAttribute("href", `#${look}-${isFirstPlayers(piece) ? "w" : "b"}${promoted}${letter}`);
  picture.append(use);
  picture.setAttribute("viewBox", "0 0 100 100");
  picture.setAttribute("aria-hidden", "true");
  const isTurned = page.isShogi && look === "c" && shown.isFlipped;
  picture.setAttribute("class", isTurned ? "piece turned" : "piece");
  return picture;
}

// A FEN as the pieces by square, the number of each piece in reserve, and the side to move (none of a diagram alone).
function read(fen) {
  const [field, turn] = fen.split(" ");
  const [board, reserve = ""] = field.replace("]", "").split("[");
  const pieces = new Map();
  board.split("/").forEach((row, above) => {
    let file = 0;
    for (const token of row.match(/\d+|\+?[A-Za-z]/g) ?? []) {
      if (/\d/.test(token)) {
        file += Number(token);
      } else {
        pieces.set(String.fromCharCode(97 + file) + (page.width - above), token);
        file += 1;
      }
    }
  });
  const held = new Map();
  for (const piece of reserve) held.set(piece, (held.get(piece) ?? 0) + 1);
  return { pieces, held, turn: { w: 0, b: 1 }[turn] };
}

// Lays out the cells, as the board is seen from the side that is below.
function layOut() {
  const numbers = Array.from({ length: page.width }, (_, at) => at);
  const ranks = shown.isFlipped ? numbers : numbers.slice().reverse();
  const files = shown.isFlipped ? numbers.slice().reverse() : numbers;
  const board = byId("board");
  board.className = page.isShogi ? "shogi" : "chess";
  board.setAttribute("role", answering.isOn ? "grid" : "img");
  board.replaceChildren();
  for (const rank of ranks) {
    const row = make("div", { class: "row" });
    if (answering.isOn) row.setAttribute("role", "row");
    for (const file of files) {
      const name = String.fromCharCode(97 + file) + (rank + 1);
      if (!cells.has(name)) cells.set(name, make("div", { "data-place": name }));
      const cell = cells.get(name);
      cell.dataset.shade = (file + rank) % 2 === 0 ? "dark" : "light";
      row.append(cell);
    }
    board.append(row);
  }
  // Books on shogi count the files from the right, and the ranks from the top, in Japanese.
  const isJapanese = byId("frame").dataset.coords === "shogi";
  const nameOfRank = (rank) => (isJapanese ? "九八七六五四三二一"[rank] : String(rank + 1));
  const nameOfFile = (file) => (isJapanese ? String(9 - file) : String.fromCharCode(97 + file));
  byId("ranks").replaceChildren(...ranks.map((rank) => make("span", {}, nameOfRank(rank))));
  byId("files").replaceChildren(...files.map((file) => make("span", {}, nameOfFile(file))));
}

// Draws the position that is shown.
function draw() {
  const { fen, words, squares = [], king } = page.positions[shown.ply];
  const position = read(fen);
  const board = byId("board");
  board.setAttribute("aria-label", answering.isOn ? "Board" : `Board. ${words}`);
  for (const [name, cell] of cells) {
    const piece = position.pieces.get(name);
    cell.className = `square ${cell.dataset.shade}`;
    const label = piece ? `${name}, ${sideOf(piece)} ${roleOf(piece)}` : `${name}, empty`;
    fill(cell, piece, label);
    const light = shown.ply === page.positions.length - 1 && page.lights?.[name];
    cell.style.boxShadow = light ? `inset 0 0 0 9rem ${light}8c` : "";
  }
  for (const [name, use] of squares) cells.get(name).classList.add(use);
  if (king) cells.get(king[0]).classList.add(king[1]);
  const drawn = byId("drawn");
  if (drawn) {
    drawn.classList.toggle("gone", shown.ply < page.positions.length - 1);
    drawn.classList.toggle("turned", shown.isFlipped !== page.isFlipped);
  }
  strip(byId("above"), position, shown.isFlipped ? 0 : 1);
  strip(byId("below"), position, shown.isFlipped ? 1 : 0);
  byId("words").textContent = words;
  return position;
}

// Puts a piece, or none, into a cell.
function fill(cell, piece, label) {
  if (!answering.isOn) {
    cell.replaceChildren(...(piece ? [drawn(piece)] : []));
    return;
  }
  // The button stays, and with it the focus.
  const button = cell.querySelector("button") ?? make("button", { type: "button", tabindex: "-1" });
  button.replaceChildren(...(piece ? [drawn(piece)] : []));
  button.setAttribute("aria-label", answering.label(label, cell.dataset.place));
  cell.setAttribute("role", "gridcell");
  if (!button.parentNode) cell.append(button);
}

// Draws the strip of a player: name, turn or score, and reserve.
function strip(element, position, side) {
  const isLast = shown.ply === page.positions.length - 1;
  const isOver = isLast && page.scores !== null;
  const isToMove = position.turn === side && !isOver;
  const name = page.players[side];
  const who = make("div", { class: "who" }, make("span", {}, make("strong", {}, page.sides[side])));
  if (name) who.firstChild.append(" ", make("bdi", {}, name));
  if (isToMove) who.append(make("span", { class: "to-move" }, "to move"));
  if (isOver) who.append(make("strong", { "aria-label": `Score ${page.scores[side]}` }, page.scores[side]));
  if (isOver) who.lastChild.setAttribute("role", "img");
  element.className = isToMove ? "strip turn" : "strip";
  element.replaceChildren(who);
  const list = make("ul", { class: "held", "aria-label": `${page.sides[side]}'s reserve` });
  for (const slot of page.slots) {
    const piece = side === 0 ? slot : slot.toLowerCase();
    const count = position.held.get(piece) ?? 0;
    if (count > 0) list.append(make("li", {}, reserve(piece, count, isToMove)));
  }
  if (list.childElementCount > 0) element.append(list);
}

const reserveLabel = (piece, count) => `${count} ${roleOf(piece)}${count === 1 ? "" : "s"} in reserve`;

// A piece in reserve with its number: a button where it can be picked.
function reserve(piece, count, isToMove) {
  const label = reserveLabel(piece, count);
  if (answering.isOn && isToMove) {
    const attributes = { type: "button", "data-place": `@${piece}`, "aria-label": label };
    return make("button", attributes, drawn(piece), String(count));
  }
  const number = make("span", { role: "img", "aria-label": label }, drawn(piece), String(count));
  number.className = "number";
  return number;
}
