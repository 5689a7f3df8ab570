//! A message from an unknown address that has the answer code of a mail.
//!
//! It plays nothing, and its sender gets nothing: the player whose mail it is is asked.

use crate::Error;
use crate::command::receive::count::Count;
use crate::command::receive::message::Handler;
use crate::command::receive::report::Report;
use crate::inbound::answer_form::AnswerForm;
use crate::inbound::answer_form::TappedMove;
use crate::inbound::incoming_message::IncomingMessage;
use crate::inbound::sender_authentication;
use crate::matches::codes::CodeState;
use crate::matches::decision::Decision;
use crate::matches::event::Disposition;
use crate::matches::r#match::Match;
use crate::matches::questions::{may_be_added, whose_address};
use crate::quoting::line::Line;
use crate::store::store::Store as _;
use crate::store::update::update;

/// Why such a message is a stranger's.
const NO_PLAYER: &str = "its sender does not play in this match";

impl Handler<'_> {
    /// Asks the player to move whether a message from an unknown address was the
    /// player's, if its code is right.
    ///
    /// # Errors
    ///
    /// If the message must come again. Nothing is recorded then.
    pub(super) fn ask_player(
        &mut self,
        message: &IncomingMessage,
        game: &Match,
        forms: &[&AnswerForm],
        lines: &[Line<'_>],
    ) -> Result<Report, Error> {
        let id = game.id();
        let report = |word, reason: &str| Report::of(message.id.clone(), word, reason).about(id);
        let session = self.session;
        let asked = message
            .sender
            .as_ref()
            .zip(game.turn())
            .filter(|(address, side)| {
                let policy = &session.config.policy;
                let is_vouched =
                    || sender_authentication::check_unknown(policy, message, address).is_ok();
                self.code_state(forms, game, *side) == CodeState::Right
                    && may_be_added(game, *side, address, &session.me.player)
                    && is_vouched()
            });
        let Some((address, side)) = asked else {
            return Ok(report(Disposition::Stranger, NO_PLAYER));
        };
        self.put_off.check(id)?;
        let tapped = TappedMove {
            forms,
            lines,
            subject: &message.subject,
            is_stale: false,
            is_by_code: true,
        };
        let text = tapped.move_text(game.position());
        let decide = || -> Result<Decision, Error> {
            let own = game.player(side).address();
            let count = Count::take(session, &self.cache, Some(own), game, side)?;
            let (decision, _) = update(&*self.cache, self.cache.read(id)?, |game| {
                // The code may have been used in the meantime.
                if self.code_state(forms, game, side) != CodeState::Right {
                    return Ok(Decision::new(Disposition::Stranger, NO_PLAYER));
                }
                let quota = self.quota(&count, game, side);
                let decision =
                    whose_address(game, side, address, text.as_deref(), quota, session.now);
                session.carry_out(&decision, game)?;
                Ok(decision)
            })?;
            Ok(decision)
        };
        let decided = decide();
        if decided.is_err() {
            self.put_off.add([id.clone()]);
        }
        let decision = decided?;
        let is_asked = !decision.mails.is_empty();
        let report = report(decision.disposition, &decision.reason);
        Ok(if is_asked {
            report.owing(id).answered(self.anew.is_some())
        } else {
            report
        })
    }
}
