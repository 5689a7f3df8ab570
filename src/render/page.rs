//! A match as a page of HTML: one file that asks the network for nothing.
//!
//! Its script replays the match and lets a player pick a move. It knows no rules: it draws the
//! positions and picks among the moves that stand in the page as data, positions with their
//! moves and notes, and the moves to answer with. Without it there are the last position as a
//! picture, and the post, which `check` and `show` read (`quoting::boilerplate`).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Not;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use clap::ValueEnum as _;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::notation::diagram::{Diagram, DiagramStyle};
use crate::notation::move_list::clear_text;
use crate::printable::{filled, html, is_legal, percent_encoded};
use crate::render::picture::{self, Picture, SquareUse};
use crate::render::pieces::{self, Pieces};
use crate::render::text;
use crate::render::view::{Answering, Details, ShownNote, View};
use crate::rules::{Color, Mark, Ply, Position, Record, Role, Side, Square, Variant};

/// The beginning of each page.
pub const START: &str = "<!DOCTYPE html>";

/// Stands in the head of each page.
pub const MARK: &str = "<meta name=\"generator\" content=\"parapost\">";

/// Begins a line in the head of each page of a site, those of matches included.
pub const ARCHIVED: &str = "<meta name=\"parapost-archive\" content=\"";

/// The page, with the names of its parts in double braces.
const PAGE: &str = include_str!("page/page.html");

const STYLE: &str = concat!(
    "\n",
    include_str!("look.css"),
    include_str!("page/page.css"),
    include_str!("page/answer.css")
);

/// Shows the positions.
const REPLAY: &str = concat!(
    "\n",
    include_str!("page/board.js"),
    include_str!("page/replay.js")
);

/// Lets a player pick a move; only in a page that has moves to pick.
const ANSWER: &str = concat!(
    include_str!("page/answer.js"),
    include_str!("page/pointer.js")
);

/// A script, and its name in a policy.
type Script = LazyLock<(String, String)>;

/// The scripts of the two kinds of page, put together and hashed once for all pages.
static TO_REPLAY: Script = LazyLock::new(|| named([REPLAY, RUN].concat()));
static TO_ANSWER: Script = LazyLock::new(|| named([REPLAY, ANSWER, RUN].concat()));

/// The name of the styles in a policy.
static STYLE_SOURCE: LazyLock<String> = LazyLock::new(|| source(STYLE));

/// Begins the script of every page.
const RUN: &str = "start();\n";

/// Writes the page of a view. The board of a page to answer on is seen from the side to
/// move.
pub fn write(view: &View<'_>, picture: &Picture) -> String {
    let variant = view.diagram.variant();
    let turn = view.record.map(|record| record.position().turn());
    let answering = view.details.answering.as_ref();
    let is_flipped = picture.is_flipped || answering.is_some() && turn == Some(Color::Black);
    let picture = &Picture {
        is_flipped,
        ..picture.clone()
    };
    let is_shogi = pieces::are_of_shogi(variant.rules());
    let (script, script_source) = match answering {
        Some(_) => &*TO_ANSWER,
        None => &*TO_REPLAY,
    };
    let colors_source = match &view.details.archived {
        Some(archived) if !archived.colors.is_empty() => format!(" {}", source(&archived.colors)),
        _ => String::new(),
    };
    let policy = format!(
        "default-src 'none'; style-src {}{colors_source}; script-src {script_source}; base-uri 'none'; form-action 'none'",
        *STYLE_SOURCE
    );
    let players = &view.details.players;
    let (mut title, mut between) = (variant.game().name.to_owned(), String::new());
    if players.iter().any(|name| !name.is_empty()) {
        between = names(variant, players).join(" \u{2013} ");
        title = format!("{title}: {between}");
    }
    let data = Data::of(view, picture, is_shogi);
    filled(
        PAGE,
        &[
            ("archived", &archived(view)),
            ("policy", &policy),
            ("title", &html(&title)),
            ("style", STYLE),
            ("colors", &colors(view)),
            ("game", &html(variant.game().name)),
            ("about", &about(view, &between)),
            ("picture", &still_picture(view, picture)),
            ("drawings", &drawings(view, picture)),
            ("caption", &caption(picture)),
            ("coords", &coords(picture)),
            ("still", &still(view)),
            ("pieces", &symbols(variant, is_shogi)),
            ("post", &html(&text::post(view, DiagramStyle::default()))),
            ("data", &json(&data)),
            ("script", script),
        ],
    )
}

