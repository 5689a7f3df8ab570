//! Reads the intent of a message: a move, a command, a question, or talk.
//!
//! Nothing is guessed. A move counts if it stands alone on a line, if a line begins
//! with the right number and the move, or if it ends a list that agrees with the match
//! up to there. Moves in prose are shown, and the sender is asked. A message that
//! contradicts itself, the record, the sender's own diagram or a quoted hash is
//! refused, and the answer shows both sides.
//!
//! Contradictions between a message and the match speak against it: in the diagrams that the
//! sender has drawn, and in the hash of the moves at the end of each of our mails, which comes
//! back in the quotation. Moves may be spelled out: `Pawn to e3`, `N d4`, `I put a Knight on d4
//! please.` Without a sign they could be a drop or a move, so the sender is asked.

mod reply;

use std::cell::LazyCell;
use std::collections::HashSet;

use crate::inbound::answered::AnsweredPosition;
use crate::inbound::intent::reply::{
    Reply, ReplyMoves, StatedMove, TakenBack, missing_mail, of_missing_mail, parting,
};
use crate::inbound::{condition, request};
use crate::mail::quoting::line::{Author, Line};
use crate::matches::action::{Action, Intent, Played, Refusal, Request};
use crate::matches::r#match::Match;
use crate::notation::diagram::LocatedDiagram;
use crate::notation::header::IdLine;
use crate::notation::move_list::{self, Follower, mover, numbered};
use crate::notation::moves::MoveEntry;
use crate::notation::reader::{ParsedText, PartKind};
use crate::printable::half_moves;
use crate::rules::notation::{MoveText, ReadError, Reading, Voice};
use crate::rules::{Color, Ply, Position, Role, Square};

/// Reads what a player's message asks for in a match. `answered` is the position that
/// the message answers, as far as that is known without its text.
///
/// `is_anew` is true of a message that came long ago, or that may have been read before: what
/// does not say which position it means is not taken for one about the position now. `is_made` is
/// true of one that the player's own copy of this program has made: it ends its lines itself.
pub fn read(
    game: &Match,
    sender: Color,
    text: &ParsedText<'_>,
    id_lines: &[IdLine],
    answered: Option<AnsweredPosition>,
    is_anew: bool,
    is_made: bool,
) -> Intent {
    let reply = Reply {
        game,
        sender,
        text,
        id_lines,
        answered: Reply::position_answered(game, sender, text, id_lines, answered),
        is_anew,
        is_made,
    };
    let intent = Evidence::gather(&reply).intent();
    intent.unwrap_or_else(Intent::Refused)
}

/// The most moves in prose that are examined and asked about.
const MOST_MENTIONS: usize = 20;

/// The evidence in a message for its intent.
struct Evidence<'a> {
    reply: Reply<'a>,
    moves: ReplyMoves<'a>,
    /// The commands in the sender's own lines, each once. If several positions are
    /// asked for, only the first is kept.
    requests: Vec<Request>,
    /// The diagrams in the sender's own lines.
    diagrams: Vec<&'a LocatedDiagram>,
}

