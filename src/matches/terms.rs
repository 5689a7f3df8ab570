//! The terms of a match as lines of an invitation, which the other player's program
//! reads.

use lettre::Address;

use crate::match_id::Id;
use crate::matches::r#match::{MatchSettings, NEWS, counts_news};
use crate::matches::player::Player;
use crate::printable::is_seen;
use crate::rules::{Color, Variant, VariantError};

/// The maximum width of a line, in columns: no mail program wraps it again.
const WIDTH: usize = 72;

/// The longest name of an event, in characters.
const LONGEST_EVENT: usize = 60;

/// The first key. It begins the lines.
const FIRST: &str = "Rules";

/// The keys, in the order in which they stand.
const KEYS: [&str; 11] = [
    FIRST, "Options", "White", "Black", "Time", "Event", "Referee", "Until", "News", "Moves",
    "List",
];

/// The most lines that are read. Each player may have a few addresses.
const MOST_LINES: usize = 60;

/// Writes the terms of a match as lines, which [`read`] reads. `referee` is the sender, if that is
/// no player. The id is not among them: the foot of the mail has it, with the hash of the terms.
pub(crate) fn write(settings: &MatchSettings, referee: Option<&Address>) -> String {
    let [white, black] = settings.players.each_ref().map(Player::as_known);
    let variant = &settings.variant;
    let options = variant.options().join(", ");
    let values = [
        Some(variant.game().id.to_owned()),
        Some(options).filter(|options| !options.is_empty()),
        Some(white),
        Some(black),
        settings.time.map(|time| time.to_string()),
        settings.event.clone(),
        referee.map(ToString::to_string),
        settings.until.map(|day| day.to_string()),
        settings.news.as_ref().map(ToString::to_string),
        settings.counts_news.then(|| NEWS.to_owned()),
        settings.list.as_ref().map(ToString::to_string),
    ];
    let fields = KEYS.into_iter().zip(values);
    let lines = fields.filter_map(|(key, value)| Some(folded(&format!("{key}: {}", value?))));
    lines.flatten().map(|line| line + "\n").collect()
}

/// Breaks a line that is too wide. The further lines are indented, and a backslash ends a
/// line that breaks inside a word.
fn folded(text: &str) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let joined = length(&line) + 1 + length(word);
        if line.is_empty() {
            line.push_str(word);
        } else if joined <= WIDTH {
            line = format!("{line} {word}");
        } else {
            lines.push(line);
            line = format!("  {word}");
        }
        while length(&line) > WIDTH {
            let cut = line.char_indices().nth(WIDTH - 1).map(|(at, _)| at);
            let rest = line.split_off(cut.unwrap_or(line.len()));
            lines.push(line + "\\");
            line = format!("  {rest}");
        }
    }
    lines.push(line);
    lines
}

/// Reads the terms of a match from the lines of a mail. Returns none if it has none. The
/// lines are data: only what `write` writes is read.
///
/// # Errors
///
/// If the lines are not as `write` writes them, there are several such groups of
/// lines, or a value is none that a match can have.
pub fn read<'l>(
    lines: impl IntoIterator<Item = &'l str>,
    id: &Id,
) -> Result<Option<MatchSettings>, TermsError> {
    let mut groups: Vec<Vec<&str>> = Vec::new();
    let mut is_open = false;
    for line in lines {
        let line = line.trim_end();
        let begins = line
            .strip_prefix(FIRST)
            .is_some_and(|rest| rest.starts_with(": "));
        if begins {
            is_open = true;
            groups.push(Vec::new());
        } else if line.is_empty() {
            is_open = false;
        }
        if let Some(group) = groups.last_mut().filter(|_| is_open) {
            group.push(line);
        }
    }
    match groups.as_slice() {
        [] => Ok(None),
        [group] if group.len() <= MOST_LINES => settings(&fields(group)?, id).map(Some),
        [_] => Err(TermsError::Lines),
        _ => Err(TermsError::Several),
    }
}

