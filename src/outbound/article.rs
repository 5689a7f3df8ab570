//! Composes the articles of a match in a newsgroup, and its mails to a mailing list, which are the same
//! text to another kind of reader. They are made only from the state file and the writer's address,
//! so that the same bytes can be made again at any time.

use std::fmt::Display;

use lettre::address::Envelope;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message, SinglePart};

use crate::Error;
use crate::mail::message_id::MessageId;
use crate::mail::transport::OutgoingMessage;
use crate::matches::article::{Forum, QueuedArticle};
use crate::matches::r#match::Match;
use crate::notation::move_list;
use crate::outbound::compose::{self, MOST_REFERENCES, date, header, id_list};
use crate::outbound::template_context::thread_subject;
use crate::outbound::wrap;
use crate::render::format::{OutputFormat, Style};
use crate::render::view::{Details, View};
use crate::rules::Color;

/// The most lines of the rules in the first article.
const RULES: usize = 2;

/// An article without what its writer's address adds.
struct Draft {
    subject: String,
    text: String,
    /// The articles that it follows.
    thread: Vec<MessageId>,
    /// The article whose place it takes.
    withdrawn: Option<MessageId>,
}

/// Writes an owed article.
fn draft(game: &Match, owed: &QueuedArticle) -> Result<Draft, Error> {
    // An article shows the match at the time it became due.
    let then = game.as_of(owed.line)?;
    let mut thread = then.news_thread(&owed.forum);
    // One that was dropped before it went out is none that anybody can follow.
    thread.retain(|article| article.id != owed.id && game.article(&article.id).is_some());
    let supersedes = owed.supersedes.as_ref();
    let withdrawn = match supersedes.filter(|told| game.article(told).is_none()) {
        Some(_) => then.withdrawn_of(&thread).map(|article| &article.id),
        None => supersedes,
    };
    let plies = then.plies_shown(owed);
    let words = owed.text.as_deref();
    Ok(Draft {
        subject: subject(&then, &owed.forum),
        text: text(&then, &owed.forum, &thread, withdrawn, plies, words)?,
        withdrawn: withdrawn.cloned(),
        thread: thread.iter().map(|article| article.id.clone()).collect(),
    })
}

/// Returns the text of an article.
///
/// # Errors
///
/// As [`compose()`].
pub fn text_of(game: &Match, article: &QueuedArticle) -> Result<String, Error> {
    Ok(draft(game, article)?.text)
}

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
    let Draft {
        subject,
        text,
        thread,
        withdrawn,
    } = draft(game, owed)?;
    let refused = |error: &dyn Display| Error::refused(format!("{}: {error}", owed.id));
    let builder = Message::builder().from(from.clone());
    let mut builder = match &owed.forum {
        Forum::Group(group) => {
            // No mail server ever sees it.
            let envelope = Envelope::new(None, vec![from.email.clone()]);
            builder
                .envelope(envelope.map_err(|error| refused(&error))?)
                .raw_header(header("Newsgroups", group.to_string()))
        }
        Forum::List(address) => builder
            .to(Mailbox::new(None, address.clone()))
            // The list brings it back to whoever reads the list.
            .raw_header(header("X-Loop", from.email.to_string())),
    };
    builder = builder
        .date(date(owed.date()))
        .raw_header(id_list("Message-ID", std::slice::from_ref(&owed.id)));
    if let Some((first, later)) = thread.split_first() {
        let latest = later.len().saturating_sub(MOST_REFERENCES - 1);
        let cited = std::iter::once(first).chain(&later[latest..]);
        let cited: Vec<MessageId> = cited.cloned().collect();
        builder = builder
            .subject(format!("Re: {subject}"))
            .raw_header(id_list("References", &cited));
    } else {
        builder = builder.subject(subject);
    }
    // A server that does not know of it, or that takes it from nobody, keeps both. Nothing takes the
    // place of a mail.
    if let Some(withdrawn) = withdrawn.filter(|_| owed.forum.list().is_none()) {
        builder = builder.raw_header(id_list("Supersedes", &[withdrawn]));
    }
    let text = SinglePart::builder()
        .header(ContentType::TEXT_PLAIN)
        .body(wrap::encoded(text));
    let message = builder
        .singlepart(text)
        .map_err(|error| refused(&error).with_source(error))?;
    Ok(OutgoingMessage::new(message, owed.id.clone(), owed.date()))
}

/// Returns the article as it would be, called for now with these words.
///
/// # Errors
///
/// As [`compose()`].
pub fn preview(
    game: &Match,
    forum: &Forum,
    from: &Mailbox,
    words: Option<&str>,
) -> Result<String, Error> {
    let thread = game.news_thread(forum);
    let mark = if thread.is_empty() { "" } else { "Re: " };
    let withdrawn = game.withdrawn_of(&thread).map(|article| &article.id);
    let plies = game.record().steps().len();
    Ok(format!(
        "From: {from}\nNewsgroups: {forum}\nSubject: {mark}{}\n\n{}",
        subject(game, forum),
        text(game, forum, &thread, withdrawn, plies, words)?
    ))
}

