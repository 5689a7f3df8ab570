//! A match as a page of HTML: one file that asks the network for nothing.
//!
//! Its script replays the match and lets a player pick a move. It knows no rules: it
//! draws the positions and picks among the moves that stand in the page as data. Without
//! it there are the last position as a picture, and the post, which `check` and `show`
//! read (`quoting::forum_tags`).

mod data;

use std::fmt::Write as _;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use crate::notation::diagram::draw::DiagramStyle;
use crate::render::escape::{self, is_legal};
use crate::render::page::data::Data;
use crate::render::picture::Picture;
use crate::render::pieces::{self, Pieces};
use crate::render::view::View;
use crate::render::{post, svg};
use crate::rules::{Color, Variant};

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
#[must_use]
pub fn write(view: &View<'_>, is_flipped: bool) -> String {
    let variant = view.diagram.variant();
    let turn = view.record.map(|record| record.position().turn());
    let answering = view.details.answering.as_ref();
    let is_flipped = is_flipped || answering.is_some() && turn == Some(Color::Black);
    let is_shogi = pieces::are_of_shogi(variant.rules());
    let (script, script_source) = match answering {
        Some(_) => &*TO_ANSWER,
        None => &*TO_REPLAY,
    };
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {script_source}; base-uri 'none'; form-action 'none'",
        *STYLE_SOURCE
    );
    let players = &view.details.players;
    let (mut title, mut between) = (variant.game().name.to_owned(), String::new());
    if players.iter().any(|name| !name.is_empty()) {
        between = names(variant, players).join(" \u{2013} ");
        title = format!("{title}: {between}");
    }
    let data = Data::of(view, is_flipped, is_shogi);
    filled(
        PAGE,
        &[
            ("archived", &archived(view)),
            ("policy", &policy),
            ("title", &escape::html(&title)),
            ("style", STYLE),
            ("game", &escape::html(variant.game().name)),
            ("about", &about(view, &between)),
            ("picture", &picture(view, is_flipped)),
            ("pieces", &symbols(variant, is_shogi)),
            (
                "post",
                &escape::html(&post::write(view, DiagramStyle::default())),
            ),
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

/// Writes the line in the head of a page of a site.
fn archived(view: &View<'_>) -> String {
    match &view.details.archived {
        Some(archived) => format!("\n{ARCHIVED}{}\">", escape::html(&archived.stamp)),
        None => String::new(),
    }
}

/// Distinguishes the pages of this version from those of another: letters and digits.
#[must_use]
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
        let home = archived.home;
        // Writing to a text cannot fail.
        let _ = writeln!(lines, "<p><a href=\"{home}\">All matches</a></p>");
    }
    for line in [players, &view.details.event, &options] {
        if !line.is_empty() {
            let _ = writeln!(lines, "<p><bdi>{}</bdi></p>", escape::html(line));
        }
    }
    lines
}

/// Draws the last position, for a reader without scripts.
fn picture(view: &View<'_>, is_flipped: bool) -> String {
    let picture = Picture {
        is_flipped,
        ..Picture::default()
    };
    let drawn = svg::drawing(view, picture).markup;
    let words = escape::html(&data::words(&view.diagram));
    let label = format!("role=\"img\" aria-label=\"{words}\"");
    drawn.replacen("role=\"img\"", &label, 1)
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

/// Puts the parts into a page, each once: what stands in a part is never a name.
fn filled(page: &str, parts: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = page;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, behind) = behind.split_once("}}").unwrap_or_default();
        let part = parts.iter().find(|(known, _)| *known == name);
        filled.push_str(before);
        filled.push_str(part.map_or("", |(_, part)| part));
        rest = behind;
    }
    filled + rest
}