impl<'a> Evidence<'a> {
    fn gather(reply: &Reply<'a>) -> Evidence<'a> {
        Evidence {
            reply: *reply,
            moves: ReplyMoves::of(reply),
            requests: requests(reply),
            diagrams: own_diagrams(reply),
        }
    }

    /// Decides the intent.
    ///
    /// # Errors
    ///
    /// If the message asks for something impossible, or contradicts itself or the
    /// record.
    fn intent(&self) -> Result<Intent, Refusal> {
        let moves = &self.moves;
        let says_nothing =
            moves.stated.is_empty() && self.requests.is_empty() && moves.repeated.is_empty();
        let minor = moves.minor.first().filter(|_| says_nothing);
        if let Some(refusal) = moves.wrong.first().or(minor) {
            let is_of_missing_mail = self.reply.is_of_missing_mail();
            let of_missing_mail =
                is_of_missing_mail.then(|| missing_mail(&self.reply, refusal.lines.clone(), None));
            return Err(of_missing_mail.unwrap_or_else(|| refusal.clone()));
        }
        let is_of_missing_mail = self.reply.is_of_missing_mail();
        let is_talk = self.is_talk_beyond();
        if let Some(stated) = moves
            .stated
            .first()
            .filter(|_| is_of_missing_mail && !is_talk)
        {
            let line = self.numbered(stated.entry);
            return Err(missing_mail(
                &self.reply,
                vec![self.reply.line_of(stated.entry)],
                line,
            ));
        }
        if !moves.stated.is_empty() && !is_talk {
            return self.stated();
        }
        let orders: Vec<Request> = self
            .requests
            .iter()
            .filter(|request| request.is_order())
            .cloned()
            .collect();
        match (orders.as_slice(), self.requests.first()) {
            ([one, other, ..], _) => Err(Refusal::new(
                vec![one.to_string(), other.to_string()],
                "These two can't both be done.",
            )),
            // A program may have wrapped the note.
            ([], Some(Request::Note)) => match self.unclear_order(|_| false) {
                Some(refusal) => Err(refusal),
                None => self.command(&Request::Note),
            },
            ([request], _) | ([], Some(request)) => self.command(request),
            // A list that is quoted repeats moves, and says nothing of what stands below.
            ([], None) => match (self.mentioned()?, self.unclear_order(is_doubtful)) {
                (Intent::Words, Some(refusal)) => Err(refusal),
                (Intent::Words, None) if self.looks_quoted() => Err(Refusal::new(
                    Vec::new(),
                    "Your message looks like a quotation of another message from its first line on, so no move or command was read. Please write yours above everything that your mail program adds.",
                )),
                (Intent::Words, None) => {
                    // Whoever typed something between the marks waits for an answer.
                    let lines = self.reply.text.lines.iter();
                    let is_above = |line: &&Line<'_>| line.column == 1;
                    let mut quoted = lines.skip_while(is_above);
                    let is_typed = |line: &Line<'_>| {
                        let has_no_mark = line.column == 1 && line.author != Author::Own;
                        let has_no_mark = has_no_mark && line.author.is_read();
                        !line.is_blank() && (line.may_be_typed() || has_no_mark)
                    };
                    let repeated = self.moves.repeated.last();
                    // A letter of the player on turn about the present position is no duplicate.
                    let answers_now =
                        self.reply.plies_answered().is_some() && self.reply.is_about_now();
                    let waits = self.reply.is_senders_turn() && answers_now;
                    let again = repeated.filter(|_| !waits && !is_talk && !quoted.any(is_typed));
                    Ok(again.map_or(Intent::Words, |ply| Intent::Again(*ply)))
                }
                (Intent::Mention { line, .. } | Intent::Ambiguous { line, .. }, _)
                    if self.reply.is_of_missing_mail() =>
                {
                    Err(missing_mail(&self.reply, vec![line], None))
                }
                (intent, _) => Ok(intent),
            },
        }
    }

    /// Returns true if the sender's program answers a mail that the log lacks, and its list ends with a
    /// move of the opponent: that is no order of the sender's.
    fn is_talk_beyond(&self) -> bool {
        let reply = &self.reply;
        let mut stated = self.moves.stated.iter();
        reply.is_made
            && reply.is_of_missing_mail()
            && !reply.is_senders_turn()
            && stated.all(|stated| stated.placed)
    }

    /// Returns a stated move with the number of the next one, if it is legal and the sender's turn.
    fn numbered(&self, entry: &MoveEntry) -> Option<String> {
        if !self.reply.is_senders_turn() {
            return None;
        }
        let position = self.reply.position();
        let parsed = entry.parsed.as_ref().ok()?;
        let reading = position.interpret(parsed, Voice::Alone).ok()?;
        let number = self.reply.next_number();
        Some(format!("{number} {}", position.text(&reading.ply)))
    }

