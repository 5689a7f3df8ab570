//! What programs do to an answer: the tapped move is played, or its sender is asked.

use std::env;

use fastrand::Rng;
use parapost::rules::Ply;

use super::{ANNA, BEN, Desk, Draft, drafts};
use crate::outbound::taps::match_of;
use crate::playing;

/// One way to change an answer: its name, what is done, and whether the move must then
/// be played.
type Damage = (&'static str, fn(&Draft, &mut Rng) -> Draft, bool);

const DAMAGES: &[Damage] = &[
    ("nothing", |draft, _| draft.clone(), true),
    (
        "line ends",
        |draft, _| body(draft, |body| body.replace("\r\n", "\n")),
        true,
    ),
    (
        "<BR>",
        |draft, _| body(draft, |body| body.replace("\r\n", "<BR>")),
        true,
    ),
    (
        "<br />",
        |draft, _| body(draft, |body| body.replace("\r\n", "<br />\n")),
        true,
    ),
    (
        "one line",
        |draft, _| body(draft, |body| body.replace("\r\n", " ")),
        true,
    ),
    (
        "glued",
        |draft, _| body(draft, |body| body.replace("\r\n", "")),
        true,
    ),
    (
        "lost plus",
        |draft, _| all(draft, |text| text.replace('+', "")),
        false,
    ),
    (
        "blank plus",
        |draft, _| all(draft, |text| text.replace('+', " ")),
        false,
    ),
    (
        "blank plus in the text",
        |draft, _| body(draft, |text| text.replace('+', " ")),
        false,
    ),
    (
        "signature below",
        |draft, _| body(draft, |body| format!("{body}\n\nSent from my iPhone\n")),
        true,
    ),
    (
        "marked signature",
        |draft, _| body(draft, |body| format!("{body}\n-- \nAnna, 1. P-a4\n")),
        true,
    ),
    (
        "signature above",
        |draft, _| body(draft, |body| format!("Sent from my iPhone\n\n{body}\n")),
        true,
    ),
    (
        "signature glued",
        |draft, _| body(draft, |body| format!("{body}Sent from my iPhone")),
        true,
    ),
    (
        "signature glued above",
        |draft, _| body(draft, |body| format!("Sent from my iPhone {body}")),
        false,
    ),
    (
        "marked signature above",
        |draft, _| body(draft, |body| format!("-- \nAnna\n\n{body}")),
        false,
    ),
    (
        "a break",
        |draft, rng| {
            let at = rng.usize(..draft.body.len());
            body(draft, |body| format!("{}\n{}", &body[..at], &body[at..]))
        },
        false,
    ),
    (
        "two breaks in the move",
        |draft, rng| {
            let length = draft.text().len();
            let (one, other) = (rng.usize(..=length), rng.usize(..=length));
            let (one, other) = (one.min(other), one.max(other));
            body(draft, |body| {
                format!(
                    "{}\n{}\n{}",
                    &body[..one],
                    &body[one..other],
                    &body[other..]
                )
            })
        },
        false,
    ),
    (
        "short lines",
        |draft, _| body(draft, |body| body.replace(' ', "\n")),
        true,
    ),
    ("encoded", |draft, _| all(draft, encoded), true),
    ("encoded text", |draft, _| body(draft, encoded), true),
    (
        "encoded line ends",
        |draft, _| body(draft, |body| body.replace("\r\n", "%0D%0A")),
        true,
    ),
    (
        "typography",
        |draft, _| {
            body(draft, |body| {
                body.replace('-', "\u{2013}").replace(' ', "\u{a0}")
            })
        },
        true,
    ),
    (
        "entities",
        |draft, _| body(draft, |body| body.replace('>', "&gt;")),
        true,
    ),
    (
        "capital code",
        |draft, _| {
            body(draft, |body| {
                let (head, code) = body.rsplit_once(',').unwrap();
                format!("{head},{}", code.to_uppercase())
            })
        },
        true,
    ),
    (
        "as links of earlier versions",
        |draft, _| {
            let (text, code) = (draft.text(), draft.code());
            let made = draft.body.split(',').nth(1).unwrap();
            Draft {
                subject: format!("[demo] {text}"),
                body: format!(
                    "{text}\r\nGame demo, {made} half-moves made.\r\nAnswer code: {code}"
                ),
            }
        },
        true,
    ),
    (
        "words below",
        |draft, _| body(draft, |body| format!("{body}\n\nGood luck!\n")),
        true,
    ),
    (
        "words above",
        |draft, _| body(draft, |body| format!("Good luck!\n\n{body}\n")),
        true,
    ),
    (
        "quoted",
        |draft, _| {
            body(draft, |body| {
                format!("Yes.\n> {}", body.replace("\r\n", "\n> "))
            })
        },
        false,
    ),
    (
        "no subject",
        |draft, _| Draft {
            subject: String::new(),
            ..draft.clone()
        },
        true,
    ),
];

/// What makes HTML of a text.
type Markup = fn(&str) -> String;

/// A damaged answer whose text is a part of the mail of its own.
const HTML: &[(&str, Markup)] = &[
    ("paragraphs", |body| {
        format!(
            "<html><body><p>{}</p></body></html>",
            body.replace("\r\n", "</p>\n<p>")
        )
    }),
    ("lines", |body| {
        format!("<div>{}</div>", body.replace("\r\n", "<br>"))
    }),
    ("divisions", |body| {
        format!(
            "<div>{}</div><br><div>Sent from my iPhone</div>",
            body.replace("\r\n", "</div><div>")
        )
    }),
];

fn body(draft: &Draft, change: impl Fn(&str) -> String) -> Draft {
    draft.with_body(change)
}

fn all(draft: &Draft, change: impl Fn(&str) -> String) -> Draft {
    Draft {
        subject: change(&draft.subject),
        body: change(&draft.body),
    }
}

fn encoded(text: &str) -> String {
    let sign = |c: char| match c {
        c if c.is_ascii_alphanumeric() => c.to_string(),
        c => format!("%{:02X}", u32::from(c)),
    };
    text.chars().map(sign).collect()
}

/// An answer in HTML alone.
fn in_html(letter: &str, markup: Markup) -> String {
    let (head, body) = letter.split_once("\n\n").unwrap();
    let escaped = body.replace('&', "&amp;").replace('>', "&gt;");
    let head = head.replace("text/plain", "text/html");
    format!("{head}\n\n{}", markup(&escaped))
}

/// A link of each of 200 positions of all games, opened as a mail program would and
/// changed in one of the ways; with `PARAPOST_EVERY_TAP` every link of them.
#[test]
#[ignore = "takes long"]
fn a_tap_plays_its_move_or_is_asked_about() {
    let is_all = env::var_os("PARAPOST_EVERY_TAP").is_some();
    let mut rng = Rng::with_seed(1994);
    let variants = crate::variants::variants();
    let (mut way, mut failures) = (0, Vec::new());
    for at in 0..200 {
        let variant = &variants[at * 7 % variants.len()];
        let plies = rng.usize(..if at % 3 == 0 { 12 } else { 90 });
        let record = playing::game(variant, plies, &mut rng);
        let game = match_of(&record);
        if game.turn().is_none() {
            continue;
        }
        let desk = Desk::of("address", &game);
        let mut links = drafts(&desk.taps());
        let game = desk.game();
        if !is_all {
            // Those that a change could make another move of come first.
            rng.shuffle(&mut links);
            links.sort_by_key(|draft| !draft.text().contains(['+', '/', '=', 'O']));
            links.truncate(1);
        }
        for link in links {
            way += 1;
            let policy = ["address", "token"][way % 2];
            // An odd number of ways, so that each meets both policies.
            failures.extend(tap(&game, &link, way, policy, &mut rng));
        }
    }
    let shown: Vec<String> = failures.iter().take(12).cloned().collect();
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        shown.join("\n----\n")
    );
}

