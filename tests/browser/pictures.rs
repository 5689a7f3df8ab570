//! The pictures of the program, `svg` as the browser draws it beside `png` as the program does.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::browser::Chromium;
use crate::desk::{Desk, GAMES, root};
use crate::page::Page;

/// How far the two may be apart: a part of all points, whose colour differs by
/// more than the second number, of 255. Edges are smoothed in two ways.
const TOLERANCE: (f64, u32) = (0.01, 64);

/// Draws both files to one size and compares them.
const COMPARE: &str = r#"(async () => {
    const draw = async name => {
        const picture = new Image();
        picture.src = name;
        await picture.decode();
        return picture;
    };
    const [svg, png] = [await draw("ONE"), await draw("OTHER")];
    const points = (picture, width, height) => {
        const canvas = document.createElement("canvas");
        canvas.width = width;
        canvas.height = height;
        const context = canvas.getContext("2d");
        context.drawImage(picture, 0, 0, width, height);
        return context.getImageData(0, 0, width, height).data;
    };
    const [width, height] = [png.naturalWidth, png.naturalHeight];
    const [one, other] = [points(svg, width, height), points(png, width, height)];
    let different = 0, transparent = 0;
    for (let at = 0; at < one.length; at += 4) {
        const channels = [0, 1, 2, 3].map(channel => Math.abs(one[at + channel] - other[at + channel]));
        if (Math.max(...channels) > LIMIT) different += 1;
        if (other[at + 3] < 255) transparent += 1;
    }
    return {
        width, height, transparent,
        ratio: svg.naturalWidth / svg.naturalHeight,
        different: different / (width * height),
    };
})()"#;

/// Draws two pictures that stand beside a page to one size, and returns how large the second is,
/// the shape of the first, and how far they are apart.
pub(crate) fn compared(page: &Page, [one, other]: [&str; 2]) -> Value {
    let script = COMPARE
        .replace("ONE", one)
        .replace("OTHER", other)
        .replace("LIMIT", &TOLERANCE.1.to_string());
    page.evaluate(&script)
}

/// Compares both pictures of a position, made with these arguments of `show`.
fn compare(chromium: &Chromium, name: &str, arguments: &[&str]) -> Vec<String> {
    let desk = Desk::anna();
    for (form, file) in [("svg", "board.svg"), ("png", "board.png")] {
        let mut words = vec!["show", "--as", form, "-o", file];
        words.extend(arguments);
        desk.run(&words);
        let kept = root().join(format!("target/browser/{name}.{form}"));
        fs::copy(desk.path().join(file), kept).unwrap();
    }
    let file = desk.path().join("page.html");
    fs::write(&file, "<!DOCTYPE html><title>Pictures</title>").unwrap();
    let page = chromium.open(&file);
    let seen = compared(&page, ["board.svg", "board.png"]);
    let number = |value: &Value| value.as_f64().unwrap();
    let mut faults = Vec::new();
    if number(&seen["different"]) > TOLERANCE.0 {
        faults.push(format!("{name}: the pictures differ: {seen}"));
    }
    let ratio = number(&seen["width"]) / number(&seen["height"]);
    if (number(&seen["ratio"]) / ratio - 1.0).abs() > 0.01 {
        faults.push(format!("{name}: the pictures differ in shape: {seen}"));
    }
    // A picture without a ground of its own would vanish in a dark mail.
    if seen["transparent"] != 0 {
        faults.push(format!("{name}: the picture is transparent: {seen}"));
    }
    let (requests, console) = page.doings();
    let own = requests
        .iter()
        .all(|url| Path::new(url).starts_with("file:"));
    if !own || !console.is_empty() {
        faults.push(format!("{name}: {requests:?} {console:?}"));
    }
    faults
}

/// Everything that a poster can draw on a board.
const DRAWN: &[&str] = &[
    "--theme",
    "dark",
    "--arrow",
    "b2d7:red",
    "--circle",
    "c3,d4:blue",
    "--light",
    "h8,g7:yellow",
    "--caption",
    "White to move, and what would you play? The pawn of d4 hangs; so does the one of f6.",
];

#[test]
fn svg_and_png_are_one_picture() {
    let chromium = Chromium::start();
    let mut faults = Vec::new();
    for game in GAMES {
        let file = root().join(format!("games/{game}.txt"));
        let file = file.to_str().expect("a path in UTF-8");
        for (name, at, more) in [
            ("middle", "21", &["--size", "480", "--flip"][..]),
            ("dark", "20", &["--size", "160", "--theme", "dark"]),
            ("drawn-on", "20", DRAWN),
        ] {
            let arguments = [&["--at", at, file], more].concat();
            faults.extend(compare(
                &chromium,
                &format!("picture-{game}-{name}"),
                &arguments,
            ));
        }
    }
    let file = |game: &str| root().join(format!("games/{game}.txt"));
    for (name, game, arguments) in [
        ("picture-large", "demo", &["--size", "1600"][..]),
        ("picture-inside", "chess", &["--coords", "in"]),
        ("picture-bare", "unachess", &["--coords", "none"]),
        ("picture-book", "shogi", &["--coords", "shogi"]),
        (
            "picture-book-dark",
            "unashogi",
            &["--coords", "shogi", "--theme", "dark"],
        ),
    ] {
        let file = file(game);
        let arguments = [arguments, &[file.to_str().expect("a path in UTF-8")]].concat();
        faults.extend(compare(&chromium, name, &arguments));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
