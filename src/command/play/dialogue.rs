//! A match against the program, as a dialogue: lines in, moves and boards out. Each half-move is on
//! the disk before the other side thinks about it.

use std::sync::Arc;
use std::time::Duration;

use crate::command::act;
use crate::command::analyse::NODES;
use crate::command::context::{self, Context, Status};
use crate::command::play::desk::Desk;
use crate::command::play::unfinished;
use crate::command::play::word::{BoardForm, Typed, Word, listed, meant};
use crate::command::{legal, manual};
use crate::engine::{Engine, Level, Limits, Mistake, NoDraw, Pick, Score, Thought};
use crate::matches::action::{Action, Ending};
use crate::matches::r#match::Match;
use crate::matches::program::ADVICE;
use crate::notation::move_list::{self, MoveList};
use crate::printable::width;
use crate::render::lesson::Lesson;
use crate::rules::{Color, Ply};
use crate::store::store::{Store, update};
use crate::{Error, clock, paint};

/// How long each look of a hint takes at most at a terminal: two or three looks are the rule.
const PATIENCE: Duration = Duration::from_millis(800);

/// What the first mistake on purpose calls for.
const MISTAKES: &str = "At this level some moves of the program are mistakes on purpose, so that you can win: the words in brackets tell which. See what such a move leaves to you.";

/// A match that is played at the prompt.
pub(super) struct Dialogue<'d, 'a> {
    desk: Desk<'d, 'a>,
    store: Arc<dyn Store>,
    game: Match,
    /// True once the match is in the store: from its first move on.
    is_kept: bool,
    /// The side of the person.
    mine: Color,
    level: Level,
    engine: Engine,
    /// True once the mistakes on purpose are explained.
    has_told_mistakes: bool,
}

/// Whether the dialogue goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Line,
    Leave,
}

impl<'d, 'a> Dialogue<'d, 'a> {
    /// Prepares the dialogue of a match against the program.
    ///
    /// # Errors
    ///
    /// If there is no program in the match, or no place for it.
    pub(super) fn of(
        game: Match,
        is_kept: bool,
        form: BoardForm,
        context: &'d mut Context<'a>,
    ) -> Result<Dialogue<'d, 'a>, Error> {
        let Some((side, level)) = game.program() else {
            return Err(Error::refused("no program plays in this match"));
        };
        Ok(Dialogue {
            store: context.store()?,
            is_kept,
            mine: !side,
            level,
            engine: Engine::new(game.variant()),
            has_told_mistakes: false,
            game,
            desk: Desk::of(form, context)?,
        })
    }

    /// Plays until the match or the input ends.
    ///
    /// # Errors
    ///
    /// If a half-move cannot be kept, or a stream fails.
    pub(super) fn run(mut self) -> Result<Status, Error> {
        self.greet()?;
        loop {
            if let Some(ending) = self.game.ending() {
                self.tell_end(ending)?;
                return Ok(self.desk.status);
            }
            let next = if self.desk.interrupt.is_pressed() {
                Next::Leave
            } else if self.game.turn() == Some(self.mine) {
                self.take_line()?
            } else {
                self.answer()?
            };
            if next == Next::Leave {
                self.leave()?;
                return Ok(self.desk.status);
            }
        }
    }

    fn show_board(&mut self) -> Result<(), Error> {
        self.desk.show(self.game.position(), self.mine)
    }

    /// Tells what is played against whom, and what can be typed.
    fn greet(&mut self) -> Result<(), Error> {
        let game = &self.game;
        let (id, variant) = (game.id(), game.variant());
        let mut rules = variant.game().name.to_owned();
        for option in variant.options() {
            rules = format!("{rules}, {option}");
        }
        let mine = variant.player(self.mine);
        let program = game.player(!self.mine).name();
        let head = format!("{id}: {rules}. You play {mine} against {program}.");
        let is_new = game.record().steps().is_empty();
        let lesson = Lesson::new(game.position(), self.mine);
        if !self.is_kept
            && self.desk.prompt.is_terminal()
            && let Some(told) = unfinished::told(&*self.store)
        {
            self.desk.tell(&told)?;
        }
        self.desk.tell(&head)?;
        if is_new && self.desk.prompt.is_terminal() {
            let about = format!("{} {}", lesson.aim, lesson.placing);
            self.desk.tell(about.trim_end())?;
        }
        if self.game.turn().is_some() {
            let like = lesson.samples.join(", ");
            self.desk.tell(&format!(
                "Type a move, like {like}, or 'help' for what else there is."
            ))?;
        }
        if let Some(step) = self.game.record().steps().last() {
            let last = self.game.record().steps().len() - 1;
            let last = move_list::numbered_step(self.game.record(), last);
            self.desk.tell(&format!("The last move was {last}."))?;
            self.desk.explain(&step.to_string())?;
        }
        if self.game.turn() != Some(!self.mine) {
            self.show_board()?;
        }
        Ok(())
    }