/// Sends a link's answer changed in one way, and returns what is wrong with what comes
/// of it.
fn tap(
    game: &parapost::matches::r#match::Match,
    link: &Draft,
    way: usize,
    policy: &str,
    rng: &mut Rng,
) -> Option<String> {
    let desk = Desk::of(policy, game);
    let from = [ANNA, BEN][game.turn().unwrap().index()];
    let way = way % (DAMAGES.len() + HTML.len());
    let (name, message, must_play) = if let Some((name, change, must_play)) = DAMAGES.get(way) {
        let message = desk.letter(from, "", &change(link, rng));
        (*name, message, *must_play)
    } else {
        let (name, markup) = HTML[way - DAMAGES.len()];
        (name, in_html(&desk.letter(from, "", link), markup), true)
    };
    let heard = desk.hears(&message);
    let before = game.record().steps().len();
    let after = desk.game();
    let steps = after.record().steps();
    let text = link.text();
    let fault = |what: &str| {
        Some(format!(
            "{name} under {policy}: {what}: {text} came to {}\n{message}\n{}",
            heard.word, heard.stderr
        ))
    };
    let is_unfinished = text.ends_with('>');
    match steps.get(before..) {
        Some([]) => {}
        Some([step]) if !is_unfinished => {
            let meant = game
                .position()
                .read_with(text, parapost::rules::notation::Voice::Alone);
            let is_same = |ply: &Ply| meant.as_ref().is_ok_and(|meant| meant.ply == *ply);
            if !is_same(&step.ply) {
                return fault(&format!("{} was played", step.text));
            }
        }
        _ => return fault("another move was played"),
    }
    let is_asked = matches!(heard.word.as_str(), "refused" | "ambiguous" | "confirm");
    let is_heard =
        heard.word == "accepted" || is_asked || policy == "token" && heard.word == "stranger";
    if !is_heard && name != "quoted" && name != "marked signature above" {
        return fault("it was not answered");
    }
    if must_play && !is_unfinished && heard.word != "accepted" {
        return fault("it was not played");
    }
    let notes: Vec<_> = after.log().iter().filter(|event| event.is_note()).collect();
    if notes
        .iter()
        .any(|note| note.argument() != Some("Good luck!"))
        && name != "quoted"
    {
        return fault(&format!("words were carried: {notes:?}"));
    }
    let code = link.code().to_lowercase();
    let everything = format!("{}{}{}", heard.stdout, heard.stderr, after).to_lowercase();
    if everything.contains(&code) {
        return fault("the code is shown");
    }
    None
}