/// Returns the names of both players, and for a player without one that of the game.
pub(super) fn names(variant: &Variant, players: &[String; 2]) -> [String; 2] {
    Color::ALL.map(|color| match players[color.index()].as_str() {
        "" => variant.player(color).to_owned(),
        name => name.to_owned(),
    })
}

/// Writes the colours of the club whose site the page belongs to.
fn colors(view: &View<'_>) -> String {
    match &view.details.archived {
        Some(archived) if !archived.colors.is_empty() => {
            format!("\n<style>{}</style>", archived.colors)
        }
        _ => String::new(),
    }
}

/// Writes the line in the head of a page of a site.
fn archived(view: &View<'_>) -> String {
    match &view.details.archived {
        Some(archived) => format!("\n{ARCHIVED}{}\">", html(&archived.stamp)),
        None => String::new(),
    }
}

/// Distinguishes the pages of this version from those of another: letters and digits.
pub fn version() -> String {
    let mut hash = Sha256::new();
    for part in [env!("CARGO_PKG_VERSION"), PAGE, STYLE, REPLAY] {
        hash.update(part.as_bytes());
    }
    BASE64.encode(hash.finalize())
}

/// Writes the lines below the heading: the way home, the players, the event and the
/// options.
fn about(view: &View<'_>, players: &str) -> String {
    let options = match view.diagram.variant().options() {
        [] => String::new(),
        options => format!("Options: {}", options.join(", ")),
    };
    let mut lines = String::new();
    if let Some(archived) = &view.details.archived {
        let (home, club) = (archived.home, html(&archived.club));
        // Writing to a text cannot fail.
        let _ = writeln!(lines, "<p><a href=\"{home}\"><bdi>{club}</bdi></a></p>");
    }
    for line in [players, &view.details.event, &options] {
        if !line.is_empty() {
            // Writing to a text cannot fail.
            let _ = writeln!(lines, "<p><bdi>{}</bdi></p>", html(line));
        }
    }
    lines
}

/// Draws the arrows and circles at the last position.
fn drawings(view: &View<'_>, picture: &Picture) -> String {
    if picture.annotations.has_lines() {
        picture::overlay(view, picture)
    } else {
        String::new()
    }
}

/// Writes where the names of files and ranks are.
fn coords(picture: &Picture) -> String {
    let coords = picture
        .annotations
        .coords
        .and_then(|coords| coords.to_possible_value());
    coords.map_or(String::new(), |coords| {
        format!(" data-coords=\"{}\"", coords.get_name())
    })
}

/// Writes the caption below the board.
fn caption(picture: &Picture) -> String {
    let caption = picture.annotations.caption();
    caption.map_or(String::new(), |text| {
        format!("<p id=\"caption\"><bdi>{}</bdi></p>\n", html(&text))
    })
}

/// Draws the last position, for a reader without scripts.
fn still_picture(view: &View<'_>, picture: &Picture) -> String {
    let drawn = picture::drawing(view, picture);
    let words = html(&words(&view.diagram));
    let label = format!("role=\"img\" aria-label=\"{words}\"");
    drawn.replacen("role=\"img\"", &label, 1)
}

/// Writes how to answer, and the list of moves, for a reader without scripts.
fn still(view: &View<'_>) -> String {
    let mut lines = String::new();
    let Some(record) = view.record else {
        return lines;
    };
    let example = record.position().legal_plies().next();
    let example = example.map(|ply| html(&record.position().text(&ply)));
    match (&view.details.answering, example) {
        (
            Some(Answering::Mail {
                to,
                subject,
                lines: behind,
            }),
            Some(example),
        ) => {
            let encoded = |text: &str| percent_encoded(text.as_bytes(), b"");
            let body: Vec<String> = behind.iter().map(|line| encoded(line)).collect();
            let link = format!(
                "mailto:{to}?subject={}&body=%0D%0A{}",
                encoded(subject.trim_end()),
                body.join("%0D%0A")
            );
            let _ = writeln!(
                lines,
                "<h2>How to answer</h2>\n<p><a class=\"button\" href=\"{}\">Begin the mail</a></p>\n\
                 <p>Write your move, like <code>{example}</code>, on its first line, and send it. Or answer our mail \
                 with your move on the first line.</p>",
                html(&link)
            );
        }
        (Some(Answering::Command { before, behind }), Some(example)) => {
            let _ = writeln!(
                lines,
                "<h2>How to answer</h2>\n<p>Run <code>{}</code> with your move in its place.</p>",
                html(before) + &example + &html(behind)
            );
        }
        _ => {}
    }
    let steps = record.steps();
    if steps.is_empty() {
        return lines;
    }
    lines.push_str("<h2>Moves</h2>\n<ol id=\"listed\">\n");
    for pair in steps.chunks(2) {
        let pair: Vec<String> = pair.iter().map(|step| html(&step.to_string())).collect();
        let _ = writeln!(lines, "<li>{}</li>", pair.join(" &nbsp; "));
    }
    lines.push_str("</ol>\n");
    lines
}