/// Joins the lines of each field again.
fn fields(lines: &[&str]) -> Result<Vec<(&'static str, String)>, TermsError> {
    let mut fields: Vec<(&'static str, String)> = Vec::new();
    let mut keys = KEYS.into_iter();
    for line in lines {
        if let Some(rest) = line.strip_prefix("  ") {
            let (_, value) = fields.last_mut().ok_or(TermsError::Lines)?;
            if value.ends_with('\\') {
                value.pop();
            } else {
                value.push(' ');
            }
            value.push_str(rest);
        } else {
            let (name, value) = line.split_once(": ").ok_or(TermsError::Lines)?;
            // The keys that are left out are passed over, and none comes twice.
            let key = keys.find(|key| *key == name).ok_or(TermsError::Lines)?;
            fields.push((key, value.to_owned()));
        }
    }
    Ok(fields)
}

fn settings(fields: &[(&str, String)], id: &Id) -> Result<MatchSettings, TermsError> {
    let value = |key: &str| {
        let mut found = fields.iter().filter(|(name, _)| *name == key);
        found.next().map(|(_, value)| value.as_str())
    };
    let need = |key: &'static str| value(key).ok_or(TermsError::Missing(key));
    let wrong = |key: &'static str| move || TermsError::Value(key);
    let options: Vec<&str> = value("Options")
        .into_iter()
        .flat_map(|options| options.split(", "))
        .collect();
    let has_referee = value("Referee").is_some();
    let player = |key: &'static str, side| {
        let text = need(key)?;
        // A referee tells each player the name of the other, and no more.
        let parsed = text.parse().or_else(|error| {
            if has_referee {
                Player::known_by_name(text, side)
            } else {
                Err(error)
            }
        });
        let parsed = parsed.map_err(|_| wrong(key)())?;
        // Nobody is invited to a match against the program.
        match parsed.level() {
            None => Ok(parsed),
            Some(_) => Err(wrong(key)()),
        }
    };
    let time = value("Time").map(|time| time.parse().map_err(|_| wrong("Time")()));
    let event = value("Event").map(|text| event(text).ok_or_else(wrong("Event")));
    let referee = value("Referee").map(|text| text.parse().map_err(|_| wrong("Referee")()));
    let until = value("Until").map(|text| text.parse().map_err(|_| wrong("Until")()));
    let news = value("News").map(|text| text.parse().map_err(|_| wrong("News")()));
    let counts_news = counts_news(value("Moves"), value("News").is_some());
    let list = value("List").map(|text| text.parse().map_err(|_| wrong("List")()));
    Ok(MatchSettings {
        id: id.clone(),
        variant: Variant::find(need(FIRST)?, &options)?,
        players: [
            player("White", Color::White)?,
            player("Black", Color::Black)?,
        ],
        time: time.transpose()?,
        event: event.transpose()?,
        referee: referee.transpose()?,
        until: until.transpose()?,
        news: news.transpose()?,
        counts_news: counts_news.ok_or_else(wrong("Moves"))?,
        start: None,
        list: list.transpose()?,
    })
}

/// Why [`event`] takes a text for no name.
pub(crate) const NO_EVENT: &str = "the name of an event is one line of 1 to 60 characters";

/// Returns the name of an event: one line of moderate length. Returns none for anything
/// else.
pub fn event(text: &str) -> Option<String> {
    let text = text.trim();
    let is_one = !text.is_empty() && text.chars().count() <= LONGEST_EVENT && is_seen(text);
    is_one.then(|| text.to_owned())
}

