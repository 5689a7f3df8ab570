
// The list of moves, the buttons and the keys that step through the match.

// The buttons of the half-moves, the first at 1.
const steps = [];

const end = page.positions.length - 1;

// The number of a half-move as a list writes it: `3.` or `3...`.
const numbered = (ply, text) => `${Math.ceil(ply / 2)}${ply % 2 === 1 ? "." : "..."} ${text}`;

// What was written at a half-move: who wrote it, and the words in their lines.
const notesOf = (ply) => (page.positions[ply].notes ?? []).map(({ by, text }) =>
  make("p", {}, make("bdi", {}, make("b", {}, `${by}:`)), " ", make("bdi", {}, text)));

function listNotes(ply, place) {
  const notes = notesOf(ply);
  if (notes.length > 0) place.append(make("div", { class: "notes" }, ...notes));
}

function listMoves() {
  const list = byId("moves");
  let pair = make("li", { class: "before", value: "0" });
  listNotes(0, pair);
  if (pair.hasChildNodes()) list.append(pair);
  for (let ply = 1; ply <= end; ply += 1) {
    const { text } = page.positions[ply];
    if (ply % 2 === 1) {
      pair = make("div", { class: "pair" });
      list.append(make("li", {}, pair));
    }
    // A placement of Kingchess is broken behind its commas.
    const drops = text.split(",").flatMap((drop, at) => at > 0 ? [",", make("wbr"), drop] : [drop]);
    const button = make("button", { type: "button" }, ...drops);
    button.addEventListener("click", () => show(ply));
    if (text.length > 14) pair.classList.add("long");
    pair.append(button);
    listNotes(ply, pair);
    steps[ply] = button;
  }
  byId("list").hidden = !list.hasChildNodes();
}

// Shows the position after so many half-moves.
function show(ply) {
  shown.ply = Math.max(0, Math.min(end, ply));
  const position = draw();
  byId("status").textContent = status(position);
  const notes = notesOf(shown.ply);
  byId("notes").replaceChildren(...notes);
  byId("notes").hidden = notes.length === 0;
  for (const [at, button] of steps.entries()) {
    if (at === shown.ply) button?.setAttribute("aria-current", "step");
    else button?.removeAttribute("aria-current");
  }
  for (const [id, isOff] of [["first", shown.ply === 0], ["back", shown.ply === 0],
    ["forward", shown.ply === end], ["last", shown.ply === end]]) {
    // A button that was disabled would lose the focus of the keyboard.
    byId(id).setAttribute("aria-disabled", isOff);
  }
  // Scrolls the list alone: the page stays where it is.
  const list = byId("moves");
  const button = steps[shown.ply];
  if (!button) {
    list.scrollTop = 0;
  } else {
    const row = button.closest("li");
    const isAbove = row.offsetTop < list.scrollTop;
    const isBelow = row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight;
    if (isAbove || isBelow) list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }
  answering.shown?.();
}

// Says in words what is shown.
function status(position) {
  const { text } = page.positions[shown.ply];
  const before = text ? `After ${numbered(shown.ply, text)}: ` : "";
  if (shown.ply === end && page.ending) return before + page.ending;
  return position.turn === undefined ? before : `${before}${page.sides[position.turn]} to move.`;
}

function flip() {
  shown.isFlipped = !shown.isFlipped;
  layOut();
  show(shown.ply);
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (event.target.closest("input, textarea")) return;
  const actions = {
    ArrowLeft: () => show(shown.ply - 1),
    ArrowRight: () => show(shown.ply + 1),
    Home: () => show(0),
    End: () => show(end),
    f: flip,
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function start() {
  byId("still").hidden = true;
  byId("text-of-it").open = false;
  byId("play").hidden = false;
  byId("spoken").hidden = false;
  document.body.classList.toggle("reserves", page.slots.length > 0);
  const isMatch = end > 0;
  for (const id of ["first", "back", "forward", "last", "keys"]) byId(id).hidden = !isMatch;
  byId("first").addEventListener("click", () => show(0));
  byId("back").addEventListener("click", () => show(shown.ply - 1));
  byId("forward").addEventListener("click", () => show(shown.ply + 1));
  byId("last").addEventListener("click", () => show(end));
  byId("flip").addEventListener("click", flip);
  const letters = byId("letters");
  letters.hidden = !page.isShogi;
  letters.addEventListener("click", () => {
    shown.hasLetters = !shown.hasLetters;
    letters.setAttribute("aria-pressed", shown.hasLetters);
    show(shown.ply);
  });
  document.addEventListener("keydown", onKey);
  listMoves();
  answering.begin?.();
  layOut();
  show(end);
}