/// Tells which moves of the last article before this one, which shows so many half-moves, were
/// taken back, a line each: none begins with a move, so that nobody takes it for one of the list
/// below.
fn taken_back(game: &Match, last: &QueuedArticle, plies: usize) -> Result<String, Error> {
    let shown = game.as_of(last.line)?;
    let left = game.moves_shared_with(&shown);
    let record = shown.record().until(shown.plies_shown(last));
    let gone = record.steps().iter().enumerate().skip(left).rev();
    let mut lines: Vec<String> = gone
        .filter_map(|(ply, step)| {
            let before = record.at(ply)?;
            let side = game.variant().player(before.turn());
            let number = move_list::number_of_position(before);
            Some(format!("{side} has taken back {number} {step}."))
        })
        .collect();
    if plies == left {
        lines.push("The position is again the one below.".to_owned());
    }
    Ok(lines.join("\n"))
}

/// Returns true if the players have agreed to be named in a forum.
fn has_names(game: &Match, forum: &Forum) -> bool {
    game.settings().forums().contains(forum)
}

/// Returns the subject of every article of a match in a forum.
fn subject(game: &Match, forum: &Forum) -> String {
    if has_names(game, forum) {
        return thread_subject(game);
    }
    let [white, black] = Color::ALL.map(|color| game.variant().player(color));
    let name = game.variant().game().name;
    format!("[{}] {name}: {white} - {black}", game.id())
}

/// Returns the text of an article that shows so many half-moves, with these words, behind those of
/// the thread. The first one of a match says what it is about, and one that takes the place of a
/// withdrawn one what was taken back.
fn text(
    game: &Match,
    forum: &Forum,
    thread: &[&QueuedArticle],
    withdrawn: Option<&MessageId>,
    plies: usize,
    words: Option<&str>,
) -> Result<String, Error> {
    let mut paragraphs = Vec::new();
    if let (Some(last), Some(_)) = (thread.last(), withdrawn) {
        paragraphs.push(taken_back(game, last, plies)?);
    }
    // A first one is gone where another takes its place.
    if thread.first().map(|first| &first.id) == withdrawn || thread.is_empty() {
        paragraphs.push(introduction(game, forum));
    }
    if let Some(words) = words {
        paragraphs.push(said(words));
    }
    paragraphs.push(post(game, plies)?);
    Ok(paragraphs.join("\n\n"))
}

/// What stands before each line of words for everybody.
const POSTER: &str = "Poster:";