    /// Returns true if a message has no line of the sender's own, and a quotation without marks, with
    /// which it begins, has an order or a move that was never made: a gateway may have put lines
    /// above all words.
    fn looks_quoted(&self) -> bool {
        let reply = &self.reply;
        let mut words = reply.text.lines.iter().filter(|line| !line.is_blank());
        let first = words.clone().next();
        let begins = first.is_some_and(|line| line.column == 1 && line.author.depth() > 0);
        if !begins || words.clone().any(|line| line.author == Author::Own) {
            return false;
        }
        let steps = reply.record().steps();
        let is_made = |text: &str| {
            let mut steps = steps.iter();
            steps.any(|step| step.text.eq_ignore_ascii_case(text))
        };
        let is_new = |text: &str| {
            let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || ". ".contains(c));
            text.parse::<MoveText>().is_ok() && !is_made(text)
        };
        words.any(|line| {
            let request = Request::parse(line.text);
            line.author.depth() > 0
                && !line.is_of_parent
                && (request.is_some_and(|request| request.is_order()) || is_new(line.text.trim()))
        })
    }

    /// Decides on a command. One that is about the position or about an offer must answer
    /// a mail that showed it.
    fn command(&self, request: &Request) -> Result<Intent, Refusal> {
        if !self.is_timely(request) {
            return Err(self.untimely(request));
        }
        let is_about_match = !matches!(request, Request::Mail(_));
        if !request.is_question() && is_about_match {
            check_hashes(&self.reply, None)?;
        }
        Ok(Intent::Command(request.clone()))
    }

    /// Returns true if a command is meant for the match as it is now, as far as the
    /// message that it answers tells.
    fn is_timely(&self, request: &Request) -> bool {
        let reply = &self.reply;
        let Request::Act(action) = request else {
            return true;
        };
        match action {
            Action::Move(_) | Action::OfferDraw | Action::ClaimDraw | Action::ProposeTakeback => {
                reply.is_about_now()
            }
            Action::AcceptDraw => self.has_seen(reply.game.offered_at()),
            Action::AcceptTakeback => {
                self.is_taken_back() || self.has_seen(reply.game.proposed_at())
            }
            Action::Resign
            | Action::DeclineDraw
            | Action::DeclineTakeback
            | Action::DeclineInvitation
            | Action::Withdraw => true,
        }
    }

    /// Returns true if the sender's program has already taken back the last move: its foot
    /// counts that no more, and no message that it answers showed another move there.
    fn is_taken_back(&self) -> bool {
        let reply = &self.reply;
        let (game, made) = (reply.game, reply.plies());
        let is_without_last = |line: &IdLine| {
            let is_program_s = line.author == Author::Own && line.hash.is_some();
            is_program_s
                && line.plies + 1 == made
                && line.hash == Some(game.hash_of(&game.record().until(line.plies)))
        };
        let shown_at = reply.answered.and_then(|answered| answered.line);
        reply.id_lines.first().is_some_and(is_without_last)
            && shown_at.is_none_or(|line| {
                let then = game.shown_at(line);
                then.is_ok_and(|then| then.hash() == game.hash())
            })
    }

    /// Returns true if the sender knew of what was made at this line of the log: it stood
    /// when the message was made that the sender answers, or a later mail told of it in
    /// the same position. A mail that the log lacks may have told of what it lacks, too.
    fn has_seen(&self, made_at: Option<usize>) -> bool {
        let Some(made_at) = made_at else {
            return !self.reply.is_of_missing_mail();
        };
        let reply = &self.reply;
        let stood = reply
            .answered
            .and_then(|answered| answered.line)
            .is_some_and(|line| line > made_at);
        let was_told = || {
            let mut mails = reply.game.mails_to(reply.sender);
            mails.any(|mail| mail.line > made_at)
        };
        stood || reply.is_about_now() && was_told()
    }

    /// Refuses a command that may be meant for another position or offer.
    fn untimely(&self, request: &Request) -> Refusal {
        if self.reply.is_of_missing_mail() {
            let line = request.to_string();
            return missing_mail(&self.reply, vec![line.clone()], Some(line));
        }
        let about = match request {
            Request::Act(Action::AcceptDraw) => "the offer of a draw that stands now",
            Request::Act(Action::AcceptTakeback) => "the proposal that stands now",
            _ => "the position now",
        };
        let message = if self.reply.answered.is_some() {
            format!("answers an earlier mail of ours, from before {about},")
        } else {
            format!("was found among earlier mail, and may be from before {about},")
        };
        Refusal {
            asks: Some(request.to_string()),
            ..Refusal::new(
                vec![request.to_string()],
                format!(
                    "Your message {message} after {}. If you mean it now, please answer this mail with that line alone, above the quotation, or delete the quotation.",
                    half_moves(self.reply.plies())
                ),
            )
        }
    }

    /// Refuses a command that may be the end of a sentence, or that has an unclear author.
    ///
    /// `yes` is no answer to that: somebody else may have chosen the line, and many write `ok`
    /// for "I see".
    fn unclear_order(&self, is_doubtful: impl Fn(&Line<'_>) -> bool) -> Option<Refusal> {
        let lines = &self.reply.text.lines;
        let at = lines.iter().position(|line| {
            let request = Request::parse(line.text);
            (is_doubtful(line) || line.author == Author::Own)
                && request.is_some_and(|request| {
                    // The rest is in our help, which may be quoted here.
                    request.is_order() || matches!(request, Request::Mail(_))
                })
        })?;
        let line = &lines[at];
        let why = if condition::find(lines)[at] {
            "This line is part of a condition, so nothing has been done. If you mean it whatever your opponent does, please send this line alone."
        } else if line.author == Author::Own {
            "This line may be part of a longer sentence, so nothing has been done. If you mean it, please send this line alone, with an empty line above and below it."
        } else {
            "This may be a quotation, so nothing has been done. If you mean it, please send this line alone, above the quotation, or delete the quotation."
        };
        Some(Refusal::new(vec![line.text.trim().to_owned()], why))
    }

    /// Decides on the moves stated as the next one.
    fn stated(&self) -> Result<Intent, Refusal> {
        let (reply, stated) = (&self.reply, &self.moves.stated);
        if !reply.is_senders_turn() {
            return self.out_of_turn();
        }
        if let Some(ply) = self.older()? {
            return Ok(Intent::Again(ply));
        }
        if !reply.is_about_now() && !stated.iter().any(|stated| stated.placed) {
            return Err(self.unplaced());
        }
        let (first, others) = (&stated[0], &stated[1..]);
        let result = self.interpret(first);
        let mut offers_draw = result.as_ref().is_ok_and(|reading| reading.offers_draw);
        // Reads a list that is quoted a hundred times only once.
        let key = |stated: &StatedMove<'a>| (stated.voice == Voice::Alone, &stated.entry.text);
        let mut read = HashSet::from([key(first)]);
        // Below an order anybody may have filled in another, if nobody knows that the quotation is ours.
        let cites_us = reply.answered.is_some_and(|then| then.line.is_some());
        let may_be_senders =
            |other: &&StatedMove<'a>| cites_us || other.entry.place.line < first.entry.place.line;
        let doubtful = self.moves.doubtful.iter().filter(may_be_senders);
        let others = others.iter().chain(doubtful);
        for other in others.filter(|other| read.insert(key(other))) {
            let is_same = match (&result, self.interpret(other)) {
                (Ok(one), Ok(other)) => {
                    offers_draw |= other.offers_draw;
                    one.ply == other.ply
                }
                (Err(_), Err(_)) => same_text(first.entry, other.entry),
                _ => false,
            };
            if !is_same {
                return Err(self.two_moves(first.entry, reply.line_of(other.entry)));
            }
        }
        let reading = match result {
            Ok(reading) => reading,
            Err(error) => return self.unread(error, first.entry),
        };
        if let Some(other) = self.corrected(&reading.ply) {
            return Err(self.two_moves(first.entry, other));
        }
        let mut played = Played {
            line: reply.line_of(first.entry),
            reading,
            offers_draw,
        };
        for request in &self.requests {
            match request {
                Request::Act(Action::OfferDraw) => played.offers_draw = true,
                Request::Act(Action::DeclineDraw | Action::DeclineTakeback)
                | Request::Note
                | Request::Show(_)
                | Request::Help
                | Request::Rules
                | Request::Legal
                | Request::Mail(_) => {}
                // The move declines both.
                Request::Decline if reply.has_offer() => {}
                Request::Act(_)
                | Request::AddAddress(_)
                | Request::Decline
                | Request::ResignMatch
                | Request::Rematch => {
                    return Err(Refusal::new(
                        vec![played.line, request.to_string()],
                        format!("A move can't be played together with '{request}'."),
                    ));
                }
            }
        }
        check_diagrams(reply, &self.diagrams, &played)?;
        check_hashes(reply, Some(&played.reading.ply))?;
        Ok(Intent::Move(played))
    }

    fn two_moves(&self, one: &MoveEntry, other: String) -> Refusal {
        Refusal::new(
            vec![self.reply.line_of(one), other],
            "These are two different moves.",
        )
    }

    /// Returns the line in prose with which the sender may have replaced the move by
    /// another.
    fn corrected(&self, stated: &Ply) -> Option<String> {
        let own = |entry: &&&MoveEntry| entry.author.may_be_own();
        let mut mentioned = self.moves.mentioned.iter().filter(own).take(MOST_MENTIONS);
        mentioned.find_map(|entry| {
            let line = self.reply.line_of(entry);
            let text = entry.parsed.as_ref().ok()?;
            let is_other = is_correction(&line)
                && match self.reply.position().interpret(text, Voice::Alone) {
                    Ok(reading) => reading.ply != *stated,
                    Err(error) => {
                        matches!(error, ReadError::Ambiguous(_) | ReadError::Promotion(_))
                    }
                };
            is_other.then_some(line)
        })
    }

    /// Returns the one legal move that the statement means.
    fn interpret(&self, stated: &StatedMove<'_>) -> Result<Reading, ReadError> {
        let parsed = stated.entry.parsed.as_ref();
        let text = parsed.map_err(|error| ReadError::NotAMove(error.clone()))?;
        self.reply.position().interpret(text, stated.voice)
    }

    /// Decides on a move stated during the other player's turn. It may repeat the last
    /// move.
    fn out_of_turn(&self) -> Result<Intent, Refusal> {
        let last = self.reply.plies().checked_sub(1);
        if let Some(ply) = last.filter(|&ply| self.repeats(ply)) {
            return Ok(Intent::Again(ply));
        }
        check_hashes(&self.reply, None)?;
        let line = self.reply.line_of(self.moves.stated[0].entry);
        Ok(Intent::OutOfTurn(line))
    }

    /// Returns true if all stated moves are the sender's move at that half-move.
    fn repeats(&self, ply: usize) -> bool {
        let mut follower = Follower::new(self.reply.record());
        let mut stated = self.moves.stated.iter();
        mover(ply) == self.reply.sender && stated.all(|stated| follower.has(stated.entry, ply))
    }

    /// Returns the half-move that moves without a number repeat, if the message answers
    /// an older position.
    ///
    /// # Errors
    ///
    /// If they repeat none: it is unclear whether they are meant for the position now.
    fn older(&self) -> Result<Option<usize>, Refusal> {
        let stated = &self.moves.stated;
        let plies = self.reply.plies();
        let answered = self.reply.answered.filter(|then| !then.is_present);
        let answered = answered.map(|answered| answered.plies).or_else(|| {
            let quoted = self.moves.quoted.filter(|then| *then != plies);
            quoted.filter(|_| self.reply.answered.is_none())
        });
        let Some(then) = answered.filter(|_| !stated.iter().any(|stated| stated.placed)) else {
            return Ok(None);
        };
        if self.repeats(then) {
            return Ok(Some(then));
        }
        let entry = stated[0].entry;
        let are = if plies == 1 { "is" } else { "are" };
        let number = self.reply.next_number();
        let is_of_our_mail = self.reply.answered.is_some_and(|then| then.line.is_some());
        if then > plies && !is_of_our_mail {
            let why = format!(
                "Your message answers a position after {}, but only {plies} {are} known here.",
                half_moves(then)
            );
            let mut feet = self.reply.id_lines.iter();
            let taken_back = TakenBack::of(self.reply.game);
            let is_missing =
                |foot: &IdLine| foot.plies == then && foot.hash.is_some() && !taken_back.has(foot);
            let refusal = self.refused(entry, why);
            return Err(if feet.any(is_missing) {
                of_missing_mail(refusal, self.numbered(entry))
            } else {
                refusal
            });
        }
        let now = if then < plies {
            format!("by now there {are} {plies}")
        } else {
            "which has been taken back".to_owned()
        };
        let why = format!(
            "Your message answers an older position, after {}; {now}. If you mean the position now, put the number before the move: {number} {}.",
            half_moves(then),
            entry.text
        );
        Err(self.asking_for_number(entry, why))
    }

    /// Asks for the number of a move that came long ago, or may have been read before.
    fn unplaced(&self) -> Refusal {
        let entry = self.moves.stated[0].entry;
        let why = format!(
            "Your message was found among earlier mail, and does not say which position it means. If you mean the position now, put the number before the move: {} {}.",
            self.reply.next_number(),
            entry.text
        );
        self.asking_for_number(entry, why)
    }

    /// Refuses a move without the number that it needs. `yes` stands for it if the letter says
    /// one move and nothing else, and that is legal.
    fn asking_for_number(&self, entry: &MoveEntry, why: String) -> Refusal {
        let moves = &self.moves;
        let is_alone = moves
            .stated
            .iter()
            .all(|other| same_text(other.entry, entry))
            && moves.doubtful.is_empty()
            && moves.mentioned.is_empty()
            && self.requests.is_empty()
            && self.diagrams.is_empty();
        let offers_draw = |reading: Reading| reading.offers_draw;
        let offers_draw = self
            .interpret(&StatedMove::lone(entry))
            .is_ok_and(offers_draw);
        Refusal {
            asks: self.numbered(entry).filter(|_| is_alone && !offers_draw),
            ..self.refused(entry, why)
        }
    }

    /// Refuses a move. The legal moves of its piece help the sender.
    fn refused(&self, entry: &MoveEntry, why: String) -> Refusal {
        Refusal {
            role: entry.parsed.as_ref().ok().and_then(MoveText::role),
            ..Refusal::new(vec![self.reply.line_of(entry)], why)
        }
    }

    /// Asks about the legal moves that stand in prose or are drawn.
    fn mentioned(&self) -> Result<Intent, Refusal> {
        if !self.reply.is_senders_turn() {
            return Ok(Intent::Words);
        }
        let position = self.reply.position();
        let mentioned = self.moves.mentioned.iter().take(MOST_MENTIONS);
        let mentioned = mentioned.filter_map(|entry| {
            let parsed = entry.parsed.as_ref().ok()?;
            // "Your pawn on e4" names a square, not a move.
            let is_move = !parsed.is_bare() || entry.number.is_some();
            let reading = is_move.then(|| position.interpret(parsed, Voice::Alone))?;
            Some((self.reply.line_of(entry), meanings(position, reading)))
        });
        let found = collected(mentioned);
        // Nobody means a condition whatever the opponent has played.
        let conditions = condition::find(&self.reply.text.lines);
        let is_own = |entry: &&MoveEntry| {
            let is_condition = conditions.get(entry.place.line - 1);
            entry.author == Author::Own && is_condition != Some(&true)
        };
        let is_own = found.is_none() || self.moves.mentioned.iter().all(is_own);
        let found = found.or_else(|| spelled_moves(&self.reply));
        if found.is_none()
            && let Some(tried) = self.moves.tried
            && let Err(error) = self.interpret(&StatedMove::lone(tried))
        {
            return self.unread(error, tried);
        }
        let drawn = || {
            let (line, text) = shown_move(&self.reply, &self.diagrams)?;
            Some((line, vec![text]))
        };
        let is_own = is_own && found.is_some();
        let Some((line, moves)) = found.or_else(drawn) else {
            return Ok(Intent::Words);
        };
        check_hashes(&self.reply, None)?;
        Ok(Intent::Mention {
            line,
            moves,
            is_own,
        })
    }

    /// Answers a move that could not be read as one legal move.
    fn unread(&self, error: ReadError, entry: &MoveEntry) -> Result<Intent, Refusal> {
        match error {
            ReadError::Ambiguous(forms) => {
                check_hashes(&self.reply, None)?;
                let line = self.reply.line_of(entry);
                Ok(Intent::Ambiguous { line, forms })
            }
            error => Err(self.refused(entry, sentence(&error.to_string()))),
        }
    }
}

