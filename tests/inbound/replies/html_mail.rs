//! An imitation of the HTML of our mails, worse than the real one: the texts of its
//! links may be moves.

use std::fmt::Write;

use parapost::rules::{Color, File, Ply, Position, Rank, Role, Square};

use super::scene::Scene;

/// The texts of the links.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Labels {
    /// Bare moves, as somebody's own templates may have them.
    Moves,
    /// Words, as our templates have them.
    Words,
}

/// The most links of a mail.
const MOST: usize = 60;

/// The HTML between the tags of the body.
pub(crate) fn of(scene: &Scene, labels: Labels) -> String {
    let position = scene.game.position();
    let ours = "role=\"presentation\" class=\"parapost\" style=\"border-collapse:collapse\"";
    let lines = || scene.mail.lines();
    let news = escaped(lines().next().unwrap_or_default());
    let mut html = format!(
        "<p style=\"font-size:16px\">{news}</p>\n\
         <table {ours}><tr><td style=\"padding:8px\"><img src=\"cid:board@parapost\" width=\"320\" height=\"320\" alt=\"{}\"></td></tr></table>\n",
        alt(position)
    );
    let owed = scene.game.owed();
    let words = owed.last().and_then(|mail| mail.text.as_ref());
    if let Some(words) = words {
        let words = escaped(words).replace('\n', "<br>\n");
        let who = lines()
            .find(|line| line.ends_with(" writes:"))
            .unwrap_or_default();
        let _ = writeln!(html, "<p>{}</p>\n<p>{words}</p>", escaped(who));
    }
    let _ = writeln!(html, "<table {ours}>");
    for (head, links) in groups(scene, labels) {
        let _ = write!(html, "<tr><td><b>{head}</b></td><td>");
        for (label, target) in links {
            let _ = writeln!(
                html,
                "<a href=\"{target}\" style=\"color:#0645ad\">{label}</a>"
            );
        }
        html += "</td></tr>\n";
    }
    html += "</table>\n";
    if labels == Labels::Words {
        html += &boards(position, ours);
    }
    let foot = lines().rfind(|line| line.starts_with("Game demo, "));
    let _ = writeln!(html, "<p>{}</p>", foot.unwrap_or_default());
    html
}

/// The boards whose squares are links, one for each kind in reserve.
fn boards(position: &Position, ours: &str) -> String {
    let mut html = String::new();
    let side = position.turn();
    for role in Role::ALL {
        let drops = position.single_plies().into_iter();
        let squares = drops.filter_map(|ply| match ply {
            Ply::Drop { role: dropped, to } if dropped == role => Some(to),
            _ => None,
        });
        let squares: Vec<Square> = squares.collect();
        if squares.is_empty() {
            continue;
        }
        let _ = writeln!(html, "<p>Place a {role}</p>\n<table {ours}>");
        let width = position.variant().rules().width;
        for rank in Rank::all(width) {
            let _ = write!(html, "<tr><td>{}</td>", rank.digit());
            for file in File::all(width) {
                let square = Square::from_coords(file, rank);
                html += "<td>";
                if squares.contains(&square) {
                    let piece = role.of(side);
                    let target = format!(
                        "mailto:anna@example.org?body={piece}%3E{square}%0D%0AAnswer%20code:demo%2C6%2Cabcde4ghne4klmno"
                    );
                    let _ = write!(html, "<a href=\"{target}\">+</a>");
                }
                html += "</td>";
            }
            html += "</tr>\n";
        }
        html += "<tr><td></td>";
        for file in File::all(width) {
            let _ = write!(html, "<td>{}</td>", file.letter());
        }
        html += "</tr>\n</table>\n";
    }
    html
}

/// The headings, each with the texts and targets of its links.
fn groups(scene: &Scene, labels: Labels) -> Vec<(String, Vec<(String, String)>)> {
    let position = scene.game.position();
    let mut groups: Vec<(String, Vec<(String, String)>)> = Vec::new();
    let has_board = |ply: &&Ply| labels == Labels::Words && matches!(ply, Ply::Drop { .. });
    let plies = position.single_plies();
    for ply in plies.iter().filter(|ply| !has_board(ply)).take(MOST) {
        let text = position.text(ply);
        let (head, words) = in_words(position, ply, &text);
        let label = match labels {
            Labels::Moves => escaped(&text),
            // A program does not break at these blanks.
            Labels::Words => words.replace(' ', "&nbsp;"),
        };
        let link = (label, target(&text));
        match groups.last_mut() {
            Some((last, links)) if *last == head => links.push(link),
            _ => groups.push((head, vec![link])),
        }
    }
    groups
}

/// The heading and the text of a link in words.
fn in_words(position: &Position, ply: &Ply, text: &str) -> (String, String) {
    let long = position.long_text(ply);
    let squares: Vec<&str> = long
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|part| part.get(part.len().saturating_sub(2)..))
        .filter(|part| part.as_bytes().get(1).is_some_and(u8::is_ascii_digit))
        .collect();
    let letter = text.trim_start_matches('+').chars().next().unwrap_or('P');
    let name = Role::from_letter(letter).map_or("piece", Role::name);
    let mut capital = name.to_owned();
    capital[..1].make_ascii_uppercase();
    match squares.as_slice() {
        [from, to, ..] if !text.contains('>') => {
            let does = if text.contains('x') { "takes" } else { "to" };
            let becomes = if text.contains('=') {
                ", becomes a queen"
            } else {
                ""
            };
            (
                format!("{capital} on {from}"),
                format!("{does} {to}{becomes}"),
            )
        }
        _ if text.starts_with('O') => ("King".to_owned(), "castle on the king's side".to_owned()),
        _ => ("In your reserve".to_owned(), format!("Place a {name} on …")),
    }
}

fn target(text: &str) -> String {
    let encoded = |text: &str| {
        text.bytes().fold(String::new(), |mut out, byte| {
            if byte.is_ascii_alphanumeric() {
                out.push(char::from(byte));
            } else {
                let _ = write!(out, "%{byte:02X}");
            }
            out
        })
    };
    format!(
        "mailto:anna%40example.org?subject={}&amp;body={}",
        encoded(&format!("[demo] {text}")),
        encoded(&format!(
            "{text}\r\nGame demo, 6 half-moves made.\r\nAnswer code: abcde4ghne4klmno\r\n"
        ))
    )
    .replacen("%40", "@", 1)
}

/// The position in words.
fn alt(position: &Position) -> String {
    let side = |color: Color| {
        let pieces: Vec<String> = position
            .board()
            .pieces()
            .filter(|(_, piece)| piece.color == color)
            .map(|(square, piece)| format!("{} on {square}", piece.role))
            .collect();
        let held: Vec<String> = Role::ALL
            .iter()
            .filter(|role| position.reserve(color).has(**role))
            .map(|role| format!("{} {role}s", position.reserve(color).count(*role)))
            .collect();
        let or_nothing = |words: Vec<String>| match words.as_slice() {
            [] => "nothing".to_owned(),
            words => words.join(", "),
        };
        format!("{}; reserve: {}", or_nothing(pieces), or_nothing(held))
    };
    format!(
        "White: {}. Black: {}.",
        side(Color::White),
        side(Color::Black)
    )
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
