// What is wrong with the squares of the boards of links, in words. PICTURE is the whole page as it is shown, without the
// signs on the squares, one pixel for each of the page.
(async () => {
  const picture = new Image();
  picture.src = "PICTURE";
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  const faults = [];
  const colorAt = (x, y) => Array.from(context.getImageData(Math.floor(x + scrollX), Math.floor(y + scrollY), 1, 1).data).join();
  const brightness = color => color.split(",").slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
  // The middle of each square, and what is near its corners.
  const parts = [0.1, 0.5, 0.9];
  for (const board of document.querySelectorAll("details table")) {
    const rows = Array.from(board.rows);
    if (!rows.some(row => row.querySelector("a")?.textContent.trim() === "+")) continue;
    const files = Array.from(rows.pop().cells).slice(1);
    const name = board.closest("details").querySelector("summary").textContent.trim();
    const colors = [new Set(), new Set()];
    for (const row of rows) {
      const [rank, ...squares] = Array.from(row.cells);
      squares.forEach((square, column) => {
        const box = square.getBoundingClientRect();
        const below = files[column].getBoundingClientRect();
        if (Math.abs(box.left - below.left) > 1 || Math.abs(box.right - below.right) > 1) {
          faults.push(`${name}: a square does not stand above "${files[column].textContent}"`);
        }
        const file = files[column].textContent.trim().charCodeAt(0) - "a".charCodeAt(0) + 1;
        // The square a1 is dark.
        const seen = colors[(file + Number(rank.textContent)) % 2];
        for (const across of parts) {
          for (const down of parts) seen.add(colorAt(box.left + across * box.width, box.top + down * box.height));
        }
      });
    }
    const [dark, light] = colors.map(seen => Array.from(seen));
    if (dark.length !== 1 || light.length !== 1) {
      faults.push(`${name}: its dark squares show ${dark.length} colours, and its light ones ${light.length}`);
    } else if (brightness(dark[0]) >= brightness(light[0])) {
      faults.push(`${name}: its dark squares (${dark[0]}) are no darker than its light ones (${light[0]})`);
    }
  }
  return faults;
})()
