//! Helpers of unit tests: a session and a context, a queue in memory that records each settlement,
//! as a mail server would, and a transport that records messages, and fails when told to.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::command::arguments::Global;
use crate::command::context::{Context, Counts};
use crate::config::Config;
use crate::mail::sources::{MailSource, MessageKey, RawMessage, Settlement};
use crate::mail::transport::OutgoingMessage;
use crate::mail::transport::{SendError, Transport};
use crate::matches::mail_id::{IdSecret, MailIds};
use crate::matches::r#match::{Match, MatchSettings};
use crate::outbound::templates::Templates;
use crate::referee::session::Session;
use crate::store::folder::Folder;
use crate::store::store::Store as _;
use crate::{Error, clock};

/// Creates a user's session in a folder, with the match `m` of Anna and Ben, which
/// `change` sets up further.
pub(super) fn session(
    folder: &Path,
    name: &str,
    role: &str,
    change: impl FnOnce(&mut Match, &MailIds),
) -> Session {
    let config = format!("[me]\naddress = \"{name}@example.org\"\nrole = \"{role}\"\n");
    let config = Config::parse(&config, folder.join("config.toml")).unwrap();
    let me = config.me().unwrap().clone();
    let store = Folder::new(folder.join("games"), Duration::ZERO);
    let settings = MatchSettings::sample("m");
    let now = clock::now().unwrap();
    let secret = IdSecret::open(&folder.join("secret")).unwrap();
    let ids = MailIds::new(secret, "example.org");
    let mut game = Match::new(settings, now);
    change(&mut game, &ids);
    store.create(&game).unwrap();
    Session {
        sent: None,
        outbox: folder.join("outbox"),
        templates: Templates::new(config.templates()).with_settings(config.mail),
        ids,
        store: Arc::new(store),
        now,
        config,
        me,
    }
}

/// Runs work with a context. Returns what comes of it, what it wrote to standard output and
/// to standard error, and its counts.
pub(super) fn with_context<T>(
    mut stdin: &[u8],
    work: impl FnOnce(&mut Context<'_>) -> T,
) -> (T, [String; 2], Counts) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let global = Global::default();
    let mut context = Context::new(global, &mut stdin, &mut stdout, &mut stderr);
    let result = work(&mut context);
    let counts = context.counts;
    let texts = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (result, texts, counts)
}

/// Messages in memory. A deferred message comes again once, at the end.
#[derive(Default)]
pub(crate) struct QueueSource {
    waiting: VecDeque<RawMessage>,
    given: Vec<RawMessage>,
    bytes_read: u64,
    /// The settlements of the messages, in the order in which they were made.
    pub(crate) settled: Vec<(u64, Settlement)>,
}

impl QueueSource {
    /// Appends a message.
    pub(crate) fn push(&mut self, key: u64, message: &str) {
        self.waiting.push_back(RawMessage {
            key: MessageKey(key),
            bytes: message.as_bytes().to_vec(),
            anew: None,
        });
    }
}

impl MailSource for QueueSource {
    fn bytes_expected(&self) -> u64 {
        let waiting = self
            .waiting
            .iter()
            .map(|message| message.bytes.len() as u64);
        self.bytes_read + waiting.sum::<u64>()
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    fn can_be_read_ahead(&self) -> bool {
        true
    }

    fn next(&mut self) -> Option<Result<RawMessage, Error>> {
        let message = self.waiting.pop_front()?;
        self.bytes_read += message.bytes.len() as u64;
        self.given.push(message.clone());
        Some(Ok(message))
    }

    fn settled(&mut self, key: MessageKey, settlement: Settlement) -> Result<(), Error> {
        let is_first = self.settled.iter().all(|(settled, _)| *settled != key.0);
        self.settled.push((key.0, settlement));
        if settlement == Settlement::Deferred && is_first {
            let given = self.given.iter().find(|message| message.key == key);
            self.waiting.extend(given.cloned());
        }
        Ok(())
    }
}

/// Records the messages it sends.
#[derive(Default)]
pub(crate) struct RecordingTransport {
    /// The failures of the next attempts; after these, every message is sent.
    pub(crate) failures: VecDeque<SendError>,
    /// The messages that were sent.
    pub(crate) sent: Vec<OutgoingMessage>,
    /// The number of attempts.
    pub(crate) attempts: usize,
}

impl Transport for RecordingTransport {
    fn name(&self) -> &'static str {
        "recording"
    }

    fn send(&mut self, message: &OutgoingMessage) -> Result<(), SendError> {
        self.attempts += 1;
        if let Some(failure) = self.failures.pop_front() {
            return Err(failure);
        }
        self.sent.push(message.clone());
        Ok(())
    }
}
