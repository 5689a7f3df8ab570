
// Picks a move among the legal ones that stand in the page, and writes the answer.
//
// Each move has paths: the places to point to, one behind the other. What is picked is the beginning of such a path.

const answer = page.answer;

// The places that are picked so far, and what of a placement stands already.
let picked = [];
let placed = [];

// The moves on the way: those of one path, of which one has to be told.
let doubtful = [];

// The question that goes with them.
let question = "";

// The place that was pointed to in vain.
let refused = null;

const capital = (text) => text[0].toUpperCase() + text.slice(1);

const isHeld = (place) => place.startsWith("@");

// The moves that a path begins, each with the whole path. While pieces are being placed only drops go on.
function going(path) {
  const found = [];
  for (const move of answer.moves) {
    const whole = move.paths.find((places) => path.every((place, at) => places[at] === place));
    if (whole && (placed.length === 0 || canBePlaced(move))) found.push({ move, whole });
  }
  return found;
}

// A further piece needs an empty square, and must be left in reserve: no more is known here.
function canBePlaced({ paths: [[piece, square]] }) {
  const { held } = read(page.positions[end].fen);
  const used = placed.filter((drop) => drop.paths[0][0] === piece).length;
  return isHeld(piece) && used < held.get(piece.slice(1)) && placed.every((drop) => drop.paths[0][1] !== square);
}

function clear() {
  picked = [];
  placed = [];
  doubtful = [];
  refused = null;
  byId("chosen").hidden = true;
}

// A place is pointed to, by whatever means.
function point(place) {
  if (shown.ply !== end) {
    show(end);
    return;
  }
  byId("chosen").hidden = true;
  doubtful = [];
  refused = null;
  const isAgain = picked.at(-1) === place;
  const path = isAgain ? [] : [...picked, place];
  const isOnWay = path.length > 0 && going(path).length > 0;
  const placedHere = placed.findIndex((drop) => drop.paths[0][1] === place);
  let trouble = "";
  if (placedHere >= 0 && !isOnWay) {
    // Pointing to a piece that was placed takes it back.
    placed.splice(placedHere, 1);
    picked = [];
  } else if (isAgain) {
    picked = [];
  } else if (isOnWay) {
    picked = path;
  } else {
    trouble = whyNot(path, place);
    refused = place;
    // What was picked stays so, unless another piece is picked in its place.
    if (going([place]).length > 0) {
      picked = [place];
      trouble = "";
      refused = null;
    }
  }
  const found = picked.length > 0 ? going(picked) : [];
  if (found.length > 0 && found.every(({ whole }) => whole.length === picked.length)) {
    take(found.map(({ move }) => move));
  } else {
    refresh(trouble);
  }
}

// Says why nothing goes on at a place. No rule is known here: what is said follows from the position and from the moves
// that go on.
function whyNot(path, place) {
  const { pieces, turn } = read(page.positions[end].fen);
  const isOwn = (piece) => isFirstPlayers(piece) === (turn === 0);
  const there = pieces.get(place);
  const [from, ...rest] = path;
  const isInCheck = page.positions[end].king?.[1] === "check";
  if (rest.length > 1) return `The pawn cannot go to ${place}.`;
  if (rest.length === 0) {
    if (placed.length > 0) return "Place more pieces, take this placement, or begin again.";
    if (isHeld(place)) return `Your ${roleOf(place.slice(1))} in reserve has no move now.`;
    if (!there) return `${place} is empty: pick a piece first.`;
    if (!isOwn(there)) return `The ${roleOf(there)} on ${place} is not yours.`;
    return isInCheck ? `Check: no move of the ${roleOf(there)} on ${place} ends it.` : `Your ${roleOf(there)} on ${place} has no move now.`;
  }
  if (isHeld(place)) return `Your ${roleOf(place.slice(1))} in reserve has no move now.`;
  const role = roleOf(isHeld(from) ? from.slice(1) : pieces.get(from));
  if (there && isOwn(there)) return `Not to ${place}: your own ${roleOf(there)} stands there.`;
  if (isInCheck) return `Not to ${place}: you are in check, and that does not end it.`;
  if (!isHeld(from)) return `Your ${role} on ${from} cannot go to ${place}.`;
  if (there) return `Not to ${place}: a ${roleOf(there)} stands there.`;
  const goals = going([from]).map(({ whole }) => whole[1]);
  if (!goals.some((goal) => goal.slice(1) === place.slice(1))) return `Not to ${place}: no ${role} can be placed on rank ${place.slice(1)} now.`;
  if (!goals.some((goal) => goal[0] === place[0])) return `Not to ${place}: no ${role} can be placed on the ${place[0]} file now.`;
  return `Not to ${place}: your ${role} cannot be placed there now.`;
}