/// Returns true if a line may be the sender's, or somebody's whom the sender quotes.
fn is_doubtful(line: &Line<'_>) -> bool {
    match line.author {
        Author::Unclear | Author::Quoted(0) => true,
        Author::Quoted(_) => line.may_be_typed(),
        _ => false,
    }
}

fn requests(reply: &Reply<'_>) -> Vec<Request> {
    let is_show = |request: &Request| matches!(request, Request::Show(_));
    let mut requests = Vec::new();
    let lines = &reply.text.lines;
    for at in (0..lines.len()).filter(|at| lines[*at].author == Author::Own) {
        if let Some(request) = reply.command(at)
            && !requests.contains(&request)
            && !(is_show(&request) && requests.iter().any(is_show))
        {
            requests.push(request);
        }
    }
    requests
}

fn same_text(one: &MoveEntry, other: &MoveEntry) -> bool {
    match (&one.parsed, &other.parsed) {
        (Ok(one), Ok(other)) => one.as_str() == other.as_str(),
        _ => one.text == other.text,
    }
}

/// Turns a clause into a sentence. The name of a square at its start stays as it is.
fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    let first: String = match (chars.next(), clause.chars().nth(1)) {
        (Some(c), Some(next)) if !next.is_ascii_digit() => c.to_uppercase().collect(),
        (first, _) => first.into_iter().collect(),
    };
    let end = if clause.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{first}{}{end}", chars.as_str())
}