/// Defines every piece of a game. Those of shogi have characters, which are turned
/// together with the piece, and letters, which stay upright: those are drawn twice.
fn symbols(variant: &Variant, is_shogi: bool) -> String {
    let styles: &[(&str, bool, bool)] = if is_shogi {
        &[("c", false, false), ("l", false, true), ("f", true, true)]
    } else {
        &[("c", false, false)]
    };
    let mut symbols = String::new();
    for &(prefix, is_flipped, has_letters) in styles {
        let drawn = Pieces {
            is_shogi,
            is_flipped,
            has_letters,
        };
        for kind in variant.rules().kinds {
            for color in Color::ALL {
                let piece = kind.role.of(color);
                let _ = writeln!(
                    symbols,
                    "<symbol id=\"{prefix}-{}\" viewBox=\"0 0 100 100\">{}</symbol>",
                    pieces::id(piece),
                    drawn.body(piece)
                );
            }
        }
    }
    symbols
}

/// Writes data so that nothing in it is a tag, or the end of the script that it stands in.
fn json(data: &Data<'_>) -> String {
    // Serializing texts and numbers cannot fail.
    let text = serde_json::to_string(data).unwrap_or_else(|error| unreachable!("{error}"));
    let legal: String = text.chars().filter(|c| is_legal(*c)).collect();
    legal
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

fn named(script: String) -> (String, String) {
    let source = source(&script);
    (script, source)
}

/// Names a script or a style by its hash, as a policy allows it.
pub(super) fn source(text: &str) -> String {
    let hash = BASE64.encode(Sha256::digest(text.as_bytes()));
    format!("'sha256-{hash}'")
}

/// The data of a page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'v> {
    width: u8,
    is_shogi: bool,
    is_flipped: bool,
    /// The colours of the light squares, at the last position.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    lights: BTreeMap<String, &'static str>,
    /// The two players in the words of the game.
    sides: [&'static str; 2],
    /// Their names, which may be empty.
    players: &'v [String; 2],
    /// The names of the pieces by their letters in capitals.
    roles: BTreeMap<String, &'static str>,
    /// The letters of the reserve in the order in which it is shown.
    slots: Vec<String>,
    /// The first position and the one after each half-move, or a diagram alone.
    positions: Vec<Shown>,
    /// The end of the match in a sentence; none if it goes on.
    ending: Option<String>,
    /// The score of each player; none if the match goes on.
    scores: Option<[char; 2]>,
    /// The moves to answer with.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<MoveChoices<'v>>,
}

/// A position.
#[derive(Default, Serialize)]
struct Shown {
    /// The FEN; of a diagram alone its board and its reserves.
    fen: String,
    /// The pieces in words.
    words: String,
    /// The half-move that led here, with its mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The squares that this half-move used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<(String, SquareUse)>,
    /// The square of a king that is aimed at, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    king: Option<(String, &'static str)>,
    /// The notes written here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Words>,
}

/// A note and its writer.
#[derive(Serialize)]
struct Words {
    by: String,
    text: String,
}

impl<'v> Data<'v> {
    fn of(view: &'v View<'_>, picture: &Picture, is_shogi: bool) -> Data<'v> {
        let variant = view.diagram.variant();
        let rules = variant.rules();
        let letter = |role: Role| role.of(Color::White).to_string();
        let kinds = rules.kinds.iter().map(|kind| kind.role);
        let outcome = view.record.and_then(Record::outcome);
        let by_rules = outcome.map(|outcome| match outcome.winner {
            Some(winner) => format!("{} wins by {}.", variant.player(winner), outcome.reason),
            None => format!("The game is drawn: {}.", outcome.reason),
        });
        let answering = view.record.zip(view.details.answering.as_ref());
        Data {
            width: rules.width,
            is_shogi,
            is_flipped: picture.is_flipped,
            lights: picture.annotations.light_squares(),
            sides: Color::ALL.map(|color| variant.player(color)),
            players: &view.details.players,
            roles: kinds.map(|role| (letter(role), role.name())).collect(),
            slots: rules.slots().map(|(role, _)| letter(role)).collect(),
            positions: match view.record {
                Some(record) => positions(record, &view.details),
                None => vec![Shown::drawn(&view.diagram)],
            },
            ending: view.details.ending.clone().or(by_rules),
            scores: view
                .score
                .map(|score| Color::ALL.map(|color| score.points(color))),
            answer: answering.map(|(record, by)| MoveChoices::new(record.position(), by)),
        }
    }
}

