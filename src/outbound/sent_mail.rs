//! The mails that a player was sent in a match, to tell their words from the player's own.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lettre::Address;

use crate::mail::Pattern;
use crate::mail::message_id::MessageId;
use crate::mail::quoting::sent::{MailText, Sent, names_source};
use crate::matches::action::{Action, Request};
use crate::matches::article::QueuedArticle;
use crate::matches::event::{Disposition, Event, LogEntry, Who};
use crate::matches::mail::{MailKind, QueuedMail};
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::notation::diagram::Diagram;
use crate::notation::move_list::MoveList;
use crate::notation::reader::HABITS;
use crate::outbound::template_context::{TemplateContext, shown};
use crate::outbound::templates::Templates;
use crate::outbound::{article, taps, wrap};
use crate::render::text;
use crate::rules::Color;

/// The wordings of earlier versions that the templates no longer have. A mail of any
/// version may come back in a quotation, so a wording that changes moves here.
const EARLIER: &str = include_str!("../../templates/earlier/wordings");

/// Collects what was sent to a player. `cites` are the messages that the player's
/// message answers, and `me` is the user, who has sent the mails.
///
/// The words of other people and the answers are in the log. The text around them is
/// made again for the mails that are cited, the last one and the invitation; for all
/// others, the wordings of the templates are known. A user's template that is broken is left out.
/// The cost is linear in the log.
pub fn sent_to(
    game: &Match,
    side: Color,
    cites: &[MessageId],
    me: &Player,
    templates: &Templates,
) -> Sent {
    let mails: Vec<QueuedMail> = game.mails_to(side).collect();
    if mails.is_empty() {
        return Sent::nothing();
    }
    let list = MoveList::of(game.record()).to_string();
    let mut sent = BUILT_IN.clone().record(&list);
    // Mails from before a take-back still have the moves that were taken back.
    for then in game.before_last_takebacks() {
        sent = sent.record(&MoveList::of(then.record()).to_string());
    }
    for carried in words_for(game, side) {
        // The words before it stand in each of our mails that carry words.
        sent = sent.carried(&format!("writes: {carried}"));
    }
    for piece in templates.own_sources().iter().flat_map(|own| pieces(own)) {
        sent = sent.ours(&piece);
    }
    let answered = mails.iter().rev().filter(|mail| cites.contains(&mail.msg));
    let answered: Vec<usize> = answered.take(MOST_CITED).map(|mail| mail.line).collect();
    for (i, mail) in mails.iter().enumerate() {
        let is_last = i + 1 == mails.len();
        // It has moves as examples, which no template tells.
        let is_invitation = mail.kind == MailKind::Invitation && i <= 1;
        let is_made = is_last || is_invitation || answered.contains(&mail.line);
        let frame = is_made.then(|| frame(game, mail, me, templates)).flatten();
        sent = sent.asked(&asked(game, mail));
        sent = match (&mail.text, frame) {
            (Some(words), Some((above, below))) if mail.kind.carries_words() => {
                let before = above.split_whitespace().next_back().unwrap_or_default();
                let behind = below.split_whitespace().next().unwrap_or_default();
                sent.ours(&above)
                    .ours(&below)
                    .carried(&format!("{before} {words}\n{behind}"))
            }
            (_, Some((text, _))) => sent.ours(&without_sources(&text)),
            (Some(text), None) if !mail.kind.carries_words() => sent.ours(&without_sources(text)),
            _ => sent,
        };
    }
    sent
}

/// Makes the text of an article again, for who follows it up. Returns none if it cannot be made.
pub fn text_of_article(game: &Match, article: &QueuedArticle) -> Option<MailText> {
    let then = game.as_of(article.line).ok()?;
    let record = then.record().until(then.plies_shown(article));
    let text = article::text_of(game, article).ok()?;
    Some(
        MailText::new(then.hash_of(&record), &HABITS)
            .with(&text)
            .with(&Diagram::of(record.position()).to_string())
            .with(&MoveList::of(&record).to_string()),
    )
}

