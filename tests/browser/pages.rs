//! The page of a match: every sample is replayed on it, and moves are picked on it and sent.

use std::fs;

use serde_json::{Value, json};

use crate::browser::Chromium;
use crate::desk::{Desk, GAMES, root};
use crate::page::{Page, Screen};

/// The board as `show --as json` has it, read from what is drawn.
const DRAWN: &str = "Array.from(document.querySelectorAll('#board .row'), row =>
    Array.from(row.querySelectorAll('.square'), square => {
        const use = square.querySelector('use');
        if (!use) return '-';
        const [, side, promoted, letter] = use.getAttribute('href').match(/^#[clf]-([wb])(p?)([A-Z])$/);
        return (promoted ? '+' : '') + (side === 'w' ? letter : letter.toLowerCase());
    }).join(''))";

/// What is drawn in reserve, the strip below first.
const HELD: &str = "['below', 'above'].flatMap(id => Array.from(document.querySelectorAll(`#${id} .held li`))).map(item => {
    const [, side, letter] = item.querySelector('use').getAttribute('href').match(/^#[clf]-([wb])([A-Z])$/);
    return (side === 'w' ? letter : letter.toLowerCase()).repeat(Number(item.textContent));
}).join('')";

/// What is wrong with a page that is too wide or has buttons too small for a finger.
const FAULTS: &str = "(() => {
    const faults = [];
    const width = document.documentElement.scrollWidth;
    if (width > innerWidth) faults.push(`the page is ${width} pixels wide`);
    for (const button of document.querySelectorAll('button, .button, input, summary')) {
        const box = button.getBoundingClientRect();
        const isOfBoard = button.closest('#board, #moves');
        if (box.height > 0 && box.height < (isOfBoard ? 31 : 43.5)) faults.push(`${button.outerHTML}: ${box.height} pixels high`);
        if (box.right > innerWidth + 0.5) faults.push(`${button.outerHTML} reaches to ${box.right}`);
    }
    return faults;
})()";

fn sample_file(game: &str) -> String {
    let file = root().join(format!("games/{game}.txt"));
    file.to_str().expect("a path in UTF-8").to_owned()
}

fn shown(desk: &Desk, file: &str, plies: usize) -> Value {
    let plies = plies.to_string();
    serde_json::from_str(&desk.run(&["show", "--as", "json", "--at", &plies, file])).unwrap()
}

/// Opens a page as a file.
fn open(chromium: &Chromium, desk: &Desk, html: &str) -> Page {
    let file = desk.path().join("page.html");
    fs::write(&file, html).unwrap();
    chromium.open(&file)
}

#[track_caller]
fn assert_shows(page: &Page, expected: &Value, name: &str) {
    assert_eq!(page.evaluate(DRAWN), expected["board"], "{name}");
    let held = ["white", "black"].map(|side| expected["reserves"][side].as_str().unwrap_or(""));
    let drawn = page.evaluate(HELD);
    assert_eq!(drawn, held.concat(), "{name}");
}

#[test]
fn every_sample_is_replayed_to_its_end() {
    let chromium = Chromium::start();
    let desk = Desk::referee();
    for game in GAMES {
        let file = sample_file(game);
        let page = open(
            &chromium,
            &desk,
            &desk.run(&["show", "--as", "html", &file]),
        );
        let whole: Value =
            serde_json::from_str(&desk.run(&["show", "--as", "json", &file])).unwrap();
        let moves = whole["moves"].as_array().unwrap();
        assert_shows(&page, &whole, game);
        page.press("Home");
        for (at, text) in moves.iter().enumerate() {
            // Each position is compared at the ends, and some on the way.
            if at < 4 || at % 9 == 0 {
                assert_shows(
                    &page,
                    &shown(&desk, &file, at),
                    &format!("{game} after {at}"),
                );
            }
            page.press("ArrowRight");
            let current =
                page.evaluate("document.querySelector('[aria-current=step]').textContent");
            assert_eq!(current, *text, "{game}");
        }
        assert_shows(&page, &whole, game);
        let status = page.evaluate("document.getElementById('status').textContent");
        assert!(status.as_str().unwrap().ends_with('.'), "{game}: {status}");
        // By the buttons and the list, and from the other side.
        page.click("#back");
        assert_shows(&page, &shown(&desk, &file, moves.len() - 1), game);
        page.click("#moves button");
        assert_shows(&page, &shown(&desk, &file, 1), game);
        page.press("f");
        let turned = page.evaluate(DRAWN);
        let mut rows: Vec<Value> = turned.as_array().unwrap().clone();
        rows.reverse();
        let back: Vec<String> = rows
            .iter()
            .map(|row| reversed(row.as_str().unwrap()))
            .collect();
        assert_eq!(json!(back), shown(&desk, &file, 1)["board"], "{game}");
        let (requests, console) = page.doings();
        assert_eq!(
            (requests.len(), console.as_slice()),
            (0, &[][..]),
            "{game}: {requests:?}"
        );
    }
}

