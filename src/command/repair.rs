//! `parapost repair`: rebuilds a damaged match from its log and from mails, when
//! it is told to.

use clap::Parser as _;

use crate::args::{self, Arguments, Command};
use crate::command::{Context, Status, visible};
use crate::compare::record_source::RecordSource;
use crate::match_id::Id;
use crate::matches::r#match::{Match, MatchSettings};
use crate::notation::move_list;
use crate::outbound::wrap;
use crate::plural::half_moves;
use crate::quoting::line;
use crate::rules::{Variant, games};
use crate::store::repair::{DamagedFile, Proof, Rebuilt};
use crate::{Error, clock, shell};

pub(super) fn run(args: &args::Repair, context: &mut Context<'_>) -> Result<Status, Error> {
    let (id, folder) = (&args.id, context.folder()?);
    let bytes = folder.bytes(id)?;
    let whole = match bytes.as_deref().map(|bytes| Match::read(bytes, id)) {
        None if args.from.is_empty() => {
            return Err(Error::refused(format!(
                "there is no match {id} in {}; from mails it can be rebuilt with --from",
                folder.path().display()
            )));
        }
        None => {
            line(
                context,
                format_args!("{id}: there is no file of this match"),
            )?;
            None
        }
        // It is not for this version to say what is wrong with it.
        Some(Err(error)) if error.is_newer() => {
            return folder.read(id).map(|_| Status::Done);
        }
        Some(Err(error)) => {
            let file = folder.file(id);
            line(
                context,
                format_args!("{id}: damaged: {}:{error}", file.display()),
            )?;
            None
        }
        Some(Ok(game)) => Some(game),
    };
    let mut witnesses = Vec::new();
    for path in &args.from {
        witnesses.extend(RecordSource::open(path, id)?);
    }
    let text = bytes.as_deref().map(line::decode).unwrap_or_default();
    let ruin = DamagedFile::new(id, &text);
    let (settings, given) = about(context, id, &ruin, &witnesses)?;
    let variant = &settings.variant;
    let proofs: Vec<Proof> = witnesses
        .iter()
        .filter_map(|witness| witness.proof(id, variant))
        .collect();
    if !args.from.is_empty() {
        let longest = proofs.iter().max_by_key(|proof| proof.record.steps().len());
        // Anybody can mail a list with its hash: which it was can be looked at.
        let proven = longest.map_or_else(
            || "none of the moves".to_owned(),
            |proof| format!("{}: {}", half_moves(proof.record.steps().len()), proof.name),
        );
        line(
            context,
            format_args!(
                "{id}: {} of {} messages or texts prove {proven}",
                proofs.len(),
                witnesses.len()
            ),
        )?;
    }
    let rebuilt = ruin
        .rebuild(given.as_ref(), &proofs, clock::now()?)
        .map_err(|error| Error::refused(format!("{id}: this cannot be rebuilt: {error}")))?;
    let is_same = |game: &Match| game.log() == rebuilt.game.log();
    if whole.as_ref().is_some_and(is_same) {
        line(
            context,
            format_args!("{id}: the file is whole: nothing is to be done"),
        )?;
        return Ok(Status::Done);
    }
    tell(context, &rebuilt, &witnesses)?;
    if !args.write {
        line(
            context,
            format_args!("{id}: nothing is changed yet: --write does it"),
        )?;
        return Ok(Status::Done);
    }
    let kept = folder.restore(&rebuilt.game, bytes.as_deref())?;
    let kept = kept.map(|path| format!("; what it was is in {}", path.display()));
    line(
        context,
        format_args!(
            "{id}: {} is written{}",
            folder.file(id).display(),
            kept.unwrap_or_default()
        ),
    )?;
    Ok(Status::Done)
}

/// What the match is about by the file, else, and then this is said, by an
/// invitation or a copy; and what these say of it.
///
/// # Errors
///
/// If none of them says it, or two say different things.
fn about(
    context: &mut Context<'_>,
    id: &Id,
    ruin: &DamagedFile,
    witnesses: &[RecordSource],
) -> Result<(MatchSettings, Option<MatchSettings>), Error> {
    let mut given = agreed(invited(witnesses, id), "invitations")?;
    if let Some(settings) = ruin.settings() {
        return Ok((settings, given));
    }
    let mut by = "invitation";
    if given.is_none() {
        by = "copy";
        given = agreed(copied(witnesses, id), "copies")?;
    }
    let Some(settings) = given.clone() else {
        return Err(unknown(id, witnesses));
    };
    let said = settings.begin(clock::now()?).line();
    line(context, format_args!("{id}: by the {by}: {said}"))?;
    Ok((settings, given))
}

