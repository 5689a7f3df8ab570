//! Matches that were played, for the benchmarks.

use parapost::matches::action::Action;
use parapost::matches::event::LogEntry;
use parapost::matches::mail::NewMail;
use parapost::matches::mail_id::{IdSecret, MailIds};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::rules::{Color, Record, Variant};

/// The moves of some games of Unachess, so many half-moves each.
pub(crate) fn moves(plies: usize) -> Vec<Vec<String>> {
    let variant = Variant::find("unachess", &[]).expect("a game");
    let game = |seed| {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut record = Record::new(variant.start());
        let mut texts = Vec::new();
        while texts.len() < plies {
            let plies: Vec<_> = record.position().legal_plies().collect();
            let ply = random.choice(plies)?;
            texts.push(record.position().text(&ply));
            record.play(&ply).ok()?;
        }
        record.outcome().is_none().then_some(texts)
    };
    (0..).filter_map(game).take(20).collect()
}

/// Makes a match with these moves, and the mails of the last ones.
pub(crate) fn game(id: &str, index: usize, texts: &[String], goes_on: bool) -> Match {
    let player = |side: &str| format!("{side}{index} <{side}{index}@example.org>");
    let settings = MatchSettings {
        id: id.parse().unwrap(),
        variant: Variant::find("unachess", &[]).unwrap(),
        players: [player("w"), player("b")].map(|player| player.parse().unwrap()),
        referee: None,
        event: None,
        time: None,
        until: None,
        news: None,
        list: None,
        counts_news: false,
        start: None,
    };
    let time = "2026-11-20T03:00:00Z".parse().unwrap();
    let ids = MailIds::new(IdSecret::from_bytes([7; 32]), "example.org");
    let mut game = Match::new(settings, time);
    for (number, text) in texts.iter().enumerate() {
        let side = [Color::White, Color::Black][number % 2];
        let event = LogEntry::new(time, Action::play(text), side);
        let from = format!("<{number}.{id}@players.test>");
        game.push(event.key("msg", Some(from))).unwrap();
        if goes_on {
            let mail = NewMail::new("position", !side);
            let msg = game.owe(time, mail, &ids).unwrap();
            game.sent(time, &msg, "smtp").unwrap();
        }
    }
    if !goes_on {
        game.push(LogEntry::new(time, Action::Resign, Color::White))
            .unwrap();
    }
    game
}