/// A row from the other side; a `+` stays before its piece.
fn reversed(row: &str) -> String {
    let mut pieces: Vec<String> = Vec::new();
    for c in row.chars() {
        match pieces.last_mut() {
            Some(last) if last == "+" => last.push(c),
            _ => pieces.push(c.to_string()),
        }
    }
    pieces.reverse();
    pieces.concat()
}

/// A turn that is picked on a page.
struct Scene {
    name: &'static str,
    game: &'static str,
    /// The moves before it.
    moves: &'static str,
    /// The places to point to, and the words of buttons.
    path: &'static [&'static str],
    /// The text that is sent.
    text: &'static str,
}

const fn scene(
    name: &'static str,
    game: &'static str,
    moves: &'static str,
    path: &'static [&'static str],
    text: &'static str,
) -> Scene {
    Scene {
        name,
        game,
        moves,
        path,
        text,
    }
}

const SCENES: [Scene; 9] = [
    scene("drop", "unachess", "", &["@P", "e3"], "P>e3"),
    scene("drop-of-black", "unachess", "P>e3", &["@n", "g5"], "n>g5"),
    scene("capture", "chess", "P-e4 p-d5", &["e4", "d5"], "Pxd5"),
    scene(
        "promotion",
        "chess",
        "P-a4 p-b5 Pxb5 p-a6 Pxa6 n-c6 P-a7 r-b8",
        &["a7", "b8", "Becomes a knight"],
        "Pxb8=N",
    ),
    scene(
        "promotion-in-shogi",
        "shogi",
        "P-c4 p-f6 Bxf6 r-f8",
        &["f6", "e7", "Becomes a promoted bishop"],
        "Bxe7=+B",
    ),
    scene("relocation", "newchess", "", &["@N", "a2", "e4"], "N>a2/e4"),
    scene(
        "placement",
        "kingchess",
        "",
        &["@P", "b3", "@K", "b1", "@B", "b2", "Take this placement"],
        "K>b1,B>b2,P>b3",
    ),
    scene(
        "castling",
        "chess",
        "P-e4 p-e5 N-f3 n-f6 B-c4 b-c5",
        &["e1", "g1"],
        "O-O",
    ),
    scene(
        "castling-by-the-rook",
        "chess",
        "P-e4 p-e5 N-f3 n-f6 B-c4 b-c5",
        &["e1", "h1"],
        "O-O",
    ),
];

/// How a move is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Mouse,
    Drag,
    Finger,
    Slide,
    Keys,
    Typing,
}

/// What finds a place on the page.
fn selector(place: &str) -> String {
    if place.starts_with('@') {
        format!("button[data-place='{place}']")
    } else {
        format!(".square[data-place='{place}'] button")
    }
}

/// Picks a path on a page, and gives the link that writes the answer.
fn pick(page: &Page, scene: &Scene, by: By) -> String {
    if by == By::Typing {
        page.evaluate("document.getElementById('typed').focus()");
        // As people write it.
        page.write(&scene.text.to_lowercase().replace('-', ""));
        page.press("Enter");
    } else {
        let mut path = scene.path;
        while let [first, rest @ ..] = path {
            path = rest;
            if first.len() > 3 {
                let button = format!(
                    "(() => {{
                        const buttons = Array.from(document.querySelectorAll('#choices button'));
                        const button = buttons.find(button => button.textContent === {});
                        button.id = 'meant';
                        button.focus();
                    }})()",
                    json!(first)
                );
                page.evaluate(&button);
                point(page, "#meant", by);
                continue;
            }
            let second = rest.first().filter(|second| second.len() < 4);
            match (by, second) {
                (By::Drag, Some(second)) => {
                    page.drag(&selector(first), &selector(second));
                    path = &rest[1..];
                }
                (By::Slide, Some(second)) => {
                    page.slide(&selector(first), &selector(second));
                    path = &rest[1..];
                }
                (By::Keys, _) if !first.starts_with('@') => walk(page, first),
                _ => point(page, &selector(first), by),
            }
        }
    }
    let link = page.evaluate("document.getElementById('mail').href");
    let link = link.as_str().unwrap_or_default().to_owned();
    assert!(
        link.starts_with("mailto:"),
        "{} by {by:?}: {link}",
        scene.name
    );
    link
}