/// The words with which a sender corrects the lines above, in lower case.
const CORRECTING: &str = "sorry instead correction corrected oops mistake mistyped typo meant stattdessen \
    korrektur entschuldigung vertippt meinte pardon erratum perdón scusa invece извини";

/// Returns true if a line may correct another: `Sorry, n>f6 instead`.
fn is_correction(line: &str) -> bool {
    let line = line.to_lowercase();
    let mut words = line.split(|c: char| !c.is_alphabetic());
    words.any(|word| CORRECTING.split(' ').any(|known| known == word))
}

/// The most diagrams that are searched for a move.
const MOST_DRAWN: usize = 20;

/// Returns the diagrams in the sender's own lines.
fn own_diagrams<'a>(reply: &Reply<'a>) -> Vec<&'a LocatedDiagram> {
    let parts = reply.text.parts.iter();
    let own = parts.filter_map(|part| match &part.kind {
        PartKind::Diagram(drawn) if drawn.author == Author::Own => Some(&**drawn),
        _ => None,
    });
    own.collect()
}

/// Checks that each diagram shows a position of the match or the one after the move.
///
/// # Errors
///
/// If a diagram shows any other position.
fn check_diagrams(
    reply: &Reply<'_>,
    drawn: &[&LocatedDiagram],
    played: &Played,
) -> Result<(), Refusal> {
    if drawn.is_empty() {
        return Ok(());
    }
    let Ok(after) = reply.position().play(&played.reading.ply) else {
        return Ok(());
    };
    // An older position is a quotation or a look back.
    let is_known = |drawn: &&&LocatedDiagram| {
        let positions = (0..=reply.plies()).filter_map(|plies| reply.record().at(plies));
        let mut positions = positions.chain([&after]);
        positions.any(|position| drawn.diagram.shows(position))
    };
    match drawn.iter().find(|drawn| !is_known(drawn)) {
        Some(drawn) => Err(contradiction(reply, played, drawn, &after)),
        None => Ok(()),
    }
}

