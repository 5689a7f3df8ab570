// What is wrong with the page as it is shown, in words: width, size of text and taps, pictures, and what no mail may hold.
(() => {
  const smallestText = 14, smallestTap = 44, smallestPicture = 280;
  // Nine files of a board whose squares are links fit a telephone.
  const smallestSquare = 36;
  const faults = [];
  const width = innerWidth;
  const half = 0.5;
  const short = text => text.trim().replace(/\s+/g, " ").slice(0, 50);
  const name = element => `<${element.localName}> "${short(element.textContent || element.alt || "")}"`;
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;

  if (document.documentElement.scrollWidth > width) {
    faults.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
  }
  for (const element of document.body.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.right > width + half || box.left < -half)) {
      faults.push(`${name(element)} reaches from ${box.left} to ${box.right}`);
    }
    const style = getComputedStyle(element);
    if (box.width > 1 && style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1) {
      faults.push(`${name(element)} is cut off`);
    }
  }

  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text.textContent.trim() === "") continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = Array.from(range.getClientRects()).filter(box => box.width > 1 && box.height > 1);
    if (boxes.length === 0) continue;
    const size = parseFloat(getComputedStyle(text.parentElement).fontSize);
    if (size < smallestText) faults.push(`"${short(text.textContent)}" is ${size} pixels high`);
    for (const box of boxes) {
      if (box.right > width + half || box.left < -half) {
        faults.push(`"${short(text.textContent)}" reaches from ${box.left} to ${box.right}`);
      }
      lines.push({ text, box });
    }
  }
  // A name written from right to left must not turn round what stands beside it.
  for (const text of new Set(lines.map(line => line.text))) {
    let before = null;
    for (const word of text.textContent.matchAll(/\S*[\p{L}\p{N}]\S*/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const box = range.getBoundingClientRect();
      const isOurs = /^[\x20-\x7e]+$/.test(word[0]);
      const isBeside = before && Math.abs(before.box.top - box.top) < 4 && Math.abs(before.box.bottom - box.bottom) < 4;
      if (isBeside && (isOurs || before.isOurs) && box.left < before.box.right - 1) {
        faults.push(`"${word[0]}" is shown before "${before.word}"`);
      }
      before = { word: word[0], box, isOurs };
    }
  }
  lines.forEach((line, index) => {
    for (const other of lines.slice(index + 1)) {
      // The lines of one text stand as close as its line height says.
      if (line.text !== other.text && overlap(line.box, other.box)) {
        faults.push(`"${short(line.text.textContent)}" covers "${short(other.text.textContent)}"`);
      }
    }
  });

  const taps = Array.from(document.links);
  taps.forEach((tap, index) => {
    const box = tap.getBoundingClientRect();
    if (tap.protocol !== "mailto:") faults.push(`${name(tap)} leads to ${tap.href}`);
    const smallest = tap.textContent.trim() === "+" ? smallestSquare : smallestTap;
    if (box.height < smallest - half) faults.push(`${name(tap)} is ${box.height} pixels high to a finger`);
    if (box.width < smallest - half) faults.push(`${name(tap)} is ${box.width} pixels wide to a finger`);
    for (const other of taps.slice(index + 1)) {
      if (overlap(box, other.getBoundingClientRect())) faults.push(`${name(tap)} covers ${name(other)}`);
    }
  });

  for (const fold of document.querySelectorAll("summary")) {
    const { height } = fold.getBoundingClientRect();
    if (height < smallestTap - half) faults.push(`${name(fold)} is ${height} pixels high to a finger`);
  }

  for (const picture of document.images) {
    const box = picture.getBoundingClientRect();
    if (!picture.complete || picture.naturalWidth === 0) {
      faults.push(`${picture.getAttribute("src")} is not shown`);
      continue;
    }
    if (!(picture.getAttribute("alt") || "").trim()) faults.push(`${picture.getAttribute("src")} has no alternative text`);
    const natural = picture.naturalWidth / picture.naturalHeight;
    const shown = box.width / box.height;
    if (Math.abs(shown / natural - 1) > 0.01) faults.push(`a picture of ${natural} to 1 is shown as ${shown} to 1`);
    if (natural < 0.7 || natural > 1.4) faults.push(`the board is not nearly square: ${natural} to 1`);
    if (box.width < smallestPicture) faults.push(`the board is only ${box.width} pixels wide`);
  }

  for (const element of document.querySelectorAll("script, link, iframe, object, embed, form, video, audio, base")) {
    faults.push(`a mail has no ${name(element)}`);
  }
  for (const element of document.querySelectorAll("*")) {
    for (const { name: attribute, value } of element.attributes) {
      if (attribute.startsWith("on") || /url\(|@import/i.test(attribute === "style" ? value : "")) {
        faults.push(`a mail has no ${attribute}="${short(value)}"`);
      }
    }
  }
  return faults;
})()
