//! The referee's program, run in process over a store in memory: letters go in, and what
//! was carried out is read from the log of the match.

use std::fs;
use std::sync::Arc;

use mail_parser::{MessageParser, PartType};
use parapost::inbound::incoming_message;
use parapost::matches::r#match::Match;
use parapost::store::store::Store;

use crate::store::memory::Memory;
use crate::support::in_process;

pub(super) const REFEREE: &str = "ref@example.org";

/// The events that a letter's orders make, and so what was carried out.
const ORDERS: [&str; 10] = [
    "move",
    "offer",
    "accept",
    "decline",
    "claim",
    "resign",
    "takeback",
    "mail",
    "invitation",
    "rematch",
];

/// What shows that a letter is from the player it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Policy {
    Address,
    Token,
    /// The address, and our mails have HTML.
    AddressWithHtml,
}

/// The referee's configurations.
pub(super) struct Desk {
    folder: tempfile::TempDir,
}

/// A mail of ours to a player.
#[derive(Clone, Debug)]
pub(super) struct Mail {
    pub(super) to: String,
    pub(super) id: String,
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) html: Option<String>,
}

/// What came of a letter.
#[derive(Debug)]
pub(super) struct Outcome {
    /// What was carried out for the sender, as in the log: `move K>e1`, `accept`.
    pub(super) done: Vec<String>,
    /// The word of `receive` for the letter.
    pub(super) word: String,
    /// True if a mail to the sender is owed.
    pub(super) is_answered: bool,
    /// What the log says of it.
    pub(super) log: String,
    pub(super) game: String,
}

impl Desk {
    pub(super) fn new() -> Desk {
        Desk::at(REFEREE)
    }

    /// The desk of a referee with this address.
    pub(super) fn at(address: &str) -> Desk {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for policy in [Policy::Address, Policy::Token, Policy::AddressWithHtml] {
            let config = format!(
                "[me]\nname = \"Ref\"\naddress = \"{address}\"\nrole = \"referee\"\n\
                 [mail]\nhtml = {}\n[policy]\nidentity = \"{}\"\n",
                policy == Policy::AddressWithHtml,
                policy.identity()
            );
            let path = folder.path().join(policy.name());
            fs::write(path, config).expect("the configuration");
        }
        Desk { folder }
    }

    fn run(&self, policy: Policy, store: &Arc<dyn Store>, words: &[&str], stdin: &str) -> String {
        let config = self.folder.path().join(policy.name());
        let games = self.folder.path().join("games");
        in_process::run(store, &config, &games, words, stdin).stdout
    }

    /// Begins a match: its state, and our invitations.
    pub(super) fn begin(&self, policy: Policy, white: &str, black: &str) -> (String, Vec<Mail>) {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let words = [
            "new", "--print", "--id", "m", "--game", "unachess", "--white", white, "--black", black,
        ];
        let mails = mails(&self.run(policy, &store, &words, ""));
        (text(&store), mails)
    }

    /// Hears a letter of this side's in a match that stands so. Mail is owed, not written:
    /// letters come by the thousand.
    pub(super) fn hear(&self, policy: Policy, game: &Match, side: &str, letter: &str) -> Outcome {
        let (outcome, _) = self.receive(policy, game, side, letter, &["receive"]);
        outcome
    }

    /// Hears a letter and sends what it brings about: the match, and our mails.
    pub(super) fn hear_and_send(
        &self,
        policy: Policy,
        game: &Match,
        letter: &str,
    ) -> (String, Vec<Mail>) {
        let words = ["receive", "--print"];
        let (outcome, stdout) = self.receive(policy, game, "", letter, &words);
        (outcome.game, mails(&stdout))
    }

    fn receive(
        &self,
        policy: Policy,
        game: &Match,
        side: &str,
        letter: &str,
        words: &[&str],
    ) -> (Outcome, String) {
        let memory = Memory::default();
        memory.create(game).expect("a new match");
        let store: Arc<dyn Store> = Arc::new(memory);
        let before = text(&store);
        let stdout = self.run(policy, &store, words, letter);
        let after = text(&store);
        let first = stdout.lines().next().unwrap_or_default();
        let new = log(&after).skip(log(&before).count());
        let owed = format!(" owed {side} ");
        let outcome = Outcome {
            done: new
                .clone()
                .filter_map(|line| carried_out(line, side))
                .collect(),
            word: first.rsplit('\t').next().unwrap_or_default().to_owned(),
            is_answered: new.clone().any(|line| line.contains(&owed)),
            log: new.collect::<Vec<_>>().join("\n"),
            game: after.clone(),
        };
        (outcome, stdout)
    }
}

impl Policy {
    pub(super) fn name(self) -> &'static str {
        match self {
            Policy::AddressWithHtml => "html",
            _ => self.identity(),
        }
    }

    fn identity(self) -> &'static str {
        match self {
            Policy::Address | Policy::AddressWithHtml => "address",
            Policy::Token => "token",
        }
    }
}

fn text(store: &Arc<dyn Store>) -> String {
    let id = "m".parse().expect("an id");
    let text = store.text(&id).expect("a store").expect("the match");
    String::from_utf8(text).expect("UTF-8")
}

/// The lines of a log.
pub(super) fn log(game: &str) -> impl Iterator<Item = &str> + Clone {
    game.lines().skip_while(|line| *line != "Log").skip(1)
}

/// What a line of the log says was carried out for a side.
fn carried_out(line: &str, side: &str) -> Option<String> {
    let mut words = line.split_whitespace().skip(1);
    let (kind, who, argument) = (words.next()?, words.next()?, words.next()?);
    let done = match argument {
        "-" => kind.to_owned(),
        _ if argument.contains('=') && kind != "move" => kind.to_owned(),
        argument => format!("{kind} {}", argument.trim_matches('"')),
    };
    (who == side && ORDERS.contains(&kind)).then_some(done)
}

/// The mails that `--print` has written.
fn mails(stdout: &str) -> Vec<Mail> {
    let mut mails: Vec<String> = Vec::new();
    for line in stdout.lines() {
        if line.starts_with("From ref@example.org ") {
            continue;
        }
        // Our mails quote what others write.
        if line.starts_with("From: Ref <") {
            mails.push(String::new());
        }
        if let Some(mail) = mails.last_mut() {
            *mail += line;
            *mail += "\n";
        }
    }
    mails.iter().map(|mail| Mail::read(mail)).collect()
}

/// The HTML of a mail of ours, if it has any.
fn html(mail: &str) -> Option<String> {
    let message = MessageParser::default().parse(mail.as_bytes())?;
    let part = message
        .html_bodies()
        .find(|part| matches!(part.body, PartType::Html(_)))?;
    Some(part.text_contents()?.to_owned())
}

impl Mail {
    fn read(mail: &str) -> Mail {
        let message = incoming_message::read(mail.as_bytes()).expect("a mail");
        let to = mail.lines().find_map(|line| line.strip_prefix("To: "));
        Mail {
            to: to.unwrap_or_default().to_owned(),
            id: message.id.to_string(),
            subject: message.subject.clone(),
            text: message.text.trim_end().to_owned() + "\n",
            html: html(mail),
        }
    }
}