/// Sets words off, so that nobody takes a move in them for one of the list below: a line that
/// begins with a word is no list, and a quotation of one would be.
fn said(words: &str) -> String {
    let lines = wrap::to_width(words, wrap::WIDTH - POSTER.len() - 1).into_iter();
    let lines = lines.map(|line| format!("{POSTER} {line}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the diagram and the list of a match after so many half-moves, and who is to move.
fn post(game: &Match, plies: usize) -> Result<String, Error> {
    let is_last = plies == game.record().steps().len();
    let details = Details {
        ending: compose::details(game).ending.filter(|_| is_last),
        ..Details::default()
    };
    let record = game.record().until(plies);
    let view = View::of(&record).with_details(details);
    let view = match game.ending().filter(|_| is_last) {
        Some(ending) => view.ended(ending.result(), ending.status()),
        None => view,
    };
    let style = Style {
        room: Some(wrap::WIDTH),
        ..Style::default()
    };
    let post = OutputFormat::Post.render(&view, &style)?;
    Ok(String::from_utf8_lossy(&post).into_owned())
}

/// Tells what a match is about, in the first article of it.
fn introduction(game: &Match, forum: &Forum) -> String {
    let name = game.variant().game().name;
    let players = if has_names(game, forum) {
        let [white, black] = Color::ALL.map(|color| named(game, color));
        format!(" between {white} and {black}")
    } else {
        String::new()
    };
    let how_far = if game.forums().contains(forum) {
        "posted as it goes on"
    } else {
        "with its moves so far"
    };
    let begun = format!("A match of {name} by mail{players}, {how_far}.");
    let how = format!(
        "{name} needs nothing but a mail program: with parapost, which keeps this match, whoever likes it \
         can invite an opponent."
    );
    let rules = rules(game.variant().game().text);
    format!(
        "{}\n\n{rules}\n\n{}",
        wrap::lines(&begun),
        wrap::lines(&how)
    )
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
    use crate::matches::article::NewArticle;
    use crate::matches::event::LogEntry;
    use crate::matches::mail_id::{IdSecret, MailIds};
    use crate::matches::r#match::MatchSettings;
    use crate::rules::{Variant, games};

    fn from() -> Mailbox {
        "Anna <anna@example.invalid>".parse().unwrap()
    }

    fn group() -> Forum {
        Forum::Group("rec.games.abstract".parse().unwrap())
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
            game.owe_article(time, &NewArticle::to(&group()), &ids, "example.invalid")
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

    fn push(game: &mut Match, action: Action, side: Color) {
        let entry = game.entry(game.started(), action, side);
        game.push(entry).unwrap();
    }

    /// Posts an article, and returns its id, its header fields in a line each, and its body.
    fn posted(game: &mut Match) -> (MessageId, String, String) {
        let ids = MailIds::new(IdSecret::from_bytes([7; 32]), "example.org");
        let now = game.started();
        let id = game
            .owe_article(now, &NewArticle::to(&group()), &ids, "example.invalid")
            .unwrap();
        let article = article_of(game);
        game.article_posted(now, &id).unwrap();
        // What is read back makes the same article.
        let again: Match = game.to_string().parse().unwrap();
        assert_eq!(again.to_string(), game.to_string());
        let (header, body) = article.split_once("\r\n\r\n").unwrap();
        let [header, body] = [header.replace("\r\n ", " "), body.to_owned()];
        (
            id,
            header.replace("\r\n", "\n") + "\n",
            body.replace("\r\n", "\n"),
        )
    }

    #[test]
    fn what_was_taken_back_is_superseded_and_told() {
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        let mut game = Match::new(MatchSettings::sample("demo"), time);
        let take_back = |game: &mut Match, mover: Color| {
            push(game, Action::ProposeTakeback, mover);
            push(game, Action::AcceptTakeback, !mover);
        };
        push(&mut game, Action::play("P>e3"), Color::White);
        let (first, _, beginning) = posted(&mut game);
        push(&mut game, Action::play("n>g5"), Color::Black);
        let (second, _, _) = posted(&mut game);
        push(&mut game, Action::play("K>e1"), Color::White);
        let (third, _, plain) = posted(&mut game);
        assert!(plain.starts_with("- - "), "{plain}");
        take_back(&mut game, Color::White);
        assert_eq!(game.withdrawn_article(&group()).unwrap().id, third);
        let shown = preview(&game, &group(), &from(), None).unwrap();
        let (fourth, header, body) = posted(&mut game);
        assert!(shown.trim_end().ends_with(body.trim_end()), "{shown}");
        let told = "White has taken back 2. K>e1.\nThe position is again the one below.\n\n- - ";
        assert!(body.starts_with(told), "{body}");
        assert!(
            body.trim_end()
                .ends_with("1.  P>e3    n>g5\n\nWhite to move."),
            "{body}"
        );
        assert!(
            header.contains(&format!("\nSupersedes: {third}\n")),
            "{header}"
        );
        let cited = format!("\nReferences: {first} {second} {third}\n");
        assert!(header.contains(&cited), "{header}");
        // It is told once.
        assert_eq!(game.withdrawn_article(&group()), None);
        // One that shows a move again is not the one that told of it.
        take_back(&mut game, Color::Black);
        take_back(&mut game, Color::White);
        assert_eq!(game.withdrawn_article(&group()).unwrap().id, second);
        push(&mut game, Action::play("P>d3"), Color::White);
        let (_, header, body) = posted(&mut game);
        let told = "Black has taken back 1... n>g5.\nWhite has taken back 1. P>e3.\n\n- - ";
        assert!(body.starts_with(told), "{body}");
        assert!(
            header.contains(&format!("\nSupersedes: {second}\n")),
            "{header}"
        );
        assert!(header.contains(&format!(" {third} {fourth}\n")), "{header}");
        push(&mut game, Action::play("n>g5"), Color::Black);
        let (_, header, body) = posted(&mut game);
        assert!(
            !header.contains("Supersedes") && body.starts_with("- - "),
            "{header}\n{body}"
        );

        // In the place of the first one of a thread stands one that says what it is about.
        let mut game = Match::new(MatchSettings::sample("demo"), time);
        push(&mut game, Action::play("P>e3"), Color::White);
        assert_eq!(posted(&mut game).0, first);
        take_back(&mut game, Color::White);
        let (_, _, body) = posted(&mut game);
        let told = "White has taken back 1. P>e3.\nThe position is again the one below.\n\n";
        let rest = body.strip_prefix(told).unwrap();
        let (said, _) = beginning.split_once("\n\n- - ").unwrap();
        assert!(rest.starts_with(said), "{body}");
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
                .owe_article(now, &NewArticle::to(&group()), &ids, "example.invalid")
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