// Takes a move, or asks which of several is meant.
function take(moves) {
  question = "Which one?";
  picked = [];
  if (moves.length > 1) {
    doubtful = moves;
    refresh();
    byId("choices").querySelector("button").focus({ preventScroll: true });
    return;
  }
  const [move] = moves;
  doubtful = [];
  if (answer.placement && isHeld(move.paths[0][0])) {
    placed.push(move);
    refresh();
  } else {
    placed = [];
    settle(move.sent ?? move.text, move.words, move.paths[0]);
  }
}

// The text of a placement has an order of its own: by piece, then by square.
function placement() {
  const rank = ({ paths: [[piece, square]] }) => [answer.order.indexOf(piece.slice(1)), square];
  const order = (one, other) => {
    const [[first, here], [second, there]] = [rank(one), rank(other)];
    return first - second || (here < there ? -1 : 1);
  };
  return [...placed].sort(order);
}

function settlePlacement() {
  const drops = placement();
  const text = drops.length === 1 ? drops[0].sent ?? drops[0].text : drops.map((drop) => drop.text).join(",");
  settle(text, drops.map((drop) => drop.words).join(", "), drops.map((drop) => drop.paths[0][1]));
}

// As the links of our mails are encoded: everything but letters and digits.
function encoded(text) {
  const code = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  return text.replace(/[^A-Za-z0-9]/g, code);
}

// Shows the answer with a move.
function settle(text, words, places) {
  const { mail, command } = answer.by;
  refresh();
  byId("what").textContent = `${text}: ${words}.`;
  byId("doubt").hidden = placed.length < 2;
  const link = byId("mail");
  link.hidden = !mail;
  if (mail) {
    const body = [text, ...mail.lines];
    link.href = `mailto:${mail.to}?subject=${encoded(mail.subject + text)}&body=${body.map(encoded).join("%0D%0A")}`;
    byId("text").value = body.join("\n");
    byId("how").textContent = "Nothing is played before you send that mail.";
  } else {
    byId("text").value = command.before + text + command.behind;
    byId("how").textContent = "Nothing is played before your program runs this command.";
  }
  byId("text").rows = mail ? 3 : 2;
  // A command is nothing but its text, for which a telephone has no room beside the board.
  byId("as-text").open = !mail && matchMedia("(min-width: 56rem)").matches;
  byId("chosen").hidden = false;
  byId("choices").hidden = true;
  for (const place of places) cells.get(place)?.classList.add("picked");
  byId("hint").textContent = `You have picked ${text}.`;
  // The board stays where it is: on a telephone the answer comes up from below.
  (mail ? link : byId("copy")).focus({ preventScroll: true });
}