/// Makes the text of a mail again, with all that a program may quote of it. Returns none
/// if it cannot be made.
pub fn text_of(
    game: &Match,
    mail: &QueuedMail,
    me: &Player,
    templates: &Templates,
) -> Option<MailText> {
    let then = game.shown_at(mail.line).ok()?;
    let context =
        TemplateContext::new(&then, mail, me).with_settings(&then, mail, templates.settings);
    let text = wrap::tidy(&templates.render(mail.kind.as_str(), &context).ok()?);
    let record = &*shown(&then, mail);
    let position = record.position();
    let list = MoveList::of(record).to_string();
    let texts = MailText::new(then.hash_of(record), &HABITS)
        .with_common(&WORDINGS)
        .asking(asked(game, mail))
        .beside(asked_elsewhere(game, mail))
        .with(&text)
        .with(&context.other_wording(&then))
        // Other looks have other diagrams, and HTML has a list of its own.
        .with(&Diagram::of(position).to_string())
        .with(&list);
    let picture = text::in_words(position, mail.to);
    // In HTML the words are not wrapped as they are in the text.
    let carried = mail.text.as_deref().filter(|_| mail.kind.carries_words());
    let texts = match carried {
        Some(words) => texts.carrying(words, &list),
        None => texts,
    };
    Some(texts.with(&taps::words(position)).with(&picture))
}

/// Returns the lines that a mail asks about, and those that it asks to send: they stand alone
/// and indented.
fn asked(game: &Match, mail: &QueuedMail) -> Vec<String> {
    const QUESTIONS: [Disposition; 3] = [
        Disposition::Confirm,
        Disposition::Ambiguous,
        Disposition::Refused,
    ];
    let cause = mail.line.checked_sub(2).and_then(|at| game.log().get(at));
    let is_question = cause.is_some_and(|entry| {
        let Event::Refused(Some(why)) = &entry.event else {
            return false;
        };
        entry.who == Who::Player(mail.to) && QUESTIONS.contains(why)
    });
    let words = mail.text.as_deref().filter(|_| is_question);
    let lines = words.unwrap_or_default().lines();
    let asked = lines.filter_map(|line| line.strip_prefix("    "));
    asked.map(|line| line.trim().to_owned()).collect()
}

/// Returns a mail of ours without the lines of a letter that it shows and that say who wrote: above a
/// quotation in the next letter, such a line is not ours.
fn without_sources(text: &str) -> String {
    let is_source = |line: &str| line.starts_with("    ") && names_source(line);
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !is_source(line)).collect()
}

/// The most questions whose lines are kept apart from those of another.
const MOST_QUESTIONS: usize = 50;

/// Returns the lines of the last other questions to the reader of a mail.
fn asked_elsewhere(game: &Match, mail: &QueuedMail) -> Vec<String> {
    let others = game
        .mails_to(mail.to)
        .filter(|other| other.line != mail.line);
    let mut lines: Vec<Vec<String>> = others.map(|other| asked(game, &other)).collect();
    lines.retain(|lines| !lines.is_empty());
    let old = lines.len().saturating_sub(MOST_QUESTIONS);
    lines.split_off(old).concat()
}

/// Returns the lines that a question asks to send, but for those that other people's words have, too,
/// which its reader may only quote.
pub(crate) fn asked_to_send(game: &Match, mail: &QueuedMail) -> Vec<String> {
    let mut lines = asked(game, mail);
    // The first is what was read in the letter. It is asked for if it is an order.
    if lines
        .first()
        .is_some_and(|read| Request::parse(read).is_none())
    {
        lines.remove(0);
    }
    let words = words_for(game, mail.to);
    let is_carried = |line: &String| {
        let text = line.rsplit(' ').next().unwrap_or(line).to_lowercase();
        words
            .iter()
            .any(|words| words.to_lowercase().contains(&text))
    };
    lines.retain(|line| !is_carried(line));
    lines
}

/// The wordings of all templates, for what only the HTML of a mail says.
static WORDINGS: LazyLock<MailText> = LazyLock::new(|| {
    wordings().fold(MailText::new("", &HABITS), |texts, piece| {
        texts.with(&piece)
    })
});

/// Returns the pieces of the templates of all versions.
fn wordings() -> impl Iterator<Item = String> {
    let sources = Templates::built_in_sources().chain([EARLIER.to_owned()]);
    sources.flat_map(|source| pieces(&source))
}

/// Collects only the words of other people that were sent to a player, for a mail that
/// the player's own copy of this program has made: it has the same wordings as ours.
pub fn words_to(game: &Match, side: Color) -> Sent {
    let words = words_for(game, side).into_iter();
    words.fold(Sent::nothing(), Sent::carried)
}