fn contradiction(
    reply: &Reply<'_>,
    played: &Played,
    drawn: &LocatedDiagram,
    after: &Position,
) -> Refusal {
    let text = reply.position().text(&played.reading.ply);
    let mut lines = vec![played.line.clone()];
    let mut why = format!(
        "Your diagram is not the position after {}",
        numbered(reply.plies(), &text)
    );
    if let Some((difference, square)) = drawn.diagram.difference(after) {
        let place = square.and_then(|square| drawn.place_of(square));
        let place = place.unwrap_or(drawn.place);
        lines.extend(reply.line(place.line));
        why = format!("{why}: {difference}");
    }
    Refusal::new(lines, why + ".")
}

/// Finds a diagram that exactly one legal move leads to. Returns its first line and
/// that move.
fn shown_move(reply: &Reply<'_>, drawn: &[&LocatedDiagram]) -> Option<(String, String)> {
    let position = reply.position();
    drawn.iter().take(MOST_DRAWN).find_map(|drawn| {
        let plies = position.single_plies().into_iter();
        let mut leading = plies.filter(|ply| {
            let after = position.play(ply);
            after.is_ok_and(|after| drawn.diagram.shows(&after))
        });
        let (Some(ply), None) = (leading.next(), leading.next()) else {
            return None;
        };
        Some((reply.line(drawn.place.line)?, position.text(&ply)))
    })
}

