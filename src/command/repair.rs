//! `parapost repair`: rebuilds a damaged match from its log and from mails, when
//! it is told to.

use std::path::PathBuf;

use clap::Args;

use crate::command::context::{Context, Status, visible};
use crate::command::verify::RecordSource;
use crate::mail::quoting::line;
use crate::match_id::Id;
use crate::matches::r#match::{Match, MatchSettings};
use crate::outbound::template_context;
use crate::plural::half_moves;
use crate::rules::{Variant, games};
use crate::store::repair::evidence::OutsideRecord;
use crate::store::repair::{DamagedFile, Rebuilt};
use crate::{Error, clock};

/// `parapost repair`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost repair k7f3qd
  parapost repair k7f3qd --from ~/Maildir --write

Without --write nothing is changed. With it the old file is kept beside the new
one.")]
pub(super) struct Repair {
    /// The match
    pub(super) id: Id,
    /// Mails of the match, sent and received, or a list of its moves: one .eml,
    /// an mbox, a Maildir or MH folder, a text; may be given several times
    #[arg(long, value_name = "FILE|DIR")]
    pub(super) from: Vec<PathBuf>,
    /// Write the file as it is shown
    #[arg(long)]
    pub(super) write: bool,
}

pub(super) fn run(args: &Repair, context: &mut Context<'_>) -> Result<Status, Error> {
    let (id, store) = (&args.id, context.store()?);
    let bytes = store.text(id)?;
    let whole = match bytes.as_deref().map(|bytes| Match::read(bytes, id)) {
        None if args.from.is_empty() => {
            return Err(Error::refused(format!(
                "there is no match {id} in {}; from mails it can be rebuilt with --from",
                store.place()
            )));
        }
        None => {
            say(context, id, "there is no file of this match")?;
            None
        }
        // This version cannot tell what is wrong with it.
        Some(Err(error)) if error.is_newer() => {
            return store.read(id).map(|_| Status::Done);
        }
        Some(Err(error)) => {
            let fault = format!("damaged: {}:{error}", store.name_of(id));
            say(context, id, &fault)?;
            None
        }
        Some(Ok(game)) => Some(game),
    };
    let mut sources = Vec::new();
    for path in &args.from {
        sources.extend(RecordSource::open(path, id)?);
    }
    let text = bytes.as_deref().map(line::decode).unwrap_or_default();
    let damaged = DamagedFile::new(id, &text);
    // The command in a referee's own invitation is for the players.
    let me = context
        .config()
        .ok()
        .and_then(|config| config.somebody().cloned());
    let invited = sources.iter().filter_map(|source| source.invitation(id));
    let mut invited: Vec<MatchSettings> = invited.collect();
    for settings in &mut invited {
        let referee = &mut settings.referee;
        referee.take_if(|referee| me.as_ref().is_some_and(|me| me.player.has(referee)));
    }
    let mut given = agreed(invited, "invitations")?;
    let settings = if let Some(settings) = damaged.settings() {
        settings
    } else {
        let mut by = "invitation";
        if given.is_none() {
            by = "copy";
            let copies = sources.iter().filter_map(RecordSource::state);
            let copies = copies.filter(|game| game.id() == id);
            let copied = copies.map(|game| game.settings().clone());
            given = agreed(copied, "copies")?;
        }
        let Some(settings) = given.clone() else {
            return Err(unknown(id, &sources));
        };
        let begin = settings.begin(clock::now()?).line();
        say(context, id, &format!("by the {by}: {begin}"))?;
        settings
    };
    let proofs = sources.iter();
    let proofs: Vec<OutsideRecord> = proofs
        .filter_map(|source| source.proof(id, &settings.variant))
        .collect();
    if !args.from.is_empty() {
        // Anybody can mail a list with its hash: which it was can be looked at.
        let longest = proofs.iter().max_by_key(|proof| proof.record.steps().len());
        let proven = longest.map_or_else(
            || "none of the moves".to_owned(),
            |proof| format!("{}: {}", half_moves(proof.record.steps().len()), proof.name),
        );
        let (count, of) = (proofs.len(), sources.len());
        let proven = format!("{count} of {of} messages or texts prove {proven}");
        say(context, id, &proven)?;
    }
    let rebuilt = damaged
        .rebuild(given.as_ref(), &proofs, clock::now()?)
        .map_err(|error| Error::refused(format!("{id}: this cannot be rebuilt: {error}")))?;
    if whole.is_some_and(|game| game.log() == rebuilt.game.log()) {
        say(context, id, "the file is whole: nothing is to be done")?;
        return Ok(Status::Done);
    }
    for line in account(&rebuilt, &sources) {
        say(context, id, &line)?;
    }
    if !args.write {
        say(context, id, "nothing is changed yet: --write does it")?;
        return Ok(Status::Done);
    }
    let kept = store.restore(&rebuilt.game, bytes.as_deref())?;
    let kept = kept.map(|name| format!("; what it was is in {name}"));
    let written = format!(
        "{} is written{}",
        store.name_of(id),
        kept.unwrap_or_default()
    );
    say(context, id, &written)?;
    Ok(Status::Done)
}