fn point(page: &Page, selector: &str, by: By) {
    match by {
        By::Mouse | By::Drag => page.click(selector),
        By::Finger | By::Slide => page.tap(selector),
        By::Keys | By::Typing => {
            page.evaluate(&format!(
                "document.querySelector({}).focus()",
                json!(selector)
            ));
            page.press("Enter");
        }
    }
}

/// Goes to a square with the arrow keys, from the one that the tab key stops at.
fn walk(page: &Page, square: &str) {
    page.evaluate("document.querySelector('#board button[tabindex=\"0\"]').focus()");
    let steps = page.evaluate(&format!(
        "(() => {{
            const all = Array.from(document.querySelectorAll('#board .square'));
            const from = all.indexOf(document.activeElement.closest('.square'));
            const to = all.findIndex(square => square.dataset.place === '{square}');
            const width = Math.sqrt(all.length);
            return [to % width - from % width, Math.floor(to / width) - Math.floor(from / width)];
        }})()"
    ));
    let steps = [0, 1].map(|at| steps[at].as_i64().unwrap());
    for (steps, back, on) in [
        (steps[0], "ArrowLeft", "ArrowRight"),
        (steps[1], "ArrowUp", "ArrowDown"),
    ] {
        for _ in 0..steps.abs() {
            page.press(if steps < 0 { back } else { on });
        }
    }
    let place = page.evaluate("document.activeElement.closest('.square').dataset.place");
    assert_eq!(place, square);
    page.press("Enter");
}

/// Undoes the encoding of a link.
fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits: Vec<u8> = rest.by_ref().take(2).collect();
            let digits = std::str::from_utf8(&digits).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// The message that a link begins, from a player.
fn message(link: &str, from: &str) -> String {
    let (to, fields) = link
        .strip_prefix("mailto:")
        .unwrap()
        .split_once('?')
        .unwrap();
    let (subject, body) = fields.split_once('&').unwrap();
    let subject = plain(subject.strip_prefix("subject=").unwrap());
    let body = plain(body.strip_prefix("body=").unwrap());
    format!(
        "From: {from}@example.org\nTo: {}\nSubject: {subject}\nMessage-ID: <{}@mail.test>\n\
         MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}\n",
        plain(to),
        body.len()
    )
}

/// A referee's desk whose mails have pages, and the page of the last mail to the side to move.
fn turn(scene: &Scene) -> (Desk, String, &'static str) {
    let desk = Desk::referee();
    desk.configure("page = true\n");
    desk.begin(scene.game, scene.moves, &["--send"]);
    let is_white = scene.moves.split_whitespace().count().is_multiple_of(2);
    let player = if is_white { "anna" } else { "ben" };
    let mails = desk.mails();
    let other = mails
        .iter()
        .find(|mail| !mail.to.starts_with(player))
        .unwrap();
    assert!(
        other.page.is_none(),
        "{}: only the player to move gets a page",
        scene.name
    );
    let mail = mails
        .into_iter()
        .find(|mail| mail.to.starts_with(player))
        .unwrap();
    (desk, mail.page.expect("a page"), player)
}

