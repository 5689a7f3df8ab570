//! `parapost repair`: what a damaged file can be rebuilt to, from what is left of it, copies and mails.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;

use crate::command::context::{Context, Status, visible};
use crate::command::verify::{Content, RecordSource, variants};
use crate::mail::quoting::line;
use crate::match_id::Id;
use crate::matches::event::LogEntry;
use crate::matches::mail_id::{MailIds, looks_made_for};
use crate::matches::r#match::{Match, MatchSettings};
use crate::outbound::template_context;
use crate::printable::{counted, half_moves};
use crate::store::repair::{DamagedFile, OutsideRecord, Rebuilt};
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
    id: Id,
    /// Mails of the match, sent and received, or a list of its moves: one .eml,
    /// an mbox, a Maildir or MH folder, a text; may be given several times
    #[arg(long, value_name = "FILE|DIR")]
    from: Vec<PathBuf>,
    /// Write the file as it is shown
    #[arg(long)]
    write: bool,
}

/// Lines above the log that the program does not know: their names and texts.
type Headers = Vec<(String, String)>;

/// The most lines of a copy that are named.
const MOST_NAMED: usize = 20;

/// Names the lines that the logs of copies have and the rebuilt match lacks, but for its moves and
/// for mails without words of their own.
fn lines_of_copies(game: &Match, sources: &[RecordSource]) -> Vec<String> {
    let known: HashSet<String> = game.log().iter().map(LogEntry::line).collect();
    let moves = game.record().steps().iter().map(|step| step.text.as_str());
    let moves: HashSet<&str> = moves.collect();
    let mut named = Vec::new();
    for source in sources {
        let Content::State(copy) = &source.content else {
            continue;
        };
        let is_here = |event: &LogEntry| {
            let is_move = event.argument().is_some_and(|text| moves.contains(text));
            let is_mail = event.is_of_outgoing_mail() && event.get("text").is_none();
            copy.id() != game.id()
                || is_mail
                || known.contains(&event.line())
                || event.is_move() && is_move
        };
        let mut lines = copy.log().iter().filter(|event| !is_here(event));
        let name = &source.name;
        let first = lines.by_ref().take(MOST_NAMED);
        named.extend(first.map(|event| format!("not taken from {name}: {}", event.line())));
        let more = lines.count();
        if more > 0 {
            named.push(format!("not taken from {name}: {more} more lines"));
        }
    }
    if !named.is_empty() {
        let id = game.id();
        named.push(format!(
            "to have these lines, and not those of this file, move this file away and put the copy in its place; 'parapost note {id} TEXT' keeps words of yours"
        ));
    }
    named
}

/// What is left of a match.
struct Remains {
    log: Vec<LogEntry>,
    /// The comments.
    headers: Headers,
    /// The moves, also those that only the list above the log still has.
    moves: Vec<String>,
}

/// Returns the copy whose log goes on behind the end of this one, or of what is left of it, if there
/// is one. It has all moves that are left here.
fn longer_copy(left: &Remains, id: &Id, sources: &[RecordSource]) -> Option<Rebuilt> {
    let Remains { log, headers, .. } = left;
    let has_moves = |copy: &Match| {
        let steps = copy.record().steps().iter();
        let moves = steps.map(|step| &step.text);
        moves.take(left.moves.len()).eq(&left.moves)
    };
    let copies = sources.iter().filter_map(|source| match &source.content {
        Content::State(copy) if copy.id() == id => Some((source, copy)),
        _ => None,
    });
    let longer = copies.filter(|(_, copy)| {
        copy.log().len() > log.len() && copy.log().starts_with(log) && has_moves(copy)
    });
    let (source, copy) = longer.max_by_key(|(_, copy)| copy.log().len())?;
    let more = copy.log().len() - log.len();
    let are = if more == 1 { "is" } else { "are" };
    let more = counted(more, "line");
    let mut game = Match::clone(copy);
    // The copy may lack comments of this one.
    let here: Vec<_> = headers
        .iter()
        .filter(|header| !game.headers.contains(header))
        .cloned()
        .collect();
    game.headers.extend(here);
    Some(Rebuilt {
        game,
        done: vec![format!(
            "{more} of the log {are} taken from {}",
            source.name
        )],
        lost: Vec::new(),
        is_log_changed: false,
    })
}

/// Puts the last mail of ours from the sources back into the log, if the log lacks it and the mail shows
/// the present position. The program then plays an answer to it.
fn bring_back_mail(
    rebuilt: &mut Rebuilt,
    sources: &[RecordSource],
    context: &mut Context<'_>,
) -> Result<(), Error> {
    let game = &mut rebuilt.game;
    let (id, now) = (game.id().clone(), clock::now()?);
    let found = sources.iter().rev().filter_map(|source| {
        let Content::Mail(letter) = &source.content else {
            return None;
        };
        let to = letter.recipients.iter().find_map(|to| game.side_of(to))?;
        let proof = source.proof(&id, game.variant())?;
        let is_now = proof.record.steps() == game.record().steps();
        (is_now && looks_made_for(&id, &letter.id)).then(|| (to, letter.id.clone()))
    });
    let found: Vec<_> = found.collect();
    if found.is_empty() {
        return Ok(());
    }
    // Anybody can make up an id of this form.
    let ids = MailIds::new(context.secret()?, "");
    let Some((to, msg)) = found.into_iter().find(|(_, msg)| ids.has_made(&id, msg)) else {
        return Ok(());
    };
    let known = |event: &LogEntry| event.get("msg") == Some(msg.as_str());
    if game.turn().is_some() && !game.log().iter().any(known) {
        game.restore_mail(now, to, &msg)?;
        rebuilt
            .done
            .push(format!("the mail {msg} is put back, as it was sent"));
    }
    Ok(())
}

