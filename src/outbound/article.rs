//! Composes the articles of a match in a newsgroup. They are made only from the state file and the
//! writer's address for news, so that the same bytes can be made again at any time.

use lettre::address::Envelope;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message, SinglePart};

use crate::Error;
use crate::mail::message_id::MessageId;
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::mail::transport::OutgoingMessage;
use crate::matches::article::QueuedArticle;
use crate::matches::r#match::Match;
use crate::outbound::compose::{MOST_REFERENCES, date, header, id_list};
use crate::outbound::template_context::thread_subject;
use crate::outbound::{html_part, wrap};
use crate::render::format::{OutputFormat, Style};
use crate::render::view::{Details, View};
use crate::rules::Color;

/// The most lines of the rules in the first article.
const RULES: usize = 2;

/// Makes an owed article, from this writer.
///
/// # Errors
///
/// If the match cannot be shown.
pub fn compose(
    game: &Match,
    owed: &QueuedArticle,
    from: &Mailbox,
) -> Result<OutgoingMessage, Error> {
    // An article shows the match at the time it became due.
    let then = game.as_of(owed.line)?;
    let thread = then.news_thread(&owed.group).into_iter();
    let thread: Vec<&MessageId> = thread
        .map(|article| &article.id)
        .filter(|id| **id != owed.id)
        .collect();
    let subject = subject(&then, &owed.group);
    let text = text(&then, &owed.group, thread.is_empty())?;
    // No mail server ever sees it.
    let envelope = Envelope::new(None, vec![from.email.clone()])
        .map_err(|error| Error::refused(format!("{}: {error}", owed.id)))?;
    let mut builder = Message::builder()
        .envelope(envelope)
        .from(from.clone())
        .raw_header(header("Newsgroups", owed.group.to_string()))
        .date(date(owed.time))
        .raw_header(id_list("Message-ID", std::slice::from_ref(&owed.id)));
    if let Some((first, later)) = thread.split_first() {
        let latest = later.len().saturating_sub(MOST_REFERENCES - 1);
        let cited = std::iter::once(*first).chain(later[latest..].iter().copied());
        let cited: Vec<MessageId> = cited.cloned().collect();
        builder = builder
            .subject(format!("Re: {subject}"))
            .raw_header(id_list("References", &cited));
    } else {
        builder = builder.subject(subject);
    }
    let text = SinglePart::builder()
        .header(ContentType::TEXT_PLAIN)
        .body(wrap::encoded(text));
    let message = builder
        .singlepart(text)
        .map_err(|error| Error::refused(format!("{}: {error}", owed.id)).with_source(error))?;
    Ok(OutgoingMessage::new(message, owed.id.clone(), owed.time))
}

/// Returns the article as it would be, called for now.
///
/// # Errors
///
/// As [`compose`].
pub fn preview(game: &Match, group: &Newsgroup, from: &Mailbox) -> Result<String, Error> {
    let is_first = game.news_thread(group).is_empty();
    let mark = if is_first { "" } else { "Re: " };
    Ok(format!(
        "From: {from}\nNewsgroups: {group}\nSubject: {mark}{}\n\n{}",
        subject(game, group),
        text(game, group, is_first)?
    ))
}

/// Returns true if the players have agreed to be named in a group.
fn has_names(game: &Match, group: &Newsgroup) -> bool {
    game.settings().news.as_ref() == Some(group)
}

/// Returns the subject of every article of a match in a group.
fn subject(game: &Match, group: &Newsgroup) -> String {
    if has_names(game, group) {
        return thread_subject(game);
    }
    let [white, black] = Color::ALL.map(|color| game.variant().player(color));
    let name = game.variant().game().name;
    format!("[{}] {name}: {white} - {black}", game.id())
}

/// Returns the text of an article. The first one of a match says what it is about.
fn text(game: &Match, group: &Newsgroup, is_first: bool) -> Result<String, Error> {
    let details = Details {
        ending: html_part::details(game).ending,
        ..Details::default()
    };
    let view = View::of(game.record()).with_details(details);
    let view = match game.ending() {
        Some(ending) => view.ended(ending.result(), ending.status()),
        None => view,
    };
    let style = Style {
        room: Some(wrap::WIDTH),
        ..Style::default()
    };
    let post = OutputFormat::Post.render(&view, style)?;
    let post = String::from_utf8_lossy(&post);
    if !is_first {
        return Ok(post.into_owned());
    }
    let name = game.variant().game().name;
    let players = if has_names(game, group) {
        let [white, black] = Color::ALL.map(|color| named(game, color));
        format!(" between {white} and {black}")
    } else {
        String::new()
    };
    let how_far = if game.news_group() == Some(group) {
        "posted move by move"
    } else {
        "with its moves so far"
    };
    let begun = format!("A match of {name} by mail{players}, {how_far}.");
    let how = format!(
        "{name} needs nothing but a mail program: with parapost, which keeps this match, whoever likes it \
         can invite an opponent."
    );
    let rules = rules(game.variant().game().text);
    Ok(format!(
        "{}\n\n{rules}\n\n{}\n\n{post}",
        wrap::lines(&begun),
        wrap::lines(&how)
    ))
}