// Shows what is picked, and what can be picked next.
function refresh(trouble = "") {
  const held = document.activeElement?.closest("button[data-place]")?.dataset.place;
  const position = draw();
  // The pieces in reserve are drawn anew; the focus stays on the one that has it.
  if (held) document.querySelector(`button[data-place='${held}']`)?.focus();
  const isNow = shown.ply === end;
  const offered = isNow && doubtful.length === 0 ? going(picked) : [];
  const next = new Set(offered.map(({ whole }) => whole[picked.length]));
  for (const drop of placed) {
    const [piece, square] = drop.paths[0];
    const cell = cells.get(square);
    fill(cell, piece.slice(1), `${square}, to be placed: ${roleOf(piece.slice(1))}`);
    cell.classList.add("ghost", "picked");
    const button = document.querySelector(`button[data-place='${piece}']`);
    const left = Number(button.textContent) - 1;
    button.lastChild.textContent = left;
    button.setAttribute("aria-label", reserveLabel(piece.slice(1), left));
  }
  for (const element of document.querySelectorAll("[data-place]")) {
    const { place } = element.dataset;
    const control = element.matches("button") ? element : element.querySelector("button");
    const isPicked = picked.includes(place);
    if (isPicked) element.classList.add("picked");
    element.classList.toggle("refused", place === refused);
    if (picked.length > 0 && next.has(place)) element.classList.add("goal");
    if (position.pieces.has(place)) element.classList.toggle("full", next.has(place));
    control.classList.toggle("movable", isNow && picked.length === 0 && next.has(place));
    control.setAttribute("aria-pressed", isPicked);
  }
  choices();
  byId("hint").textContent = trouble || hint();
  byId("hint").classList.toggle("trouble", trouble !== "");
}

function hint() {
  if (shown.ply !== end) return "Go to the end of the match to pick a move.";
  if (doubtful.length > 0) return question;
  if (picked.length > 1) return "Where does the pawn go?";
  if (picked.length > 0) {
    const where = isHeld(picked[0]) ? `your ${roleOf(picked[0].slice(1))} in reserve` : picked[0];
    return `Picked: ${where}. Where to?`;
  }
  if (placed.length > 0) {
    const text = placement().map((drop) => drop.text).join(",");
    const isPart = placed.length === 1 && placed[0].partial;
    return `Placed: ${text}. ${isPart ? "This alone is no turn: place more." : "Place more, or take this."}`;
  }
  const reserve = answer.moves.some((move) => isHeld(move.paths[0][0])) ? ", or a piece in your reserve" : "";
  return `Your move: pick a piece on the board${reserve}.`;
}

// The buttons for what no square tells: a promotion, the end of a placement.
function choices() {
  const buttons = doubtful.map((move) => {
    const button = make("button", { type: "button" }, capital(move.choice ?? `${move.text}: ${move.words}`));
    button.addEventListener("click", () => take([move]));
    return button;
  });
  const isTurn = placed.length > 1 || placed.length === 1 && !placed[0].partial;
  if (isTurn) {
    const done = make("button", { type: "button", id: "done" }, "Take this placement");
    done.addEventListener("click", settlePlacement);
    buttons.push(done);
  }
  if (placed.length + doubtful.length > 0) {
    const none = make("button", { type: "button" }, "Begin again");
    none.addEventListener("click", () => {
      clear();
      refresh();
    });
    buttons.push(none);
  }
  byId("choices").replaceChildren(...buttons);
  byId("choices").hidden = buttons.length === 0;
}

// A text without what people leave out or write in another case: `Ng1f3`, `n@e5`, `0-0`.
const plain = (text) =>
  text.toLowerCase().replace(/[-=\s]/g, "").replace(/[@*]/g, ">").replace(/0/g, "o").replace(/ep$/, "");

// A move without what tells a drop, a capture and a move apart.
const bare = (text) => text.replace(/[>x]/g, "");