/// Shows every position of a record, with the notes written there.
fn positions(record: &Record, details: &Details) -> Vec<Shown> {
    let mut before = record.start();
    let mut positions = vec![Shown::of(before, before.mark())];
    for (plies, step) in record.steps().iter().enumerate() {
        let after = record.at(plies + 1).unwrap_or(record.position());
        let mut shown = Shown::of(after, step.mark);
        shown.text = Some(step.to_string());
        for (square, used) in picture::used(before, &step.ply, after) {
            shown.squares.push((square.to_string(), used));
        }
        positions.push(shown);
        before = after;
    }
    for note in &details.notes {
        if let Some(shown) = positions.get_mut(note.plies) {
            shown.notes.push(Words::of(note, record, details));
        }
    }
    positions
}

impl Words {
    /// Names the writer, and leaves out characters that would steer a reader's screen.
    fn of(note: &ShownNote, record: &Record, details: &Details) -> Words {
        let [white, black] = names(record.start().variant(), &details.players);
        let is_shown = |c: &char| is_legal(*c);
        Words {
            by: match note.by {
                None => "Referee".to_owned(),
                Some(Color::White) => white,
                Some(Color::Black) => black,
            },
            text: note.text.trim().chars().filter(is_shown).collect(),
        }
    }
}

/// Describes a diagram in words. No line of a page can be taken for a move, so that blanks
/// need not keep them together.
fn words(diagram: &Diagram) -> String {
    text::pieces_in_words(diagram).replace('\u{a0}', " ")
}

impl Shown {
    /// Shows a diagram that belongs to no match.
    fn drawn(diagram: &Diagram) -> Shown {
        let mut fen = diagram.board().fen();
        if let Some(reserves) = diagram.reserves() {
            let rules = diagram.variant().rules();
            let [first, second] =
                Color::ALL.map(|color| text::held(rules, reserves[color.index()], color));
            fen = format!("{fen}[{first}{second}]");
        }
        Shown {
            fen,
            words: words(diagram),
            ..Shown::default()
        }
    }

    /// Shows a position, which the turn before it gave this mark.
    fn of(position: &Position, mark: Mark) -> Shown {
        let how = match mark {
            Mark::None => None,
            Mark::Virtual => Some("virtual"),
            _ => Some("check"),
        };
        let king = position.king(position.turn()).zip(how);
        Shown {
            fen: position.fen(),
            words: words(&Diagram::of(position)),
            king: king.map(|(square, how)| (square.to_string(), how)),
            ..Shown::default()
        }
    }
}

/// The legal moves of a position, for a page on which a player picks one.
///
/// A move has paths: the places that a player points to, one behind the other. A place is
/// a square, or a piece in reserve, `@P`.
#[derive(Serialize)]
struct MoveChoices<'a> {
    by: &'a Answering,
    /// True if a turn may place several pieces, whose drops are among the moves.
    placement: bool,
    /// The letters of the pieces in the order in which a placement is written.
    order: [String; Role::COUNT],
    moves: Vec<Move>,
}

/// A legal move.
#[derive(Serialize)]
struct Move {
    /// The canonical text.
    text: String,
    /// The text that is sent, where it is another one: it comes through what programs do.
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<String>,
    /// The text with the square of origin, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    long: Option<String>,
    /// The move in words.
    words: String,
    paths: Vec<Vec<String>>,
    /// The difference from the other moves of the same path.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<String>,
    /// True for a drop that is no legal turn by itself.
    #[serde(skip_serializing_if = "Not::not")]
    partial: bool,
}