    /// Says how the match goes on.
    fn leave(&mut self) -> Result<(), Error> {
        let id = self.game.id();
        let text = if self.is_kept {
            format!("{id} is kept: 'parapost play {id}' goes on.")
        } else {
            "No move was made, so nothing is kept.".to_owned()
        };
        self.desk.tell(&text)
    }

    /// Says how the match ended, and what to do next.
    fn tell_end(&mut self, ending: Ending) -> Result<(), Error> {
        let variant = self.game.variant();
        let mine = match ending.winner() {
            Some(winner) if winner == self.mine => "You have won.",
            Some(_) => "You have lost.",
            None => "",
        };
        let sentence = ending.sentence(variant);
        let end = format!("{sentence}: {}. {mine}", ending.score());
        let has_won = ending.winner() == Some(self.mine);
        let level = self.level.number() + u8::from(has_won);
        let level = Level::new(level).unwrap_or(self.level).number();
        let mut again = format!("parapost play {} --level {level}", variant.game().id);
        if self.mine == Color::White {
            again += " --as black";
        }
        for option in variant.options() {
            again = format!("{again} --option {option}");
        }
        let id = self.game.id();
        let next = format!(
            "\nAgain, with the colours changed:\n  {again}\nTo see where it turned, to look at it again in the browser, or to post it:\n  parapost analyse {id}\n  parapost open {id}\n  parapost show {id} --as post"
        );
        self.desk.tell(end.trim_end())?;
        self.desk.context.print(format!("{next}\n"))
    }

    /// Reads a line and does what it says.
    fn take_line(&mut self) -> Result<Next, Error> {
        let position = self.game.position();
        self.desk.prompt.completes(|| {
            let words = Word::ALL.iter().map(|(_, word, _)| (*word).to_owned());
            let plies = position.single_plies();
            words
                .chain(plies.iter().map(|ply| position.text(ply)))
                .collect()
        });
        let number = move_list::number_of_position(position);
        let Some(line) = self.desk.line(&format!("{number} "))? else {
            return Ok(Next::Leave);
        };
        match Typed::of(&line) {
            Typed::Nothing => {}
            Typed::Word(word) => return self.do_word(word),
            Typed::Form(form) => {
                self.desk.form = form;
                self.show_board()?;
            }
            Typed::UnknownForm(form) => {
                self.desk.refuse(format_args!(
                    "the board has no form '{form}': diagram, coords and unicode are its forms"
                ))?;
            }
            Typed::Move(text) => self.play(text)?,
        }
        Ok(Next::Line)
    }

    fn do_word(&mut self, word: Word) -> Result<Next, Error> {
        match word {
            Word::Legal => self.list_legal()?,
            Word::Hint => return self.hint(),
            Word::Undo => self.undo()?,
            Word::Board => self.show_board()?,
            Word::Moves if self.game.record().steps().is_empty() => {
                self.desk.tell("No move has been made.")?;
            }
            Word::Moves => {
                let list = MoveList::of(self.game.record()).within(self.desk.columns());
                self.desk.context.print(&list)?;
                self.desk.explain(&list.to_string())?;
            }
            Word::Rules => {
                let text = manual::text_of(self.game.variant().game(), self.desk.columns());
                self.desk.context.print(text)?;
            }
            Word::Draw => return self.draw(),
            Word::Resign => self.resign()?,
            Word::Save => self.tell_place()?,
            Word::Help => self.help()?,
            Word::Quit => return Ok(Next::Leave),
        }
        Ok(Next::Line)
    }

    fn help(&mut self) -> Result<(), Error> {
        let samples = Lesson::new(self.game.position(), self.mine).samples;
        let mut text = format!(
            "A move is written like {}, or in any other way that is clear; 'parapost help moves' tells more. Tab completes it, and the arrow keys bring earlier lines back. The other words:\n",
            samples.join(", ")
        );
        text = self.desk.context.wrapped_for_stdout(text);
        let words = Word::ALL.iter().map(|(_, word, does)| (*word, *does));
        text += &listed(&words.collect::<Vec<_>>(), self.desk.columns());
        self.desk.context.print(text)?;
        self.desk.list_signs(self.game.variant().rules())
    }