// The legal moves that a text would mean if it were of another kind: `Ne5` where `N>e5` is legal.
function nearly(text) {
  const typed = bare(plain(text).replace(/[+#!?]+$/, ""));
  const of = ({ text, long, paths: [[from]] }) => {
    const found = [text, long].filter((form) => form !== undefined).map((form) => bare(plain(form)));
    // A pawn's letter may be left out.
    return isHeld(from) && found[0][0] === "p" ? [...found, found[0].slice(1)] : found;
  };
  return answer.moves.filter((move) => !move.partial && of(move).includes(typed)).slice(0, 8);
}

// The texts of a move, as they are compared. A pawn's letter may be left out, so that a `b` may be a bishop or a file.
function forms({ text, sent, long, paths: [[from]] }) {
  const found = [text, sent, long].filter((form) => form !== undefined).map(plain);
  if (found[0][0] === "p" && !isHeld(from)) {
    found.push(...found.map((form) => form.slice(1)));
    const taken = found[0].split("x")[1];
    if (taken) found.push(`${from[0]}x${taken}`, `p${from[0]}x${taken}`);
  }
  return found;
}

// The moves that a typed text can mean.
function typedMoves(text) {
  const means = (typed) => answer.moves.filter((move) => forms(move).includes(typed));
  const found = means(plain(text));
  // In shogi a `+` promotes; elsewhere it is a mark, as `#` is.
  const unmarked = plain(text).replace(page.isShogi ? /[#!?]+$/ : /[+#!?]+$/, "");
  return found.length > 0 ? found : means(unmarked);
}

function onTyped(event) {
  event.preventDefault();
  const text = byId("typed").value.trim();
  if (text === "") return;
  if (shown.ply !== end) show(end);
  clear();
  const parts = answer.placement ? text.split(",") : [text];
  const found = parts.map(typedMoves);
  const isClear = found.every((moves) => moves.length === 1);
  if (found.length > 1 && isClear && found.every(([move]) => isHeld(move.paths[0][0]))) {
    placed = found.map(([move]) => move);
    settlePlacement();
  } else if (found.length === 1 && isClear && !found[0][0].partial && answer.placement) {
    // Typed alone it is the whole turn.
    placed = isHeld(found[0][0].paths[0][0]) ? [found[0][0]] : [];
    if (placed.length > 0) settlePlacement();
    else take(found[0]);
  } else if (found.length === 1 && found[0].length > 0) {
    take(found[0]);
  } else if (parts.length === 1 && nearly(text).length > 0) {
    offer(nearly(text), `'${text}' is not legal here. Did you mean:`);
  } else {
    refresh(`'${text}' is not a legal move here.`);
  }
}

// Offers moves in the place of one that was not legal.
function offer(moves, words) {
  doubtful = moves.map((move) => ({ ...move, choice: undefined }));
  question = words;
  refresh();
  byId("choices").querySelector("button").focus({ preventScroll: true });
}

async function copy() {
  const text = byId("text");
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    // A page from a file may have no clipboard.
    byId("as-text").open = true;
    text.select();
    document.execCommand("copy");
  }
  byId("hint").textContent = "Copied.";
  byId("how").textContent = "Copied.";
}

// The arrow keys go from square to square, as the board is seen.
function onBoardKey(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -page.width, ArrowDown: page.width }[event.key];
  if (event.key === "Escape") {
    clear();
    refresh();
  }
  if (step === undefined) return;
  const all = Array.from(byId("board").querySelectorAll(".square"));
  const from = all.indexOf(event.target.closest(".square"));
  const isOverEdge = Math.abs(step) === 1 && Math.floor((from + step) / page.width) !== Math.floor(from / page.width);
  const next = isOverEdge ? undefined : all[from + step];
  event.preventDefault();
  event.stopPropagation();
  if (next) focus(next);
}

// One square of the board is a stop of the tab key.
function focus(cell) {
  byId("board").querySelector("button[tabindex='0']")?.setAttribute("tabindex", "-1");
  const button = cell.querySelector("button");
  button.setAttribute("tabindex", "0");
  button.focus();
}

answering.isOn = true;

answering.begin = () => {
  byId("answer").hidden = false;
  byId("hint").hidden = false;
  byId("legal").append(...answer.moves.filter((move) => !move.partial).map(({ text }) => make("option", { value: text })));
  byId("typing").addEventListener("submit", onTyped);
  byId("copy").addEventListener("click", copy);
  byId("again").addEventListener("click", () => {
    clear();
    refresh();
  });
  byId("board").addEventListener("keydown", onBoardKey);
  listen();
};

answering.shown = () => {
  refused = null;
  byId("chosen").hidden = true;
  if (!byId("board").querySelector("button[tabindex='0']")) {
    cells.get("a1").querySelector("button").setAttribute("tabindex", "0");
  }
  refresh();
};
