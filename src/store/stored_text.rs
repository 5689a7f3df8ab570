//! The text of a match that the store has, to which the next change adds.

use std::sync::Arc;

use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::store::state_file::{ParseMatchError, write_above_log, write_log};

/// A match as the store has it, and its text, of which the lines of the log need not be
/// made again.
#[derive(Debug)]
pub struct StoredText {
    pub(super) game: Arc<Match>,
    pub(super) text: String,
    /// The byte at which the log begins, below its heading.
    log: usize,
}

/// A text that continues another: by what stands between `above` and `new` in both.
#[cfg_attr(not(feature = "postgres"), allow(dead_code))]
#[derive(Debug)]
pub(super) struct Continued<'t> {
    /// The text above the log.
    pub(super) above: &'t str,
    /// The bytes above the other text's log.
    pub(super) old_above: i64,
    /// The new lines of the log.
    pub(super) new: &'t str,
    /// The bytes of the other text.
    pub(super) old_text: i64,
}

impl StoredText {
    /// Returns how this text, which was made by [`StoredText::continued`], continues that one.
    #[cfg_attr(not(feature = "postgres"), allow(dead_code))]
    pub(super) fn beyond(&self, old: &StoredText) -> Option<Continued<'_>> {
        let (above, log) = self.text.split_at_checked(self.log)?;
        let (_, old_log) = old.text.split_at_checked(old.log)?;
        Some(Continued {
            above,
            old_above: i64::try_from(old.log).ok()?,
            new: log.strip_prefix(old_log)?,
            old_text: i64::try_from(old.text.len()).ok()?,
        })
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the match with this id. A text whose log would be written otherwise, as a
    /// person may have written it, is not kept: the next change writes it anew.
    ///
    /// # Errors
    ///
    /// As [`Match::read`].
    pub fn read(
        bytes: Vec<u8>,
        id: &Id,
    ) -> Result<(Arc<Match>, Option<StoredText>), ParseMatchError> {
        let (game, log) = Match::read_with_log(&bytes, id)?;
        let game = Arc::new(game);
        let text = log.and_then(|log| {
            Some(StoredText {
                game: Arc::clone(&game),
                text: String::from_utf8(bytes).ok()?,
                log,
            })
        });
        Ok((game, text))
    }

    /// Makes the text of a match.
    pub(super) fn of(game: &Arc<Match>) -> StoredText {
        let mut text = String::new();
        // A text takes whatever is written to it.
        let _ = write_above_log(game, &mut text);
        let log = text.len();
        let _ = write_log(game, 0, &mut text);
        StoredText {
            game: Arc::clone(game),
            text,
            log,
        }
    }