/// Collects the words of other people that were sent to an address in these matches, to
/// find the match that an id line names. An id of the match whose mails carry it
/// misleads nobody, so the lines with it are left out.
pub fn ids_carried_to(address: Option<&Address>, matches: &[&Match]) -> Sent {
    let mut sent = Sent::nothing();
    for game in matches {
        let is_own = |line: &&str| {
            let mut words = line.split_whitespace();
            words.next() == Some("Game")
                && words.next().and_then(|id| id.strip_suffix(',')) == Some(game.id().as_str())
                // As in `2 half-moves made.`, with or without the hash behind it.
                && matches!(words.count(), 3 | 5)
        };
        for side in address.iter().flat_map(|address| game.sides(address)) {
            for words in words_for(game, side) {
                let lines: Vec<&str> = words.lines().filter(|line| !is_own(line)).collect();
                sent = sent.carried(&lines.join("\n"));
            }
        }
    }
    sent
}

/// The wordings of all versions.
static BUILT_IN: LazyLock<Sent> = LazyLock::new(|| {
    let mut sent = wordings().fold(Sent::nothing(), |sent, piece| sent.ours(&piece));
    // What a player did, and the command that follows on a line of its own for the recipient's
    // program.
    for action in Action::PLAIN {
        sent = sent.ours(&format!("{}.\n{action}", action.deed()));
    }
    sent.shared()
});

/// The most cited mails whose text is made again, the last ones.
const MOST_CITED: usize = 2;

/// Returns the words of other people that went to a player, each text once.
pub fn words_for(game: &Match, side: Color) -> BTreeSet<&str> {
    let is_mail = |event: &LogEntry| event.owed_kind().is_some_and(MailKind::carries_words);
    game.log()
        .iter()
        .filter_map(|event| match &event.event {
            Event::Note(words) if event.who != Who::Player(side) => words.as_deref(),
            _ if is_mail(event) && event.who == Who::Player(side) => event.get("text"),
            _ => None,
        })
        .collect()
}

/// Makes the text of a mail again, without the board and the list, which the record
/// tells. Returns the parts above and below the words of another person; the second is
/// empty if the mail carries none.
fn frame(
    game: &Match,
    mail: &QueuedMail,
    me: &Player,
    templates: &Templates,
) -> Option<(String, String)> {
    let then = game.shown_at(mail.line).ok()?;
    let context = TemplateContext::new(&then, mail, me);
    let carried = mail.text.as_ref().filter(|_| mail.kind.carries_words());
    let earlier = TemplateContext::earlier(&then, mail, me).map(|context| match carried {
        Some(_) => context.saying(""),
        None => context,
    });
    let earlier = earlier.and_then(|context| templates.render(mail.kind.as_str(), &context).ok());
    let context = match carried {
        Some(_) => context.saying(PLACE),
        None => context,
    };
    let text = wrap::tidy(&templates.render(mail.kind.as_str(), &context).ok()?);
    let earlier = earlier.map(|text| wrap::tidy(&text)).unwrap_or_default();
    let text = context.other_wording(&then) + &earlier + &text;
    Some(match text.split_once(PLACE) {
        Some((above, below)) => (above.to_owned(), below.to_owned()),
        None => (text, String::new()),
    })
}

/// Stands in the place of another person's words while a mail is made again.
const PLACE: &str = "\u{2620}words\u{2620}";

/// Returns the pieces of a template that stand in every mail made of it.
fn pieces(template: &str) -> Vec<String> {
    static VALUE: Pattern = Pattern::new(r"(?s)\{\{.*?\}\}|\{#.*?#\}");
    static TAG: Pattern = Pattern::new(r"(?s)\{%.*?%\}");
    static LITERAL: Pattern = Pattern::new(r#""((?:[^"\\]|\\.)*)""#);
    // Only one of the wordings beside a tag may be in a mail.
    let template = TAG.replace_all(template, "\n");
    let mut pieces: Vec<String> = VALUE.split(&template).map(ToOwned::to_owned).collect();
    for value in VALUE.find_iter(&template) {
        let literals = LITERAL.captures_iter(value.as_str());
        pieces.extend(literals.map(|literal| literal[1].replace("\\\"", "\"")));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn a_template_is_its_wording_without_values() {
        let template = "{% if a %}\nTo {{ b }} play.\n{% endif %}\n{{ \"Say \\\"x\\\":\" | wrap }}";
        let pieces = pieces(template);
        assert_eq!(pieces, ["\n\nTo ", " play.\n\n\n", "", "Say \"x\":"]);
    }

    #[test]
    fn wordings_of_which_a_mail_has_one_are_apart() {
        let template = "<h2>{% if a %}Or write it{% else %}To answer{% endif %}</h2>";
        let pieces = pieces(template);
        assert!(
            pieces[0].lines().any(|line| line == "Or write it"),
            "{pieces:?}"
        );
    }
}