/// Checks that each quoted hash belongs to the record here, or did before a take-back.
/// `next` is the move that the message brings.
///
/// # Errors
///
/// If a hash belongs to another record.
fn check_hashes(reply: &Reply<'_>, next: Option<&Ply>) -> Result<(), Refusal> {
    let (game, made) = (reply.game, reply.plies());
    let next_text = next.map(|ply| reply.position().text(ply));
    let hashes = LazyCell::new(|| {
        let moves = reply.record().steps().iter().map(|step| step.text.as_str());
        game.hashes_of_moves(moves.chain(next_text.as_deref()))
    });
    // The sender's own program has already counted the move.
    let known = made + usize::from(next.is_some());
    let taken_back = LazyCell::new(|| TakenBack::of(game));
    let mut seen = HashSet::new();
    for line in reply.id_lines {
        let Some(there) = line.hash.as_deref() else {
            continue;
        };
        if line.id != *game.id() || !seen.insert((line.plies, there)) {
            continue;
        }
        // A quotation of a mail that the log does not have.
        let is_of_missing_mail =
            line.author != Author::Own && reply.answered.is_none_or(|then| then.line.is_none());
        let Some(here) = hashes.get(line.plies).filter(|_| line.plies <= known) else {
            if is_of_missing_mail && !taken_back.has(line) {
                return Err(missing_mail(reply, Vec::new(), None));
            }
            continue;
        };
        if here != there && !taken_back.has(line) {
            let mut refusal = other_record(reply, next, line, here, there);
            if !is_of_missing_mail {
                return Err(refusal);
            }
            let meant = next_text
                .as_ref()
                .map(|text| format!("{} {text}", reply.next_number()));
            refusal.lines.splice(..0, meant.clone());
            return Err(of_missing_mail(refusal, meant));
        }
    }
    Ok(())
}

/// Refuses because the sender has another record, and tells where the two part.
fn other_record(
    reply: &Reply<'_>,
    next: Option<&Ply>,
    line: &IdLine,
    here: &str,
    there: &str,
) -> Refusal {
    let mut then = reply.record().until(line.plies);
    if then.steps().len() < line.plies
        && let Some(ply) = next
    {
        // A move that the record refuses is not followed either.
        let _ = then.play(ply);
    }
    let told = move_list::follow_lists(&then, reply.text, move_list::is_numbered);
    let why = match (parting(&then, &told), told.reach) {
        (Some(parting), _) => parting,
        (None, Some(plies)) if plies >= line.plies => {
            "The moves you quote are the same, so it is the game or its options that differ."
                .to_owned()
        }
        _ => "Your message does not show where the two records part; please compare your list with this one.".to_owned(),
    };
    Refusal::new(
        vec![format!("Hash of the moves: {there}")],
        format!(
            "Your message answers another record of this match: after {} the hash of the moves is {here} here. {why}",
            half_moves(line.plies)
        ),
    )
}