    fn list_legal(&mut self) -> Result<(), Error> {
        let mut text = legal::for_people(self.game.record(), self.desk.columns());
        let position = self.game.position();
        if position.needs_placement() {
            text += "Several pieces have to be placed at once, with commas between them.\n";
        } else if position.variant().rules().placement && position.reserve(self.mine).total() > 1 {
            text += "Several pieces can be placed in one turn, with commas between them.\n";
        }
        let text = self.desk.context.wrapped_for_stdout(text);
        self.desk.context.print(text)
    }

    fn tell_place(&mut self) -> Result<(), Error> {
        let id = self.game.id();
        let text = if self.is_kept {
            format!(
                "Each move is kept at once, in {}. 'parapost show {id} --as post -o FILE' writes the match elsewhere.",
                self.store.name_of(id)
            )
        } else {
            "The match is kept from its first move on.".to_owned()
        };
        self.desk.tell(&text)
    }

    /// Changes the match in the store, where it begins with its first change.
    ///
    /// # Errors
    ///
    /// If somebody else has gone on with it meanwhile, or it cannot be written.
    fn change(
        &mut self,
        mut change: impl FnMut(&mut Match) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if !self.is_kept {
            let mut game = self.game.clone();
            change(&mut game)?;
            self.store.create(&game)?;
            (self.game, self.is_kept) = (game, true);
            return Ok(());
        }
        let seen = (self.game.hash(), self.game.ending());
        let from = self.store.read_to_change(self.game.id())?;
        let ((), stored) = update(&*self.store, from, |game| {
            if seen != (game.hash(), game.ending()) {
                return Err(Error::refused(format!(
                    "{0}: somebody has gone on with this match meanwhile; 'parapost play {0}' shows it as it is now",
                    game.id()
                )));
            }
            change(game)
        })?;
        self.game = Match::clone(&stored.released().game);
        Ok(())
    }

    /// Does something for a side, until that has ended the match.
    fn act(&mut self, side: Color, actions: &[Action]) -> Result<(), Error> {
        let now = clock::now()?;
        self.change(|game| {
            for action in actions {
                if game.turn().is_some() {
                    game.push(game.entry(now, action.clone(), side))?;
                }
            }
            Ok(())
        })
    }

    /// Plays what was typed, if it is a legal move.
    fn play(&mut self, text: &str) -> Result<(), Error> {
        let all = "'legal' lists the legal moves";
        let reading = match act::read(self.game.position(), text, all) {
            Ok(reading) => reading,
            Err(why) => {
                return match meant(text) {
                    Some(word) => self.desk.refuse(format_args!(
                        "'{text}' is no move and no word here; did you mean '{word}'?"
                    )),
                    None => self.desk.refuse(why),
                };
            }
        };
        let warnings = reading.warnings.iter();
        let warnings: Vec<String> = warnings
            .filter(|warning| act::is_news(&self.game, warning))
            .map(|warning| format!("warning: {warning}"))
            .collect();
        let canonical = self.game.position().text(&reading.ply);
        let actions = [Action::play(canonical.as_str()), Action::OfferDraw];
        let count = 1 + usize::from(reading.offers_draw);
        self.act(self.mine, &actions[..count])?;
        self.desk.context.flush()?;
        for warning in warnings {
            self.desk.context.say(warning);
        }
        if !self.desk.prompt.is_terminal() || text != canonical {
            self.tell_move(None)?;
        }
        if self.game.ending().is_some() {
            self.show_board()?;
        }
        Ok(())
    }