/// Returns what is left of a match in its file.
fn what_is_left(
    whole: Option<&Match>,
    text: &str,
    damaged: &DamagedFile,
    given: Option<&MatchSettings>,
) -> Result<Option<Remains>, Error> {
    if whole.is_none() && text.trim().is_empty() {
        return Ok(Some(Remains {
            log: Vec::new(),
            headers: Vec::new(),
            moves: Vec::new(),
        }));
    }
    // A copy may go on behind what is left of the log.
    let rebuilt = match whole {
        Some(_) => None,
        None => damaged.rebuild(given, &[], clock::now()?).ok(),
    };
    let game = whole.or(rebuilt.as_ref().map(|rebuilt| &rebuilt.game));
    // Rebuilding puts moves of the list into the log.
    let of_file = |line: &str| line.split(" chain=").next().unwrap_or_default().to_owned();
    let lines: HashSet<String> = text.lines().map(of_file).collect();
    let is_left = |event: &&LogEntry| whole.is_some() || lines.contains(&event.line());
    Ok(game.map(|game| Remains {
        log: game.log().iter().take_while(is_left).cloned().collect(),
        headers: game.headers.clone(),
        moves: game
            .record()
            .steps()
            .iter()
            .map(|step| step.text.clone())
            .collect(),
    }))
}

/// Returns the terms of the match in the invitations among some sources.
fn invitations(id: &Id, sources: &[RecordSource], context: &mut Context<'_>) -> Vec<MatchSettings> {
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
    invited
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
            let name = store.name_of(id);
            say(context, id, format_args!("damaged: {name}:{error}"))?;
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
    let invited = invitations(id, &sources, context);
    let mut given = agreed(invited, "invitations")?;
    let settings = if let Some(settings) = damaged.settings() {
        settings
    } else {
        let mut by = "invitation";
        if given.is_none() {
            by = "copy";
            let copies = sources.iter().filter_map(|source| match &source.content {
                Content::State(game) if game.id() == id => Some(game.settings().clone()),
                _ => None,
            });
            given = agreed(copies, "copies")?;
        }
        let Some(settings) = given.clone() else {
            return Err(unknown(id, &sources));
        };
        let begin = settings.begin(clock::now()?).line();
        say(context, id, format_args!("by the {by}: {begin}"))?;
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
        let said = format_args!("{count} of {of} messages or texts prove {proven}");
        say(context, id, said)?;
    }
    let left = what_is_left(whole.as_ref(), &text, &damaged, given.as_ref())?;
    let longer = left.and_then(|left| longer_copy(&left, id, &sources));
    let mut rebuilt = match longer {
        Some(rebuilt) => rebuilt,
        None => damaged
            .rebuild(given.as_ref(), &proofs, clock::now()?)
            .map_err(|error| Error::refused(format!("{id}: this cannot be rebuilt: {error}")))?,
    };
    bring_back_mail(&mut rebuilt, &sources, context)?;
    let left = lines_of_copies(&rebuilt.game, &sources);
    if whole.is_some_and(|game| game.log() == rebuilt.game.log()) {
        say(context, id, "the file is whole: nothing is to be done")?;
        for line in &left {
            say(context, id, line)?;
        }
        return Ok(Status::Done);
    }
    rebuilt
        .game
        .drop_questions_of_missing_mails(clock::now()?)?;
    for line in account(&rebuilt, &sources).iter().chain(&left) {
        say(context, id, line)?;
    }
    if !args.write {
        say(context, id, "nothing is changed yet: --write does it")?;
        return Ok(Status::Done);
    }
    let kept = store.restore(&rebuilt.game, bytes.as_deref())?;
    let kept = kept.map(|name| format!("; what it was is in {name}"));
    let (name, kept) = (store.name_of(id), kept.unwrap_or_default());
    say(context, id, format_args!("{name} is written{kept}"))?;
    Ok(Status::Done)
}

/// Writes a line to standard output. What stands in a damaged file does not
/// steer the terminal.
fn say(context: &mut Context<'_>, id: &Id, line: impl Display) -> Result<(), Error> {
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
        let is_it = |source: &RecordSource| match &source.content {
            Content::Mail(letter) => letter.id == *msg,
            Content::State(_) | Content::Text(_) => false,
        };
        let gone = if sources.iter().any(is_it) {
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
    let mails = sources.iter();
    let mails = mails.filter(|source| matches!(source.content, Content::Mail(_)));
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