/// The most spelled moves that are examined.
const MOST_SPELLED: usize = 20;

/// The most words of a line in which a letter alone may be a piece.
const SHORT: usize = 4;

/// The legal moves that the sender's own lines spell out, with the first line that has
/// one.
fn spelled_moves(reply: &Reply<'_>) -> Option<(String, Vec<String>)> {
    let own = reply.text.lines.iter().filter(|line| {
        line.author == Author::Own && !line.is_blank() && request::noted(line.text).is_none()
    });
    let spelled = own.flat_map(|line| spelled(line).into_iter().map(move |it| (line, it)));
    collected(spelled.take(MOST_SPELLED).map(|(line, (role, square))| {
        let moves = meant(reply.position(), role, square);
        (line.text.trim().to_owned(), moves)
    }))
}

/// Collects the moves that several lines can mean, each once, with the first line that means
/// one.
fn collected(meant: impl Iterator<Item = (String, Vec<String>)>) -> Option<(String, Vec<String>)> {
    let mut first = None;
    let mut moves: Vec<String> = Vec::new();
    for (line, forms) in meant.filter(|(_, forms)| !forms.is_empty()) {
        first.get_or_insert(line);
        for text in forms {
            if !moves.contains(&text) {
                moves.push(text);
            }
        }
    }
    first.map(|line| (line, moves))
}

/// Returns the legal moves that a text can mean, by how it is read.
fn meanings(position: &Position, reading: Result<Reading, ReadError>) -> Vec<String> {
    match reading {
        Ok(reading) => vec![position.text(&reading.ply)],
        Err(ReadError::Ambiguous(forms) | ReadError::Promotion(forms)) => forms,
        Err(_) => Vec::new(),
    }
}

/// The legal moves that a piece and a square can mean: a drop, and moves on the board.
fn meant(position: &Position, role: Role, square: Square) -> Vec<String> {
    let piece = role.of(Color::White);
    let forms = ['>', '-'].into_iter().flat_map(|sign| {
        let text = format!("{piece}{sign}{square}");
        meanings(position, position.read_with(&text, Voice::Alone))
    });
    forms.collect()
}

/// The pieces with squares that a line spells out.
fn spelled(line: &Line<'_>) -> Vec<(Role, Square)> {
    let text = line.plain();
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let is_short = words.len() <= SHORT;
    let acts = words.iter().any(|word| is_verb(word));
    let role = |word: &str| named(word).or_else(|| letter(word).filter(|_| is_short));
    let at = |i: usize| {
        let role = role(words[i])?;
        let (next, behind) = (words.get(i + 1)?, words.get(i + 2));
        let square = match next.to_lowercase().as_str() {
            "to" => behind?,
            // "Your knight on d4" tells where a piece stands.
            "on" | "at" | "onto" | "in" if acts => behind?,
            _ => next,
        };
        Some((role, square.parse().ok()?))
    };
    (0..words.len()).filter_map(at).collect()
}

/// The piece that a word names.
fn named(word: &str) -> Option<Role> {
    let mut roles = Role::ALL.into_iter().filter(|role| !role.is_promoted());
    roles.find(|role| role.name().eq_ignore_ascii_case(word))
}

/// The piece of a letter.
fn letter(word: &str) -> Option<Role> {
    let mut chars = word.chars();
    let role = Role::from_letter(chars.next()?)?;
    chars.next().is_none().then_some(role)
}

/// Returns true if a word says that a piece is set down.
fn is_verb(word: &str) -> bool {
    let word = word.to_lowercase();
    ["drop", "put", "plac", "set", "play", "mov"]
        .iter()
        .any(|verb| word.starts_with(verb))
}

#[cfg(test)]
mod tests {
    use super::is_correction;

    /// Whoever quotes our mails in one paragraph corrects nothing.
    #[test]
    fn no_mail_of_ours_has_a_word_that_corrects() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
        let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
        let texts = files.filter(|file| file.path().extension().is_some());
        let mut count = 0;
        for text in texts.map(|file| std::fs::read_to_string(file.path()).unwrap()) {
            for line in text.lines() {
                assert!(!is_correction(line), "{line}");
                count += 1;
            }
        }
        assert!(count > 300, "{count}");
    }

    #[test]
    fn words_tell_a_correction() {
        for line in ["Sorry, n>f6 instead", "n>f6, oops", "Ich meinte n>f6."] {
            assert!(is_correction(line), "{line}");
        }
        for line in ["n>f6", "I feared n>f6", "a sorrysome n>f6", ""] {
            assert!(!is_correction(line), "{line}");
        }
    }
}