    /// Tells the last move, and a reason for it.
    fn tell_move(&mut self, reason: Option<&str>) -> Result<(), Error> {
        let steps = self.game.record().steps();
        let Some(last) = steps.len().checked_sub(1) else {
            return Ok(());
        };
        let told = move_list::numbered_step(self.game.record(), last);
        let painted = self
            .desk
            .context
            .out
            .text(paint::STRONG, self.desk.fitting(&told));
        let Some(reason) = reason.map(|reason| format!("({reason})")) else {
            self.desk.context.print(painted + "\n")?;
            return self.desk.explain(&told);
        };
        let columns = width(&told) + width(&reason) + 2;
        let reason = match self.desk.context.room().filter(|room| columns > *room) {
            None => format!("  {reason}"),
            Some(room) => {
                let layout = textwrap::Options::new(room).initial_indent("  ");
                format!(
                    "\n{}",
                    textwrap::fill(&reason, layout.subsequent_indent("  "))
                )
            }
        };
        let reason = self.desk.context.out.text(paint::FAINT, reason);
        self.desk.context.print(format!("{painted}{reason}\n"))?;
        self.desk.explain(&told)
    }

    /// The program's turn.
    fn answer(&mut self) -> Result<Next, Error> {
        self.desk.context.flush()?;
        let side = !self.mine;
        let stop = Some(Arc::clone(&self.desk.interrupt.stop));
        let turn = self
            .game
            .turn_of_program(&mut self.engine, (side, self.level), stop);
        if self.desk.interrupt.is_pressed() {
            return Ok(Next::Leave);
        }
        let Some(turn) = turn else {
            return Err(Error::refused("the program knows no move in this position"));
        };
        match turn
            .pick
            .as_ref()
            .and_then(|pick| Some((pick, pick.ply.as_ref()?)))
        {
            Some((pick, ply)) => self.answer_with(pick, ply, &turn.actions)?,
            None => self.act(side, &turn.actions)?,
        }
        Ok(Next::Line)
    }

    /// Plays the program's move, with the offer of a draw if it wants one.
    fn answer_with(&mut self, pick: &Pick, ply: &Ply, actions: &[Action]) -> Result<(), Error> {
        let reason = self.reason(ply, pick.score, pick.mistake);
        let offers = actions.contains(&Action::OfferDraw);
        let was_offered = self.game.offer() == Some(self.mine);
        self.act(!self.mine, actions)?;
        if was_offered {
            self.desk.tell("parapost declines the draw.")?;
        }
        self.tell_move(reason.as_deref())?;
        if pick.mistake.is_some() && !self.has_told_mistakes {
            self.has_told_mistakes = true;
            self.desk.tell(MISTAKES)?;
        }
        self.show_board()?;
        if offers {
            self.desk
                .tell("parapost offers a draw: 'draw' accepts it, a move declines it.")?;
        }
        Ok(())
    }