    /// Makes the text of this match with more lines in its log, and reads what is new in it.
    /// Returns none if it is another match or its log has become another.
    pub(super) fn continued(
        &self,
        game: &Arc<Match>,
    ) -> Option<Result<StoredText, ParseMatchError>> {
        let lines = self.game.log.len();
        let is_continued = game.settings == self.game.settings
            && game.headers == self.game.headers
            && game.links.get(..lines) == Some(self.game.links.as_slice())
            && game.log.get(..lines) == Some(self.game.log.as_slice());
        if !is_continued {
            return None;
        }
        let mut text = String::with_capacity(self.text.len() + 1024);
        let _ = write_above_log(game, &mut text);
        let log = text.len();
        text.push_str(&self.text[self.log..]);
        let new = text.len();
        let _ = write_log(game, lines, &mut text);
        let read = Match::read_on(&text, log, new, &self.game);
        Some(read.map(|()| StoredText {
            game: Arc::clone(game),
            text,
            log,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::action::Action;
    use crate::matches::event::{Event, LogEntry};
    use crate::matches::r#match::MatchSettings;
    use crate::rules::Color;

    fn id() -> Id {
        "m".parse().unwrap()
    }

    fn event(event: impl Into<Event>, color: Color) -> LogEntry {
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        LogEntry::new(time, event, color)
    }

    fn begun() -> Match {
        let settings = MatchSettings::sample("m");
        let mut game = Match::new(settings, "2026-11-20T03:00:00Z".parse().unwrap());
        game.push(event(Action::play("P>e3"), Color::White))
            .unwrap();
        game.push(event(
            Event::note("a \"note\"\n of two lines"),
            Color::White,
        ))
        .unwrap();
        game
    }

    fn stored(game: &Match) -> StoredText {
        let read = StoredText::read(game.to_string().into_bytes(), &id()).unwrap();
        read.1.unwrap()
    }

    #[test]
    fn a_longer_text_is_what_would_be_written_anew() {
        let mut stored = stored(&begun());
        let mut game = Match::clone(&stored.game);
        for event in [
            event(Action::play("n>g5"), Color::Black),
            event(Event::note("x"), Color::Black),
            event(Action::Resign, Color::White).remark(Some("x")),
        ] {
            game.push(event).unwrap();
            let longer = Arc::new(game.clone());
            let before = stored;
            stored = before.continued(&longer).unwrap().unwrap();
            assert_eq!(stored.text, game.to_string());
            let Continued {
                above,
                old_above,
                new,
                old_text,
            } = stored.beyond(&before).unwrap();
            let kept = &before.text[usize::try_from(old_above).unwrap()..];
            assert_eq!([above, kept, new].concat(), stored.text);
            assert_eq!(before.text.len(), usize::try_from(old_text).unwrap());
            assert_eq!(stored.text, StoredText::of(&longer).text);
            stored.text.parse::<Match>().unwrap();
        }
    }

    /// Each has been wrong in memory, as by a fault of the program.
    #[test]
    fn what_is_new_is_read_back_and_must_come_to_the_match() {
        let stored = stored(&begun());
        let longer = |change: fn(&mut Match)| {
            let mut game = Match::clone(&stored.game);
            game.push(event(Action::play("n>g5"), Color::Black))
                .unwrap();
            change(&mut game);
            stored.continued(&Arc::new(game))
        };
        assert!(longer(|_| {}).unwrap().is_ok());
        for change in [
            |game: &mut Match| game.links[3] = game.links[2],
            |game: &mut Match| drop(game.state.record.undo()),
            |game: &mut Match| game.log[3] = event(Action::play("n>g4"), Color::Black),
            |game: &mut Match| game.state.ending = Some(crate::matches::action::Ending::Agreed),
        ] {
            assert!(longer(change).unwrap().is_err());
        }
        // These are not the same match with more lines.
        for change in [
            |game: &mut Match| game.log[1] = event(Action::play("P>e4"), Color::White),
            |game: &mut Match| game.links[1] = game.links[2],
            |game: &mut Match| game.headers.push(("Place".to_owned(), "Rome".to_owned())),
            |game: &mut Match| game.settings.event = Some("Cup".to_owned()),
            |game: &mut Match| {
                game.log.truncate(2);
                game.links.truncate(2);
            },
        ] {
            assert!(longer(change).is_none());
        }
    }

    /// Its lines would not be written again as they are.
    #[test]
    fn a_log_that_somebody_wrote_otherwise_is_not_kept() {
        let text = begun().to_string();
        let is_kept = |text: &str| {
            let read = StoredText::read(text.as_bytes().to_vec(), &id());
            let (game, stored) = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(game.to_string(), begun().to_string());
            stored.is_some()
        };
        assert!(is_kept(&text));
        assert!(is_kept(&format!("\u{feff}{text}")));
        let lines = text.lines().filter(|line| !line.starts_with("Chain:"));
        let lines = lines.map(|line| line.split(" chain=").next().unwrap());
        let unchained = lines.collect::<Vec<_>>().join("\n") + "\n";
        for other in [
            text.replace('\n', "\r\n"),
            text.replace("\nLog\n", "\nLog:\n"),
            text.replace("\nLog\n", "\nLog\n\n"),
            text.replace("P>e3 chain", "\"P>e3\" chain"),
            text.replace("T03:00:00Z move", "T04:00:00+01:00 move"),
            format!("{text}\n"),
            format!("{} \n", text.trim_end()),
            unchained,
        ] {
            assert!(!is_kept(&other), "{other}");
        }
    }
}