impl<'a> MoveChoices<'a> {
    /// Collects the legal moves of a position. Takes time linear in their number.
    fn new(position: &Position, by: &'a Answering) -> MoveChoices<'a> {
        let mut plies = position.single_plies();
        let legal = plies.len();
        let mut others = position.placement_drops();
        let single: HashSet<Ply> = plies.iter().copied().collect();
        others.retain(|drop| !single.contains(drop));
        plies.extend(others);
        let mut ways: HashMap<(Square, Square), usize> = HashMap::new();
        for ply in &plies {
            if let Ply::Move { from, to, .. } = ply {
                *ways.entry((*from, *to)).or_default() += 1;
            }
        }
        let moves = plies.iter().enumerate().map(|(at, ply)| {
            let is_alone = match ply {
                Ply::Move { from, to, .. } => ways.get(&(*from, *to)) == Some(&1),
                _ => true,
            };
            described(position, ply, is_alone, at >= legal)
        });
        let order = Role::ALL.map(|role| role.of(position.turn()).to_string());
        MoveChoices {
            by,
            placement: position.variant().rules().placement,
            order,
            moves: moves.collect(),
        }
    }
}

/// Describes a move. `is_alone` is false if another one has the same path.
fn described(position: &Position, ply: &Ply, is_alone: bool, is_partial: bool) -> Move {
    let text = position.text(ply);
    let other = |other: String| Some(other).filter(|other| *other != text);
    let held = |role: &Role| format!("@{}", role.of(position.turn()));
    let name = |square: Square| {
        let piece = position.get(square);
        piece.map_or("piece", |piece| piece.role.name())
    };
    let mut choice = None;
    let (words, paths) = match ply {
        Ply::Move {
            from,
            to,
            promotion,
        } => {
            let mut words = if position.get(*to).is_some() {
                format!("{} on {from} takes {} on {to}", name(*from), name(*to))
            } else if text.ends_with("ep") {
                format!("{} on {from} takes on {to} in passing", name(*from))
            } else {
                format!("{} on {from} to {to}", name(*from))
            };
            let becomes = match promotion {
                Some(role) => Some(format!("becomes a {role}")),
                None => (!is_alone).then(|| format!("stays a {}", name(*from))),
            };
            if let Some(becomes) = becomes {
                words = format!("{words}, {becomes}");
                choice = Some(becomes).filter(|_| !is_alone);
            }
            (words, vec![vec![from.to_string(), to.to_string()]])
        }
        Ply::Castle(side) => {
            let words = match side {
                Side::King => "castling on the king's side",
                Side::Queen => "castling on the queen's side",
            };
            (words.to_owned(), castling(position, ply))
        }
        Ply::Drop { role, to } => (
            format!("{role} placed on {to}"),
            vec![vec![held(role), to.to_string()]],
        ),
        Ply::Relocation { role, to, pawn } => (
            format!("{role} placed on {to}, the pawn there goes to {pawn}"),
            vec![vec![held(role), to.to_string(), pawn.to_string()]],
        ),
        Ply::Placement(_) => (text.clone(), Vec::new()),
    };
    let mut sent = None;
    // A drop that is no turn by itself has no text that is read by itself.
    if !is_partial {
        sent = clear_text(position, ply).and_then(other);
    }
    Move {
        sent,
        long: other(position.long_text(ply)),
        words,
        paths,
        choice,
        partial: is_partial,
        text,
    }
}

/// Returns the two ways to point to a castling: the king to the square where it comes to
/// stand, and the king to the rook.
fn castling(position: &Position, ply: &Ply) -> Vec<Vec<String>> {
    let turn = position.turn();
    let (Some(king), Ok(after)) = (position.king(turn), position.play(ply)) else {
        return Vec::new();
    };
    let rook = Role::Rook.of(turn);
    let has_left =
        |square: &Square| position.get(*square) == Some(rook) && after.get(*square) != Some(rook);
    let left = Square::all(position.variant().rules().width).find(has_left);
    let goals = after.king(turn).into_iter().chain(left);
    let path = |goal: Square| vec![king.to_string(), goal.to_string()];
    goals.map(path).collect()
}