    /// Says in a few words what a ply does; none if there is nothing to say. At the lowest levels
    /// a move can be a mistake on purpose, which a beginner can learn to look for.
    fn reason(&self, ply: &Ply, score: Score, mistake: Option<Mistake>) -> Option<String> {
        let deeds = self.engine.deeds(self.game.position(), ply, score);
        let deeds: Vec<String> = deeds.iter().take(2).map(ToString::to_string).collect();
        let deeds = deeds.join(" and ");
        let how = match mistake {
            Some(Mistake::Idle) => "without a thought",
            Some(Mistake::NoAnswer) => "without a look at your answer",
            _ => "",
        };
        let parts = [deeds.as_str(), how];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Thinks about an offer of a draw. Returns `None` if it was stopped.
    fn judge(&mut self) -> Option<Thought> {
        let limits = Limits {
            stop: Some(Arc::clone(&self.desk.interrupt.stop)),
            ..Limits::nodes(ADVICE)
        };
        let thought = self.engine.think(self.game.record(), &limits);
        (!self.desk.interrupt.is_pressed()).then_some(thought)
    }

    fn hint(&mut self) -> Result<Next, Error> {
        self.desk.context.flush()?;
        let is_terminal = self.desk.prompt.is_terminal();
        let spinner = context::spinner(is_terminal, "thinking; any key stops it");
        let mut think = |stop| {
            let limits = Limits {
                stop: Some(stop),
                time: is_terminal.then_some(PATIENCE),
                ..Limits::nodes(NODES.saturating_mul(10))
            };
            self.engine.advise(self.game.record(), &limits)
        };
        let interrupt = &self.desk.interrupt;
        let advice = if is_terminal {
            interrupt.until_key(think)
        } else {
            think(Arc::clone(&interrupt.stop))
        };
        spinner.finish_and_clear();
        if self.desk.interrupt.is_pressed() {
            return Ok(Next::Leave);
        }
        let Some((advice, ply)) = advice.and_then(|advice| {
            let ply = advice.thought.ply?;
            Some((advice, ply))
        }) else {
            return Ok(Next::Line);
        };
        let text = self.game.position().text(&ply);
        let mut hint = match self.reason(&ply, advice.thought.score, None) {
            Some(reason) => format!("{text} would be good: it {reason}."),
            None => format!("{text} would be good."),
        };
        if let Some(threat) = &advice.threat {
            let deeds = self
                .engine
                .deeds(&threat.position, &threat.ply, threat.score);
            let other = self.game.variant().player(!self.mine);
            let text = threat.position.text(&threat.ply);
            let deed = deeds.first().map(|deed| format!(", which {deed}"));
            let deed = deed.unwrap_or_default();
            hint = format!("{hint} {other} threatens {text}{deed}.");
        }
        self.desk.tell(&hint)?;
        Ok(Next::Line)
    }

    /// Takes back the last move of each side.
    fn undo(&mut self) -> Result<(), Error> {
        let steps = self.game.record().steps();
        let Some(first) = steps.len().checked_sub(2) else {
            return self
                .desk
                .refuse("you have made no move that could be taken back");
        };
        let [own, answer] =
            [first, first + 1].map(|ply| move_list::numbered_step(self.game.record(), ply));
        let told = format!("{own} and {answer} are taken back.");
        let (now, mine) = (clock::now()?, self.mine);
        self.change(|game| {
            for _ in 0..2 {
                for (action, side) in [
                    (Action::ProposeTakeback, mine),
                    (Action::AcceptTakeback, !mine),
                ] {
                    let entry = game.entry(now, action, side);
                    game.push(entry)?;
                }
            }
            Ok(())
        })?;
        self.desk.tell(&told)?;
        self.show_board()
    }

    /// Claims a draw, accepts the program's offer, or offers one.
    fn draw(&mut self) -> Result<Next, Error> {
        let mine = self.mine;
        let ending = if self.game.record().claim().is_some() {
            Some((Action::ClaimDraw, "Claim the draw"))
        } else if self.game.offer() == Some(!mine) {
            Some((Action::AcceptDraw, "Accept the draw"))
        } else {
            None
        };
        if let Some((action, question)) = ending {
            if self.is_meant(question)? {
                self.act(mine, &[action])?;
            } else {
                self.desk.tell("The game goes on.")?;
            }
            return Ok(Next::Line);
        }
        let now = clock::now()?;
        let offer = self.game.entry(now, Action::OfferDraw, mine);
        if let Err(why) = self.game.must_be_first(&offer) {
            self.desk.refuse(why)?;
            return Ok(Next::Line);
        }
        if !self.is_kept {
            self.desk
                .refuse("no move has been made: there is nothing to offer a draw in")?;
            return Ok(Next::Line);
        }
        if !self.is_meant("Offer a draw")? {
            self.desk.tell("Nobody has offered a draw.")?;
            return Ok(Next::Line);
        }
        let Some(thought) = self.judge() else {
            return Ok(Next::Leave);
        };
        let taken = Engine::takes_draw(self.game.record(), thought.score);
        let answer = match taken {
            Ok(()) => Action::AcceptDraw,
            Err(_) => Action::DeclineDraw,
        };
        self.act(mine, &[Action::OfferDraw])?;
        self.act(!mine, &[answer])?;
        match taken {
            Ok(()) => {}
            Err(NoDraw::Better) => self.desk.tell("parapost declines: it stands better.")?,
            Err(NoDraw::Early) => {
                self.desk
                    .tell("parapost declines: it is too early to give up playing.")?;
            }
        }
        Ok(Next::Line)
    }

    fn resign(&mut self) -> Result<(), Error> {
        if !self.is_kept {
            return self
                .desk
                .refuse("no move has been made: 'quit' ends the program");
        }
        let question = format!("Resign as {}", self.game.variant().player(self.mine));
        if !self.is_meant(&question)? {
            return self.desk.tell("Nobody has resigned.");
        }
        self.act(self.mine, &[Action::Resign])
    }

    /// Asks at a terminal whether the person means what may end the game.
    fn is_meant(&mut self, question: &str) -> Result<bool, Error> {
        if !self.desk.prompt.is_terminal() {
            return Ok(true);
        }
        self.desk.prompt.completes(Vec::new);
        let answer = self.desk.line(&format!("{question}? [y/n] "))?;
        let answer = answer.unwrap_or_default().trim().to_lowercase();
        Ok(matches!(answer.as_str(), "y" | "yes"))
    }
}