#[test]
fn moves_are_picked_by_mouse_finger_and_keys_and_played() {
    let chromium = Chromium::start();
    for scene in &SCENES {
        let (desk, html, player) = turn(scene);
        let opponent = if player == "anna" { "ben@" } else { "anna@" };
        assert!(!html.contains(opponent), "{}", scene.name);
        let mut links = Vec::new();
        for by in [
            By::Mouse,
            By::Drag,
            By::Finger,
            By::Slide,
            By::Keys,
            By::Typing,
        ] {
            let page = open(&chromium, &desk, &html);
            if matches!(by, By::Finger | By::Slide) {
                page.with_touch();
                page.show_on(Screen::new(360, false));
            } else {
                page.show_on(Screen::new(1280, false));
            }
            let link = pick(&page, scene, by);
            assert!(
                plain(&link).contains(&format!("&body={}\r\n", scene.text)),
                "{} by {by:?}: {link}",
                scene.name
            );
            if !links.contains(&link) {
                links.push(link);
            }
            let (requests, console) = page.doings();
            assert_eq!(
                (requests.len(), console.as_slice()),
                (0, &[][..]),
                "{}: {requests:?}",
                scene.name
            );
        }
        assert_eq!(links.len(), 1, "{}: {links:?}", scene.name);
        let message = message(&links[0], player);
        for policy in ["", "\n[policy]\nidentity = \"token\"\n"] {
            desk.configure(policy);
            let word = desk.receive_message(&message, &["--dry-run"]);
            assert_eq!(word, "accepted", "{}: {message}", scene.name);
        }
    }
}

