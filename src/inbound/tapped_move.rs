//! A move that was sent by one of our links: that move is played, or its sender is asked.
//!
//! A link writes each move in one way. Where the text says anything else, a program on
//! the way may have made another move of it.

use crate::inbound::answer_form::{AnswerForm, squeezed};
use crate::matches::intent::{Intent, Played, Refusal};
use crate::matches::r#match::Match;
use crate::notation::move_list::clear_text;
use crate::plural::half_moves;
use crate::quoting::line::Line;
use crate::rules::notation::{MoveText, Voice};
use crate::rules::{Ply, Position, Role};

/// The most answers in a message that are compared.
const MOST_FORMS: usize = 4;

/// The most moves that are listed of a piece to drop.
const MOST_LISTED: usize = 100;

/// A message with answers that our links have begun.
pub struct TappedMove<'a> {
    /// The answers, at least one.
    pub forms: &'a [&'a AnswerForm],
    /// The lines of the message.
    pub lines: &'a [Line<'a>],
    /// The subject.
    pub subject: &'a str,
    /// True if a code is of a mail that showed another position.
    pub is_stale: bool,
    /// True if nothing but the code tells who the sender is.
    pub is_by_code: bool,
}

impl TappedMove<'_> {
    /// Returns what the message asks for: its move, or else why it is not played.
    #[must_use]
    pub fn intent(&self, intent: Intent, game: &Match) -> Intent {
        let position = game.position();
        match intent {
            Intent::Move(played) => match self.doubt(&played, game) {
                Some(why) => refused(vec![played.line], why),
                None => Intent::Move(played),
            },
            Intent::Talk | Intent::Refused(_) if game.turn().is_some() => match self.unfinished() {
                Some((line, role)) => refused(vec![line], drops(position, role)),
                None if intent == Intent::Talk => refused(
                    Vec::new(),
                    "No move could be read in your message.".to_owned(),
                ),
                None => intent,
            },
            Intent::Talk
            | Intent::Refused(_)
            | Intent::Again(_)
            | Intent::OutOfTurn(_)
            | Intent::Command(_)
            | Intent::Mention { .. }
            | Intent::Ambiguous { .. } => intent,
        }
    }

    /// Returns the canonical text of the move, if it is legal in the position and was not
    /// damaged.
    #[must_use]
    pub fn move_text(&self, position: &Position) -> Option<String> {
        let text = self.forms.first()?.moves(self.lines).into_iter().next()?;
        let ply = position.read_with(&text, Voice::Lone).ok()?.ply;
        let is_clear = clear_text(position, &ply)?.eq_ignore_ascii_case(&text);
        is_clear.then(|| position.text(&ply))
    }

    /// Returns why a move is asked about, in sentences.
    fn doubt(&self, played: &Played, game: &Match) -> Option<String> {
        let position = game.position();
        let made = game.record().steps().len();
        let ply = &played.reading.ply;
        if self.forms.len() > MOST_FORMS {
            return Some(format!(
                "Your message has the answers of several links. {ASK}"
            ));
        }
        for form in self.forms {
            if form.id != *game.id() {
                return Some(format!("Your link is of another match, {}.", form.id));
            }
            if form.plies != made {
                return Some(format!(
                    "Your link is of the position after {}; now {} made. {ASK}",
                    half_moves(form.plies),
                    match made {
                        1 => "1 half-move is".to_owned(),
                        _ => format!("{made} half-moves are"),
                    }
                ));
            }
        }
        if self.is_stale {
            return Some(format!(
                "Your link is of a position that has been taken back. {ASK}"
            ));
        }
        let clear = clear_text(position, ply);
        if !self
            .forms
            .iter()
            .all(|form| is_whole(&form.moves(self.lines), position, ply, clear.as_deref()))
        {
            let text = clear.unwrap_or_else(|| position.text(ply));
            return Some(format!(
                "A link writes this move {text} and nothing else above the id of the match, so it may have been changed on its way. {ASK}"
            ));
        }
        if let Some(subject) = self.other_in_subject(played, position) {
            return Some(format!("The subject of your message says {subject}. {ASK}"));
        }
        (self.is_by_code && played.offers_draw).then(|| {
            "A link sends a move alone. To offer a draw with it, please answer our mail.".to_owned()
        })
    }

    /// Returns the move in the subject, if it is another one.
    fn other_in_subject(&self, played: &Played, position: &Position) -> Option<String> {
        let subject = self.subject.replace("%5B", "[").replace("%5D", "]");
        let subject = subject
            .replace("%20", " ")
            .replace("%3E", ">")
            .replace("%2B", "+");
        let subject = subject
            .replace("%2D", "-")
            .replace("%3D", "=")
            .replace("%2F", "/");
        let (_, text) = subject.rsplit_once(']')?;
        let text = squeezed(text);
        let line = squeezed(&played.line);
        if text.eq_ignore_ascii_case(&line) {
            return None;
        }
        if let Some(piece) = text.strip_suffix('>').filter(|piece| piece.len() == 1) {
            let is_of_piece = line
                .split_once('>')
                .is_some_and(|(dropped, _)| dropped.eq_ignore_ascii_case(piece));
            return (!is_of_piece).then_some(text);
        }
        text.parse::<MoveText>().ok()?;
        let reading = position.read_with(&text, Voice::Lone);
        let is_same = reading.is_ok_and(|reading| reading.ply == played.reading.ply);
        (!is_same).then_some(text)
    }

    /// Returns the piece that an answer drops nowhere: `P>`.
    fn unfinished(&self) -> Option<(String, Role)> {
        let text = self.forms.first()?.moves(self.lines).into_iter().next()?;
        let mut piece = text.strip_suffix('>')?.chars();
        let role = Role::from_letter(piece.next()?)?;
        piece.next().is_none().then_some((text, role))
    }
}

/// What the sender of a doubtful move can do.
const ASK: &str =
    "If you mean this move, please send it alone on a line, in an answer to our last mail.";

fn refused(lines: Vec<String>, why: String) -> Intent {
    Intent::Refused(Refusal::new(lines, why))
}

/// Returns true if the text above an id line is a move as a link writes it, and not the
/// last part of another one that was broken.
fn is_whole(texts: &[String], position: &Position, ply: &Ply, clear: Option<&str>) -> bool {
    let Some((text, joined)) = texts.split_first() else {
        return false;
    };
    let is_other = |joined: &String| {
        let reading = position.read_with(joined, Voice::Lone);
        reading.is_ok_and(|reading| reading.ply != *ply)
    };
    clear.is_some_and(|clear| clear.eq_ignore_ascii_case(text)) && !joined.iter().any(is_other)
}

/// Lists the squares that a piece can be dropped on, in sentences.
fn drops(position: &Position, role: Role) -> String {
    let is_drop = |ply: &Ply| match ply {
        Ply::Drop { role: dropped, .. } | Ply::Relocation { role: dropped, .. } => *dropped == role,
        Ply::Move { .. } | Ply::Castle(_) | Ply::Placement(_) => false,
    };
    let plies = position.single_plies().into_iter().filter(is_drop);
    let mut texts: Vec<String> = plies.map(|ply| position.text(&ply)).collect();
    texts.sort_unstable();
    let surplus = texts.len().saturating_sub(MOST_LISTED);
    texts.truncate(MOST_LISTED);
    if surplus > 0 {
        texts.push(format!("and {surplus} more"));
    }
    if texts.is_empty() {
        return format!("No {role} can be placed alone now.");
    }
    format!(
        "The square is missing: add it behind the sign, without a blank. Legal: {}.",
        texts.join(", ")
    )
}