/// Names a player with the side: `Anna (White)`.
fn named(game: &Match, color: Color) -> String {
    let (name, side) = (game.public_name(color), game.variant().player(color));
    if name == side {
        return name.to_owned();
    }
    format!("{name} ({side})")
}

/// Returns the beginning of the rules of a game, as much as its first lines hold: whole clauses,
/// or the beginning of the first one.
fn rules(text: &str) -> String {
    let first = text.split("\n\n").next().unwrap_or_default();
    let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
    let beginning = |ends: &[char]| {
        let mut ends = first.match_indices(ends).map(|(at, _)| at).rev();
        ends.find_map(|end| {
            let is_end = first[end + 1..].is_empty() || first[end + 1..].starts_with(' ');
            let text = wrap::lines(&format!("{}.", &first[..end]));
            (is_end && text.lines().count() <= RULES).then_some(text)
        })
    };
    beginning(&['.', ':', ';'])
        .or_else(|| beginning(&[',']))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::action::Action;
    use crate::matches::event::LogEntry;
    use crate::matches::mail_id::{IdSecret, MailIds};
    use crate::matches::r#match::MatchSettings;
    use crate::rules::{Variant, games};

    fn from() -> Mailbox {
        "Anna <anna@example.invalid>".parse().unwrap()
    }

    fn group() -> Newsgroup {
        "rec.games.abstract".parse().unwrap()
    }

    fn article_of(game: &Match) -> String {
        let owed = game.owed_articles().last().unwrap();
        String::from_utf8(compose(game, owed, &from()).unwrap().bytes()).unwrap()
    }

    #[test]
    fn each_game_has_two_lines_of_rules() {
        for game in games::ALL {
            let rules = rules(game.text);
            assert!((1..=RULES).contains(&rules.lines().count()), "{rules}");
            assert!(rules.ends_with('.') && !rules.contains('['), "{rules}");
            assert!(rules.len() > 20, "{rules}");
        }
    }

    #[test]
    fn articles_of_every_game_are_narrow_and_plain() {
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        let ids = MailIds::new(IdSecret::from_bytes([7; 32]), "example.org");
        for kind in games::ALL {
            let settings = MatchSettings {
                variant: Variant::find(kind.id, &[]).unwrap(),
                ..MatchSettings::sample("demo")
            };
            let mut game = Match::new(settings, time);
            let mut random = fastrand::Rng::with_seed(30);
            for _ in 0..80 {
                let plies = game.position().single_plies();
                let Some(ply) = random.choice(plies).filter(|_| game.turn().is_some()) else {
                    break;
                };
                let side = game.position().turn();
                let text = game.position().text(&ply);
                game.push(LogEntry::new(time, Action::play(text), side))
                    .unwrap();
            }
            game.owe_article(time, &group(), &ids, "example.invalid")
                .unwrap();
            let article = article_of(&game);
            assert!(article.is_ascii(), "{article}");
            let (_, body) = article.split_once("\r\n\r\n").unwrap();
            let widest = body.lines().map(str::len).max().unwrap();
            assert!(widest <= wrap::WIDTH, "{}: {widest}\n{body}", kind.id);
            // It is made again, to the byte.
            assert_eq!(article_of(&game.to_string().parse().unwrap()), article);
        }
    }

    #[test]
    fn a_long_thread_cites_the_first_and_the_latest() {
        let time: chrono::DateTime<chrono::Utc> = "2026-11-20T03:00:00Z".parse().unwrap();
        let ids = MailIds::new(IdSecret::from_bytes([7; 32]), "example.org");
        let mut game = Match::new(MatchSettings::sample("demo"), time);
        let mut posted = Vec::new();
        for day in 0..40 {
            let now = time + chrono::TimeDelta::days(day);
            let id = game
                .owe_article(now, &group(), &ids, "example.invalid")
                .unwrap();
            let article = article_of(&game);
            let (header, _) = article.split_once("\r\n\r\n").unwrap();
            assert!(
                header.split("\r\n").all(|line| line.len() < 998),
                "{header}"
            );
            let unfolded = header.replace("\r\n ", " ");
            let mut lines = unfolded.split("\r\n");
            let cited = lines.find_map(|line| line.strip_prefix("References: "));
            let cited: Vec<&str> = cited.unwrap_or_default().split_whitespace().collect();
            let latest = posted.len().saturating_sub(19).max(1);
            let expected = posted.first().into_iter().chain(posted.iter().skip(latest));
            let expected: Vec<&str> = expected.map(MessageId::as_str).collect();
            assert_eq!(cited, expected, "{day}");
            game.article_posted(now, &id).unwrap();
            posted.push(id);
        }
    }
}