/// The pages are kept as pictures: look at them in `target/browser`.
#[test]
fn pages_can_be_read_on_every_screen() {
    let chromium = Chromium::start();
    let mut faults = Vec::new();
    let mut look = |name: &str, page: &Page| {
        for screen in Screen::ALL {
            page.show_on(screen);
            let found = page.evaluate(FAULTS);
            let found = found.as_array().unwrap().iter().map(ToString::to_string);
            let found = found.chain(page.barriers());
            faults.extend(found.map(|fault| format!("{name} {}: {fault}", screen.name())));
            page.photograph(&format!("page-{name}"), screen);
        }
    };
    let desk = Desk::referee();
    for game in ["unachess", "shogi", "kingchess"] {
        let page = open(
            &chromium,
            &desk,
            &desk.run(&["show", "--as", "html", &sample_file(game)]),
        );
        // What is scrolled out of sight has no contrast that could be measured.
        page.evaluate(
            "(() => {
                document.querySelectorAll('details').forEach(details => { details.open = true; });
                document.getElementById('moves').style.maxHeight = 'none';
            })()",
        );
        look(game, &page);
    }
    for scene in [&SCENES[1], &SCENES[3], &SCENES[6]] {
        let (desk, html, _) = turn(scene);
        let page = open(&chromium, &desk, &html);
        let place = scene.path[0];
        page.click(&selector(place));
        look(&format!("{}-begun", scene.name), &page);
        page.click(&selector(place));
        pick(&page, scene, By::Mouse);
        look(scene.name, &page);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The lists of an archive, and the page of a match in it.
#[test]
fn an_archive_can_be_read_on_every_screen() {
    let chromium = Chromium::start();
    let desk = Desk::referee();
    desk.begin("unachess", "P>e3 n>g5 B>f4", &["--event", "A cup of 2026"]);
    assert_eq!(desk.receive("ben", "resign\n"), "command");
    desk.configure("\n[club]\nname = \"The Drop Chess Club\"\ncolor = \"#7a1f1f\"\n");
    desk.run(&["archive", "site"]);
    let mut faults = Vec::new();
    for name in [
        "index",
        "players",
        "crosstable",
        "events",
        "games/unachess",
        "years/2026",
        "matches/m",
    ] {
        let page = chromium.open(&desk.path().join(format!("site/{name}.html")));
        for screen in Screen::ALL {
            page.show_on(screen);
            let found = page.evaluate(FAULTS);
            let found = found.as_array().unwrap().iter().map(ToString::to_string);
            let barriers = page.barriers().into_iter();
            // No contrast can be measured of what is scrolled out of sight, or of one digit.
            let found = found.chain(barriers.filter(|barrier| {
                let unknown = ["partially obscured", "too short to determine"];
                unknown.iter().all(|why| !barrier.contains(why))
            }));
            faults.extend(found.map(|fault| format!("{name} {}: {fault}", screen.name())));
            page.photograph(&format!("archive-{}", name.replace('/', "-")), screen);
        }
        let (requests, console) = page.doings();
        assert_eq!((requests.len(), console.as_slice()), (0, &[][..]), "{name}");
    }
    let index = chromium.open(&desk.path().join("site/index.html"));
    index.click(".card a");
    index.evaluate("new Promise(done => setTimeout(done, 500))");
    assert_eq!(
        index.evaluate("document.querySelector('h1').textContent"),
        "Unachess"
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Without scripts the last position is a picture, and the moves are the post.
#[test]
fn a_page_without_scripts_shows_the_end() {
    let chromium = Chromium::start();
    let desk = Desk::referee();
    let html = desk.run(&["show", "--as", "html", &sample_file("unachess")]);
    // A script that its policy does not name is not run.
    let page = open(&chromium, &desk, &html.replace("start();", "start( );"));
    let is_shown = "document.getElementById('still').offsetHeight > 100 && document.getElementById('play').hidden";
    assert_eq!(page.evaluate(is_shown), true);
    let listed =
        page.evaluate("document.getElementById('listed').innerText.trim().split('\\n')[0]");
    assert!(listed.as_str().unwrap().starts_with("K>e1"), "{listed}");
    assert_eq!(
        page.evaluate("document.getElementById('post').offsetHeight > 100"),
        true
    );
}

/// Without scripts a player can still answer: the page has the mail that is to be written.
#[test]
fn a_page_without_scripts_says_how_to_answer() {
    let chromium = Chromium::start();
    let (desk, html, player) = turn(&SCENES[1]);
    let page = open(&chromium, &desk, &html.replace("start();", "start( );"));
    let mut faults = Vec::new();
    for screen in Screen::ALL {
        page.show_on(screen);
        let found = page.evaluate(FAULTS);
        faults.extend(found.as_array().unwrap().iter().map(ToString::to_string));
        faults.extend(page.barriers());
        page.photograph("page-without-scripts", screen);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let link = page.evaluate("document.querySelector('#still a[href^=mailto]').href");
    // As the player goes on in the mail program.
    let message = message(link.as_str().unwrap(), player).replacen("\n\n", "\n\nn>g5", 1);
    let word = desk.receive_message(&message, &["--dry-run"]);
    assert_eq!(word, "accepted", "{message}");
}

/// The board, the moves and the buttons that step through them stand beside each other.
#[test]
fn on_a_desk_a_match_is_within_one_screen() {
    let chromium = Chromium::start();
    let desk = Desk::referee();
    let places =
        "Array.from(['#above', '#board', '#below', '#status', '#controls', '#moves'], name => {
        const box = document.querySelector(name).getBoundingClientRect();
        return [name, box.left, box.right, box.top, box.bottom];
    })";
    let (turned, to_answer, _) = turn(&SCENES[1]);
    let mut pages = vec![open(&chromium, &turned, &to_answer)];
    for game in ["unachess", "shogi", "chess", "kingchess"] {
        let html = desk.run(&["show", "--as", "html", &sample_file(game)]);
        pages.push(open(&chromium, &desk, &html));
    }
    for (number, page) in pages.iter().enumerate() {
        page.resize(1280, 720);
        let places = page.evaluate(places);
        let at = |name: &str, side: usize| {
            let mut all = places.as_array().unwrap().iter();
            let place = all.find(|place| place[0] == name).unwrap();
            place[side].as_f64().unwrap()
        };
        for name in [
            "#above",
            "#board",
            "#below",
            "#status",
            "#controls",
            "#moves",
        ] {
            assert!(
                at(name, 3) >= 0.0 && at(name, 4) <= 720.0,
                "{number} {name}: {places}"
            );
        }
        for name in ["#controls", "#moves"] {
            assert!(at(name, 1) > at("#board", 2), "{number} {name}: {places}");
        }
        assert!(
            at("#board", 2) - at("#board", 1) > 350.0,
            "{number}: {places}"
        );
    }
}

/// A finger that picks a move moves nothing but the piece.
#[test]
fn on_a_telephone_the_board_stays_while_a_move_is_picked() {
    let chromium = Chromium::start();
    let (desk, html, _) = turn(&scene("", "unachess", "P>e3 n>g5 B>f4 n-e6", &[], ""));
    let page = open(&chromium, &desk, &html);
    page.with_touch();
    page.resize(360, 740);
    let place = "[scrollY, document.getElementById('board').getBoundingClientRect().top]";
    let before = page.evaluate(place);
    let hint = "document.getElementById('hint').textContent";
    let lit = |class: &str| {
        let count = format!("document.querySelectorAll('.square.{class}, button.{class}').length");
        page.evaluate(&count).as_u64().unwrap()
    };
    let crossed = "document.querySelector('.square.refused')?.dataset.place ?? null";
    page.tap(&selector("@P"));
    assert_eq!((lit("picked"), page.evaluate(crossed)), (1, Value::Null));
    assert!(lit("goal") > 20);
    for (square, why) in [
        ("a1", "Not to a1: no pawn can be placed on rank 1 now."),
        ("e6", "Not to e6: a knight stands there."),
    ] {
        page.tap(&selector(square));
        assert_eq!(page.evaluate(hint), why);
        assert_eq!(page.evaluate(crossed), square);
        assert!(lit("goal") > 20, "{square}: the piece is still picked");
    }
    // Another piece that can move is picked in its place.
    page.tap(&selector("e3"));
    assert_eq!(page.evaluate(hint), "Picked: e3. Where to?");
    page.tap(&selector("@N"));
    page.tap(&selector("e4"));
    assert_eq!(
        page.evaluate("document.getElementById('what').textContent"),
        "N>e4: knight placed on e4."
    );
    let link = "document.getElementById('mail').getBoundingClientRect()";
    assert_eq!(
        page.evaluate(&format!(
            "{link}.bottom <= innerHeight && {link}.height > 43"
        )),
        true
    );
    assert_eq!(page.evaluate(place), before);
    page.tap("#again");
    assert_eq!(page.evaluate(place), before);
    // Nothing is picked, and nobody has a piece there.
    for (square, why) in [
        ("d5", "d5 is empty: pick a piece first."),
        ("e6", "The knight on e6 is not yours."),
    ] {
        page.tap(&selector(square));
        assert_eq!(page.evaluate(hint), why);
    }
}

/// Whoever knows chess writes a knight's move as there.
#[test]
fn a_move_that_is_typed_without_its_sign_is_offered_with_it() {
    let chromium = Chromium::start();
    let (desk, html, _) = turn(&scene("", "unachess", "P>e3 n>g5 B>f4 n-e6", &[], ""));
    for (typed, offered) in [
        ("Ne5", "N>e5: knight placed on e5"),
        ("nxe5", "N>e5: knight placed on e5"),
        ("d4", "P>d4: pawn placed on d4"),
    ] {
        let page = open(&chromium, &desk, &html);
        page.evaluate("document.getElementById('typed').focus()");
        page.write(typed);
        page.press("Enter");
        let choice = "document.querySelector('#choices button').textContent";
        assert_eq!(page.evaluate(choice), offered, "{typed}");
        let hint = page.evaluate("document.getElementById('hint').textContent");
        assert_eq!(hint, format!("'{typed}' is not legal here. Did you mean:"));
        page.click("#choices button");
        let link = page.evaluate("document.getElementById('mail').href");
        let text = offered.split(':').next().unwrap();
        assert!(
            plain(link.as_str().unwrap()).contains(&format!("&body={text}\r\n")),
            "{typed}: {link}"
        );
    }
}

/// What was written is a text at its move, whatever it looks like.
#[test]
fn words_stand_at_their_moves_and_are_no_markup() {
    let chromium = Chromium::start();
    let desk = Desk::anna();
    desk.begin("unachess", "", &["--invited"]);
    desk.run(&["note", "m", "A good game!"]);
    desk.run(&["move", "m", "P>e3", "--print"]);
    let hostile =
        "</script><script>document.title = 'no'</script><!-- <b>not bold</b>\nsecond line";
    desk.run(&["note", "m", hostile]);
    let page = open(
        &chromium,
        &desk,
        &desk.run(&["show", "m", "--as", "html", "--notes"]),
    );
    let shown = "document.getElementById('notes').innerText";
    let listed = "Array.from(document.querySelectorAll('#moves .notes'), notes => notes.innerText)";
    let (first, second) = ("Anna: A good game!".to_owned(), format!("Anna: {hostile}"));
    assert_eq!(page.evaluate(shown), second);
    assert_eq!(page.evaluate(listed), json!([first, second]));
    page.press("ArrowLeft");
    assert_eq!(page.evaluate(shown), first);
    assert_ne!(page.evaluate("document.title"), "no");
    let mut faults = Vec::new();
    for screen in Screen::ALL {
        page.show_on(screen);
        let found = page.evaluate(FAULTS);
        faults.extend(found.as_array().unwrap().iter().map(ToString::to_string));
        faults.extend(page.barriers());
        page.photograph("page-notes", screen);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let (requests, console) = page.doings();
    assert_eq!((requests.len(), console.as_slice()), (0, &[][..]));
}
