//! The memory that a match takes.

use crate::matches::r#match::Match;
use crate::rules::{Position, Step};

/// The bytes of an event besides its text.
const EVENT: usize = 256;

/// The bytes of a half-move: its position, and what repetition compares of that.
const PLY: usize = 2 * size_of::<Position>() + size_of::<Step>() + 64;

impl Match {
    /// Returns about how many bytes of memory the match takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        let events = self.log.iter().map(|event| EVENT + event.size());
        events.sum::<usize>() + PLY * (self.record().steps().len() + 1)
    }
}

#[cfg(test)]
mod tests {
    use allocation_counter::measure;

    use crate::matches::event::{Event, EventKind};
    use crate::matches::mail_id::{MailIds, Secret};
    use crate::matches::r#match::{Match, MatchSettings, NewMail};
    use crate::rules::Color;

    /// The cache of matches held as many as ever, however long they were.
    #[test]
    fn a_match_takes_about_as_much_memory_as_it_says() {
        let settings = MatchSettings::sample("m");
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        let ids = MailIds::new(Secret::from_bytes([7; 32]), "example.org");
        let mut game = Match::new(settings, time);
        let mut random = fastrand::Rng::with_seed(7);
        for number in 0..=60 {
            let plies = game.position().single_plies();
            let Some(ply) = random.choice(plies).filter(|_| game.turn().is_some()) else {
                break;
            };
            let side = game.position().turn();
            let event =
                Event::new(time, EventKind::Move, side).argument(game.position().text(&ply));
            let from = format!("<{number}.abcdef@players.example.org>");
            game.push(event.key("msg", Some(from))).unwrap();
            for to in Color::ALL {
                let msg = game.owe(time, NewMail::new("position", to), &ids).unwrap();
                game.sent(time, &msg, "smtp").unwrap();
            }
            if number % 20 != 0 {
                continue;
            }
            let mut copy = None;
            let taken = measure(|| copy = Some(game.clone()));
            let (taken, said) = (taken.bytes_current, i64::try_from(game.memory()).unwrap());
            assert!(
                taken <= said && said <= 3 * taken,
                "{number}: {taken}, not {said}"
            );
        }
    }
}