/// Says what the match is rebuilt to, and at what price.
fn tell(
    context: &mut Context<'_>,
    rebuilt: &Rebuilt,
    witnesses: &[RecordSource],
) -> Result<(), Error> {
    let game = &rebuilt.game;
    let id = game.id();
    for done in &rebuilt.done {
        line(context, format_args!("{id}: {done}"))?;
    }
    for lost in &rebuilt.lost {
        line(context, format_args!("{id}: lost: {lost}"))?;
    }
    let result = match game.ending() {
        None => format!("{} to move", game.variant().player(game.position().turn())),
        Some(ending) => ending.to_string(),
    };
    line(
        context,
        format_args!(
            "{id}: rebuilt: {}, hash {}, {result}",
            half_moves(game.record().steps().len()),
            game.hash()
        ),
    )?;
    for owed in game.owed() {
        let (kind, to, msg) = (&owed.kind, game.player(owed.to).name(), &owed.msg);
        let has_gone = witnesses.iter().any(|witness| witness.is(msg));
        let gone = if has_gone {
            ", which is among those mails, so that it has gone"
        } else {
            ""
        };
        line(
            context,
            format_args!("{id}: owed: the mail '{kind}' to {to} {msg}{gone}"),
        )?;
    }
    if !rebuilt.is_log_changed {
        return Ok(());
    }
    line(
        context,
        format_args!(
            "{id}: no other mail is owed, whatever was: 'parapost send --resend {id}' sends the position again"
        ),
    )
}

/// Writes a line to standard output. What stands in a damaged file does not
/// steer the terminal.
fn line(context: &mut Context<'_>, line: impl std::fmt::Display) -> Result<(), Error> {
    context.print(visible(&format!("{line}\n")))
}

/// The terms of the match in the invitations to it.
fn invited(witnesses: &[RecordSource], id: &Id) -> Vec<MatchSettings> {
    let all = witnesses.iter().flat_map(RecordSource::commands);
    all.filter_map(|command| settings(&command, id)).collect()
}

/// The terms of the match in copies of its file.
fn copied(witnesses: &[RecordSource], id: &Id) -> Vec<MatchSettings> {
    let all = witnesses.iter().filter_map(RecordSource::state);
    let copies = all.filter(|game| game.id() == id);
    copies.map(|game| game.settings().clone()).collect()
}

/// The terms on which all agree, if there are any.
///
/// # Errors
///
/// If two say different things.
fn agreed(all: Vec<MatchSettings>, what: &str) -> Result<Option<MatchSettings>, Error> {
    let mut all = all.into_iter();
    let Some(first) = all.next() else {
        return Ok(None);
    };
    let now = clock::now()?;
    let one = first.begin(now).line();
    let mut others = all.map(|settings| settings.begin(now).line());
    match others.find(|other| *other != one) {
        None => Ok(Some(first)),
        Some(other) => Err(Error::refused(format!(
            "{}: there are two {what}, and both may be right:\n  {one}\n  {other}\nnothing is done; leave out the one that is not to count",
            first.id
        ))),
    }
}

/// The terms in a command that sets the match of that id up.
fn settings(command: &str, id: &Id) -> Option<MatchSettings> {
    let Command::New(args) = Arguments::try_parse_from(shell::split(command)?)
        .ok()?
        .command
    else {
        return None;
    };
    let choice = args::GameChoice {
        game: Some(args.game),
        options: args.options,
    };
    let settings = MatchSettings {
        id: args.id?,
        variant: choice.variant_of(args.game).ok()?,
        players: [args.white, args.black],
        event: args.event,
        time: args.time,
    };
    (settings.id == *id).then_some(settings)
}

/// Why a match of which only mails are left cannot be rebuilt, and the command
/// by which somebody who knows the players can.
fn unknown(id: &Id, witnesses: &[RecordSource]) -> Error {
    let proofs = variants().into_iter().flat_map(|variant| {
        let proof = |witness: &RecordSource| {
            let proof = witness.proof(id, &variant)?;
            // Without a hash a list can be one of several games.
            witness.is_mail().then(|| (variant.clone(), proof))
        };
        witnesses.iter().filter_map(proof).collect::<Vec<_>>()
    });
    let longest = proofs.max_by_key(|(_, proof)| proof.record.steps().len());
    let refused = |text: String| {
        Error::refused(format!(
            "{id}: {} who plays: {text}",
            if witnesses.is_empty() {
                "the file does not say"
            } else {
                "neither the file nor the mails say"
            }
        ))
    };
    let Some((variant, proof)) = longest else {
        if witnesses.is_empty() {
            return refused("mails of the match may (--from)".to_owned());
        }
        return refused(
            "there is neither an invitation among them nor a list with its hash".to_owned(),
        );
    };
    let list = move_list::line(&proof.record, 0);
    let mut words = vec![
        "parapost new".to_owned(),
        format!("--id {id}"),
        "--invited".to_owned(),
        format!("--game {}", variant.game().id),
    ];
    words.extend(
        variant
            .options()
            .iter()
            .map(|option| format!("--option {option}")),
    );
    words.extend(["--white 'NAME <ADDRESS>'", "--black 'NAME <ADDRESS>'"].map(ToOwned::to_owned));
    words.push(format!("--moves {}", shell::quote(&list)));
    refused(format!(
        "but {} proves {}; with the players filled in, this takes the match over:\n{}",
        proof.name,
        half_moves(proof.record.steps().len()),
        shell::lines(&words, wrap::WIDTH)
    ))
}

/// Every game with every set of its options.
fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for game in games::ALL {
        for set in 0..1_u32 << game.options.len() {
            let options: Vec<&str> = (game.options.iter().enumerate())
                .filter(|(i, _)| set >> i & 1 == 1)
                .map(|(_, option)| option.name)
                .collect();
            all.extend(Variant::new(game, &options));
        }
    }
    all
}
