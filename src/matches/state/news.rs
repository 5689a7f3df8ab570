//! What the articles of a newsgroup do to the state of a match.

use crate::matches::article::{ARTICLE, GROUP, NewsStep, QueuedArticle, RefusedArticle};
use crate::matches::event::LogEntry;
use crate::matches::state::{NotAllowed, State, value};

impl State {
    /// Applies what becomes of an article.
    pub(super) fn news(
        &mut self,
        line: usize,
        step: NewsStep,
        event: &LogEntry,
    ) -> Result<(), NotAllowed> {
        let articles = &mut self.articles;
        match step {
            NewsStep::Stopped => {
                articles.is_stopped = true;
                return Ok(());
            }
            // These are about an article of somebody else.
            NewsStep::Told => return Ok(()),
            NewsStep::Withdrawn => return self.withdraw_move(event),
            _ => {}
        }
        let id = event.message_id(ARTICLE).ok_or(NotAllowed::NoMessageId)?;
        if step == NewsStep::Owed {
            let group = value(event, GROUP, "name of a newsgroup")?;
            let group = group.ok_or(NotAllowed::NoGroup)?;
            if articles.unposted().any(|other| other.id == id) {
                return Err(NotAllowed::OwedAlready);
            }
            let time = event.time;
            articles.owe(QueuedArticle {
                line,
                time,
                id,
                group,
            });
            return Ok(());
        }
        let article = articles.take(&id).ok_or(NotAllowed::NotOwed)?;
        match step {
            NewsStep::Posted => {
                let called_for = article.line;
                articles.posted.push(article);
                self.is_told(Some(called_for));
            }
            NewsStep::Failed => articles.refused.push(RefusedArticle {
                article,
                time: event.time,
                reason: event.get("text").unwrap_or_default().to_owned(),
            }),
            NewsStep::Requeued => articles.owe(article),
            NewsStep::Owed
            | NewsStep::Dropped
            | NewsStep::Stopped
            | NewsStep::Told
            | NewsStep::Withdrawn => {}
        }
        Ok(())
    }

    /// Takes back the last move, of which another article says that it was another one, with the
    /// mail and the articles that tell of it and have not gone.
    fn withdraw_move(&mut self, event: &LogEntry) -> Result<(), NotAllowed> {
        self.must_go_on()?;
        let last = self.moves.last().filter(|last| last.is_by_public);
        let line = last.ok_or(NotAllowed::NothingPlayed)?.line;
        self.unplay();
        self.go_on_from(line);
        self.since = event.time;
        self.is_disputed = true;
        Ok(())
    }

    /// Returns the line of the last move if it came by what anybody may have read before.
    pub(in crate::matches) fn public_move(&self) -> Option<usize> {
        let last = self.moves.last().filter(|last| last.is_by_public);
        last.map(|last| last.line)
    }
}
