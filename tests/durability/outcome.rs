//! What has come of a run, or of several: what the state files tell, and the
//! mails that have gone.

use std::fs;
use std::path::Path;

use parapost::matches::event::LogEntry;
use parapost::matches::mail::MailStep;
use parapost::matches::r#match::Match;

/// A mail that has gone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Mail {
    pub(crate) id: String,
    pub(crate) text: String,
}

impl Mail {
    pub(crate) fn new(text: String) -> Mail {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("Message-ID: "));
        Mail {
            id: line.unwrap_or_default().to_owned(),
            text,
        }
    }

    /// The mails of a standard output, as mbox entries or alone; the last one
    /// may be torn.
    pub(crate) fn printed(stdout: &str) -> Vec<Mail> {
        let mut mails: Vec<String> = Vec::new();
        for line in stdout.split_inclusive('\n') {
            if line.starts_with("From ") || (mails.is_empty() && line.starts_with("From:")) {
                mails.push(String::new());
            }
            if let Some(mail) = mails.last_mut().filter(|_| !line.starts_with("From ")) {
                mail.push_str(line);
            }
        }
        // An entry ends in an empty line that is none of the mail's.
        let whole = |mail: String| {
            mail.strip_suffix("\n\n")
                .map_or(mail.clone(), |m| format!("{m}\n"))
        };
        mails.into_iter().map(whole).map(Mail::new).collect()
    }

    /// The mails of an outbox.
    pub(crate) fn in_folder(folder: &Path) -> Vec<Mail> {
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .filter(|path| path.extension().is_some_and(|end| end == "eml"))
            .map(|path| Mail::new(fs::read_to_string(path).unwrap()))
            .collect()
    }

    fn body(&self) -> &str {
        self.text.split_once("\n\n").map_or("", |(_, body)| body)
    }
}

/// What has come of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// What stands in each log but mail: `WHAT WHO ARGUMENT MESSAGE-ID`.
    pub(crate) events: Vec<String>,
    /// The mail that each match calls for: its kind, recipient and what it
    /// answers; and its body, if it has gone.
    pub(crate) called_for: Vec<(String, Option<String>)>,
    /// The Message-IDs of all mail that was ever called for.
    pub(crate) ids: Vec<String>,
    /// Those still owed.
    pub(crate) owed: Vec<String>,
}

impl Outcome {
    /// What has come of it, if those mails have gone.
    ///
    /// # Errors
    ///
    /// If a state file cannot be read, or a mail has gone that nothing in it
    /// has called for, or was noted as sent twice, or not the same again.
    pub(crate) fn of(games: &Path, mails: &[Mail]) -> Result<Outcome, String> {
        let mut outcome = Outcome {
            events: Vec::new(),
            called_for: Vec::new(),
            ids: Vec::new(),
            owed: Vec::new(),
        };
        let mut sent = Vec::new();
        for entry in fs::read_dir(games).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|end| end != "txt") {
                continue;
            }
            let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            let game: Match = text
                .parse()
                .map_err(|error| format!("{}:{error}", path.display()))?;
            let owed: Vec<String> = game
                .owed()
                .iter()
                .map(|owed| owed.msg.to_string())
                .collect();
            let is_sent = |event: &&LogEntry| event.mail_step() == Some(MailStep::Sent);
            let gone = game.log().iter().filter(is_sent);
            let gone = gone.filter_map(|event| event.get("msg"));
            let gone: Vec<String> = gone.map(ToOwned::to_owned).collect();
            for event in game.log() {
                let argument = event.argument().unwrap_or_default();
                let said = format!("{} {} {argument}", event.event.kind(), event.who);
                let get = |key| event.get(key).unwrap_or_default().to_owned();
                match event.mail_step() {
                    Some(MailStep::Owed) => {
                        let id = get("msg");
                        let body = mails.iter().find(|mail| mail.id == id);
                        let body = body.map(|mail| mail.body().to_owned());
                        // That of a move taken back goes to nobody.
                        let stands = owed.contains(&id) || gone.contains(&id);
                        if stands {
                            let call = format!("{said} re={}", get("re"));
                            outcome.called_for.push((call, body));
                        } else if body.is_some() {
                            return Err(format!("the mail {id} has gone and is not to go"));
                        }
                        outcome.ids.push(id);
                    }
                    Some(MailStep::Sent) => {}
                    _ => outcome.events.push(format!("{said} {}", get("msg"))),
                }
            }
            outcome.owed.extend(owed);
            sent.extend(gone);
        }
        outcome.called_for.sort();
        for mail in mails {
            if !outcome.ids.contains(&mail.id) {
                return Err(format!("nothing has called for the mail {}", mail.id));
            }
            if let Some(other) = mails
                .iter()
                .find(|other| other.id == mail.id && other != &mail)
            {
                return Err(format!(
                    "two mails of one id:\n{}\n{}",
                    mail.text, other.text
                ));
            }
        }
        let before = sent.len();
        sent.sort();
        sent.dedup();
        if sent.len() < before {
            return Err("a mail is noted as sent twice".to_owned());
        }
        Ok(outcome)
    }

    /// Whether this can still become that: nothing is in it that is not in
    /// that, and nothing that was called for has got another id.
    pub(crate) fn can_become(&self, end: &Outcome) -> bool {
        self.events.iter().all(|event| end.events.contains(event))
            && self.ids.iter().all(|id| end.ids.contains(id))
    }

    /// Whether no mail is owed and every one has gone that was called for.
    pub(crate) fn is_settled(&self) -> bool {
        self.owed.is_empty() && self.called_for.iter().all(|(_, body)| body.is_some())
    }
}