/// Writes a line to standard output. What stands in a damaged file does not
/// steer the terminal.
fn say(context: &mut Context<'_>, id: &Id, line: &str) -> Result<(), Error> {
    context.print(visible(&format!("{id}: {line}\n")))
}

/// The rebuilt match, and what is lost and owed, in words.
fn account(rebuilt: &Rebuilt, sources: &[RecordSource]) -> Vec<String> {
    let game = &rebuilt.game;
    let mut lines = rebuilt.done.clone();
    lines.extend(rebuilt.lost.iter().map(|lost| format!("lost: {lost}")));
    let result = match game.ending() {
        None => format!("{} to move", game.variant().player(game.position().turn())),
        Some(ending) => ending.to_string(),
    };
    lines.push(format!(
        "rebuilt: {}, hash {}, {result}",
        half_moves(game.record().steps().len()),
        game.hash()
    ));
    lines.extend(game.owed().iter().map(|owed| {
        let (kind, to, msg) = (&owed.kind, game.player(owed.to).name(), &owed.msg);
        let gone = if sources.iter().any(|source| source.is(msg)) {
            ", which is among those mails, so that it has gone"
        } else {
            ""
        };
        format!("owed: the mail '{kind}' to {to} {msg}{gone}")
    }));
    if rebuilt.is_log_changed {
        lines.push(format!(
            "no other mail is owed, whatever was: 'parapost send --resend {}' sends the position again",
            game.id()
        ));
    }
    lines
}

/// The settings, if there are any.
///
/// # Errors
///
/// If two differ.
fn agreed(
    all: impl IntoIterator<Item = MatchSettings>,
    what: &str,
) -> Result<Option<MatchSettings>, Error> {
    let now = clock::now()?;
    let mut all = all.into_iter();
    let Some(first) = all.next() else {
        return Ok(None);
    };
    let begin = first.begin(now);
    match all
        .map(|other| other.begin(now))
        .find(|other| *other != begin)
    {
        None => Ok(Some(first)),
        Some(other) => Err(Error::refused(format!(
            "{}: there are two {what}, and both may be right:\n  {}\n  {}\nnothing is done; leave out the one that is not to count",
            first.id,
            begin.line(),
            other.line()
        ))),
    }
}

/// Why a match of which only mails are left cannot be rebuilt, and the command
/// by which somebody who knows the players can.
fn unknown(id: &Id, sources: &[RecordSource]) -> Error {
    // Without a hash a list can be one of several games.
    let mails = sources.iter().filter(|source| source.is_mail());
    let proofs = variants().flat_map(|variant| {
        let proofs = mails.clone().filter_map(|mail| mail.proof(id, &variant));
        let proofs: Vec<OutsideRecord> = proofs.collect();
        proofs
            .into_iter()
            .map(move |proof| (proof, variant.clone()))
    });
    let longest = proofs.max_by_key(|(proof, _)| proof.record.steps().len());
    let why = match longest {
        Some((proof, variant)) => format!(
            "neither the file nor the mails say who plays: but {} proves {}; with the players filled in, this takes the match over:\n{}",
            proof.name,
            half_moves(proof.record.steps().len()),
            template_context::new_command(id, &variant, ["NAME <ADDRESS>"; 2], &[], &proof.record)
        ),
        None if sources.is_empty() => {
            "the file does not say who plays: mails of the match may (--from)".to_owned()
        }
        None => "neither the file nor the mails say who plays: there is neither an invitation among them nor a list with its hash".to_owned(),
    };
    Error::refused(format!("{id}: {why}"))
}

/// Every game with every set of its options.
fn variants() -> impl Iterator<Item = Variant> {
    games::ALL.iter().flat_map(|game| {
        let sets = 0..1_u32 << game.options.len();
        sets.filter_map(|set| {
            let options = game.options.iter().enumerate();
            let options = options.filter(|(i, _)| set >> i & 1 == 1);
            let options: Vec<&str> = options.map(|(_, option)| option.name).collect();
            Variant::new(game, &options).ok()
        })
    })
}
