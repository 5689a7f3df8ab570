//! The state files that are damaged.

use parapost::matches::action::Action;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::mail::{MailKind, MailStep, NewMail};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::Color;

use crate::matches::log::{ids, settings, time};

/// A match with something of everything: options, several addresses, notes that need quoting, a move undone, one taken
/// back by agreement, draws offered and declined, mail sent, owed and gone by other means, a header nobody knows.
fn rich() -> String {
    let (white, black) = (Color::White, Color::Black);
    let mut game = Match::new(
        MatchSettings {
            event: Some("Autumn cup".to_owned()),
            time: Some("10d".parse().unwrap()),
            until: None,
            news: None,
            list: None,
            counts_news: false,
            start: None,
            ..settings("newchess", &["rooks-placed"])
        },
        time(),
    );
    let play = |game: &mut Match, take: usize| {
        let side = game.position().turn();
        let plies = game.position().single_plies();
        let text = game.position().text(&plies[take % plies.len()]);
        game.push(LogEntry::new(time(), Action::play(text), side))
            .unwrap();
        game.owe(time(), NewMail::new("position", !side), &ids())
            .unwrap()
    };
    for take in [3, 11, 40] {
        let msg = play(&mut game, take);
        game.sent(time(), &msg, "folder").unwrap();
    }
    play(&mut game, 7);
    game.push(LogEntry::new(time(), Event::Undo, black))
        .unwrap();
    let msg = play(&mut game, 9);
    game.sent(time(), &msg, "folder").unwrap();
    let event = game.entry(time(), Action::ProposeTakeback, white);
    game.push(event).unwrap();
    let event = game.entry(time(), Action::AcceptTakeback, black);
    game.push(event).unwrap();
    let msg = play(&mut game, 5);
    game.sent(time(), &msg, "folder").unwrap();
    game.push(LogEntry::new(time(), Action::OfferDraw, white))
        .unwrap();
    game.push(LogEntry::new(time(), Action::DeclineDraw, black))
        .unwrap();
    let note = Event::note("a \"note\"\nwith a chain=0123456789abcdef in it, Björn");
    game.push(LogEntry::new(time(), note, black)).unwrap();
    let sent = Event::Mail(MailStep::Sent, Some(MailKind::Position));
    let sent = LogEntry::new(time(), sent, white);
    game.push(sent.key("msg", Some("<by.hand@example.org>")))
        .unwrap();
    play(&mut game, 2);
    game.push(LogEntry::new(time(), Action::OfferDraw, black))
        .unwrap();
    game.to_string()
        .replace("\nChain:", "\nArbiter: Eve <eve@example.org>\nChain:")
}

/// A match that ended in a draw by agreement.
fn drawn() -> String {
    let mut game = Match::new(settings("unachess", &["no-double-step"]), time());
    for text in ["P>e3", "n>g5"] {
        let side = game.position().turn();
        game.push(LogEntry::new(time(), Action::play(text), side))
            .unwrap();
    }
    game.push(LogEntry::new(time(), Action::OfferDraw, Color::Black))
        .unwrap();
    game.push(LogEntry::new(time(), Action::AcceptDraw, Color::White))
        .unwrap();
    game.to_string()
}

/// The same file written by hand: without a chain.
pub(super) fn unchained(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("Chain: "));
    let cut = |line: &str| match line.rsplit_once(" chain=") {
        Some((line, hash)) if hash.len() == 16 => line.to_owned(),
        _ => line.to_owned(),
    };
    lines.map(|line| cut(line) + "\n").collect()
}

fn sample(name: &str) -> String {
    std::fs::read_to_string(format!("{}/games/{name}.txt", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The files that are damaged, by name.
pub(crate) fn files() -> Vec<(&'static str, String)> {
    vec![
        ("a referee's match", sample("demo")),
        ("Kingchess", sample("kingchess")),
        ("shogi", sample("shogi")),
        ("something of everything", rich()),
        ("a draw agreed", drawn()),
        ("without a chain", unchained(&sample("demo"))),
        ("everything without a chain", unchained(&rich())),
    ]
}
