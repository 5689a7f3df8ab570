
// Clicks, and pieces that are dragged by mouse or finger.

// How far a pointer moves before it drags, in pixels.
const SLACK = 6;

let drag = null;

// The place below a pointer.
function placeAt(event) {
  const element = document.elementFromPoint(event.clientX, event.clientY);
  return element?.closest("[data-place]")?.dataset.place;
}

function onDown(event) {
  const place = event.target.closest("[data-place]")?.dataset.place;
  if (place === undefined || event.button !== 0 || shown.ply !== end) return;
  if (going([place]).length > 0) drag = { place, x: event.clientX, y: event.clientY, picture: null, id: event.pointerId };
}

function onMove(event) {
  if (!drag || event.pointerId !== drag.id) return;
  if (!drag.picture) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
    picked = [];
    doubtful = [];
    byId("chosen").hidden = true;
    point(drag.place);
    const piece = isHeld(drag.place) ? drag.place.slice(1) : read(page.positions[end].fen).pieces.get(drag.place);
    drag.picture = drawn(piece);
    drag.picture.id = "dragged";
    document.body.append(drag.picture);
  }
  drag.picture.style.left = `${event.clientX}px`;
  drag.picture.style.top = `${event.clientY}px`;
}

function onUp(event) {
  const done = drag;
  drag = null;
  if (!done?.picture) return;
  done.picture.remove();
  const place = event.type === "pointerup" ? placeAt(event) : undefined;
  if (place !== done.place) {
    // A finger that trembles on one place has picked it.
    if (place !== undefined && going([...picked, place]).length > 0) {
      point(place);
    } else {
      const trouble = place === undefined ? "" : whyNot([...picked, place], place);
      refused = place ?? null;
      picked = [];
      refresh(trouble);
    }
  }
  // The click that ends a drag picks nothing more.
  const ignore = (click) => {
    click.stopPropagation();
    click.preventDefault();
  };
  addEventListener("click", ignore, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", ignore, { capture: true }), 50);
}

function listen() {
  byId("play").addEventListener("click", (event) => {
    const place = event.target.closest("[data-place]")?.dataset.place;
    if (place !== undefined) point(place);
  });
  addEventListener("pointerdown", onDown);
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", onUp);
  addEventListener("pointercancel", onUp);
}
