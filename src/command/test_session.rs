//! A session and a context for unit tests.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::clock;
use crate::command::arguments::Global;
use crate::command::context::Context;
use crate::command::status::Counts;
use crate::config::Config;
use crate::matches::mail_id::{IdSecret, MailIds};
use crate::matches::r#match::{Match, MatchSettings};
use crate::outbound::templates::Templates;
use crate::referee::session::Session;
use crate::store::folder::Folder;
use crate::store::store::Store as _;

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