/// Why the terms in a mail cannot be used. `Display` writes a clause.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TermsError {
    /// A line is not as this program writes it.
    #[error("a line of its terms is not as this program writes it")]
    Lines,
    /// There are several groups of lines.
    #[error("it has the terms of several matches")]
    Several,
    /// A line is missing.
    #[error("its terms have no line '{0}:'")]
    Missing(&'static str),
    /// A value is none that a match can have.
    #[error("its line '{0}:' cannot be used")]
    Value(&'static str),
    /// There is no such game, or it has no such options.
    #[error("its game: {0}")]
    Game(#[from] VariantError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(players: [&str; 2], options: &[&str]) -> MatchSettings {
        MatchSettings {
            variant: Variant::find("unachess", options).unwrap(),
            players: players.map(|text| text.parse().unwrap()),
            ..MatchSettings::sample("m")
        }
    }

    fn read(text: &str) -> Result<Option<MatchSettings>, TermsError> {
        super::read(text.lines(), &"m".parse().unwrap())
    }

    #[test]
    fn what_is_written_is_read() {
        let long = format!(
            "{} <{}@{}.test>, <b@c.test>, <{}@d.test>",
            "n".repeat(60),
            "x".repeat(64),
            "y".repeat(60),
            "z".repeat(60)
        );
        for players in [
            ["Anna <anna@example.org>", "Ben <ben@example.test>"],
            ["anna@example.org", "Änne Weiß, geb. O'Neil <b@c.test>"],
            [&long, "White: Black <ben@example.test>"],
        ] {
            for options in [&[][..], &["no-double-step", "pawns-1-4"]] {
                let mut settings = settings(players, options);
                for is_full in [false, true] {
                    let referee: Option<Address> =
                        is_full.then(|| "ref@example.org".parse().unwrap());
                    if is_full {
                        settings.time = "10d".parse().ok();
                        settings.until = "2026-12-01".parse().ok();
                        settings.news = "rec.games.abstract".parse().ok();
                        settings.counts_news = true;
                        settings.list = "games@example.org".parse().ok();
                        settings.event = Some("The \"Cup\" of $HOME: 'x' \\".to_owned());
                    }
                    let written = write(&settings, referee.as_ref());
                    let wide = written.lines().find(|line| line.chars().count() > WIDTH);
                    assert_eq!(wide, None, "{written}");
                    let mail = format!("Anna invites you.\n\n{written}\nGame m, …\n");
                    let found = read(&mail).unwrap().unwrap();
                    let now = "2026-11-20T03:00:00Z".parse().unwrap();
                    let expected = MatchSettings {
                        referee,
                        ..settings.clone()
                    };
                    assert_eq!(
                        found.begin(now).line(),
                        expected.begin(now).line(),
                        "{mail}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_referee_tells_a_name_alone_and_nobody_else_does() {
        let terms = "Rules: unachess\nWhite: Anna\nBlack: c@d.test\n";
        assert_eq!(read(terms).unwrap_err(), TermsError::Value("White"));
        let by_referee = format!("{terms}Referee: r@d.test\n");
        let settings = read(&by_referee).unwrap().unwrap();
        assert_eq!(settings.players[0].as_known(), "Anna");
        let again = write(&settings, settings.referee.as_ref());
        assert_eq!(again, by_referee.replace("c@d.test", "<c@d.test>"));
        for name in ["Anna <", "anna@", "\"", ""] {
            let wrong = by_referee.replace("Anna", name);
            assert!(read(&wrong).is_err(), "{name}");
        }
    }

    #[test]
    fn what_is_not_written_so_is_not_read() {
        let good = "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\n";
        assert!(read(good).unwrap().is_some());
        assert!(
            read("White: a@b.test\nBlack: c@d.test\n")
                .unwrap()
                .is_none()
        );
        for text in [
            "Rules: unachess\n",
            "Rules: unachess\nBlack: c@d.test\nWhite: a@b.test\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nWhite: e@f.test\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nSend: 1\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: nobody\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nTime: 10 days\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nEvent:  \n",
            "Rules: ../../etc\nWhite: a@b.test\nBlack: c@d.test\n",
            "Rules: unachess\nOptions: none\nWhite: a@b.test\nBlack: c@d.test\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nReferee: x\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nUntil: tomorrow\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nMoves: news\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nNews: a.b\nMoves: mail\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nList: games\n",
            "Rules: unachess\nWhite: a@b.test\nBlack: c@d.test\nList: e@f.test\nNews: a.b\n",
            &format!("{good}\n{good}"),
            &format!("{good}{}", "  and\n".repeat(100)),
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let event = format!("{good}Event: {}\n", "x".repeat(61));
        assert_eq!(read(&event).unwrap_err(), TermsError::Value("Event"));
    }
}
