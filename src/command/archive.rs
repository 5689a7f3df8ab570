//! `parapost archive`: writes finished matches as a site of pages.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::process;

use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::args::store::Archive;
use crate::command::context::Context;
use crate::command::progress::Progress;
use crate::command::status::Status;
use crate::matches::event::EventKind;
use crate::matches::hex::hex;
use crate::matches::r#match::Match;
use crate::plural::{counted, counted_matches};
use crate::render::page::{self, ARCHIVED};
use crate::render::site;
use crate::render::site::entry::{Ended, Entry};
use crate::render::view::{Archived, Details, View};
use crate::rules::Color;

/// The bytes at the start of a page that have its stamp.
const HEAD: usize = 1024;

pub(super) fn run(args: &Archive, context: &mut Context<'_>) -> Result<Status, Error> {
    let url = args.url.as_deref().map(address).transpose()?;
    let store = context.store_to_read()?;
    let site = Site::open(&args.folder)?;
    let ids = store.ids()?;
    let mut status = Status::Done;
    let mut progress = Progress::new(context.is_terminal, "matches");
    progress.expect(ids.len() as u64);
    let version = page::version();
    let mut entries = Vec::new();
    // The pages that stay.
    let mut pages = HashSet::new();
    let mut written = 0;
    for id in &ids {
        match store.read(id) {
            Ok(stored) => {
                let game = &stored.game;
                if game.turn().is_none() || args.running {
                    let entry = entry(game);
                    let name = format!("matches/{id}.html");
                    written += usize::from(site.put_match(&name, game, &entry, &version)?);
                    pages.insert(name);
                    entries.push(entry);
                }
            }
            Err(error) => {
                progress.aside(|| context.say(format_args!("parapost: {error}")));
                status = status.or_worse(Status::from(&error));
                // It may be mended: its page stays.
                pages.insert(format!("matches/{id}.html"));
            }
        }
        progress.advance(1);
        progress.count();
    }
    progress.clear();
    for file in site::files(&entries, url.as_deref()) {
        site.put(&file.path, file.text.as_bytes())?;
        pages.insert(file.path);
    }
    let removed = site.clean(&pages)?;
    let matches = counted_matches(entries.len());
    let mut said = format!("{matches} in {}, {written} written", site.folder.display());
    if removed > 0 {
        said = format!("{said}, {} removed", counted(removed, "page"));
    }
    context.say(said);
    Ok(status)
}

/// Checks the address of the folder on the web, and ends it with a slash.
fn address(url: &str) -> Result<String, Error> {
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    let is_plain = |c: char| c.is_ascii_graphic() && !"<>\"\\^`{|}".contains(c);
    if !is_web || !url.chars().all(is_plain) {
        return Err(Error::usage(
            "--url is the address of the folder on the web, like https://example.org/matches/",
        ));
    }
    Ok(format!("{}/", url.trim_end_matches('/')))
}

/// Returns what the site tells of a match.
fn entry(game: &Match) -> Entry {
    let settings = game.settings();
    let ended = game.ending().map(|ending| Ended {
        winner: ending.winner(),
        sentence: format!("{}.", ending.sentence(game.variant())),
    });
    // What is said or mailed afterwards is no news.
    let acts = [
        EventKind::Move,
        EventKind::Resign,
        EventKind::Accept,
        EventKind::Claim,
    ];
    let last = game.log().iter().rfind(|event| acts.contains(&event.kind));
    Entry {
        id: game.id().clone(),
        variant: game.variant().clone(),
        players: Color::ALL.map(|color| site::public(game.player(color).given_name())),
        event: site::public(settings.event.as_deref().unwrap_or_default()),
        ended,
        last: last.map_or(game.started(), |event| event.time),
        plies: game.record().steps().len(),
    }
}

/// The folder of the site.
struct Site {
    folder: PathBuf,
}

impl Site {
    /// Makes the folder, unless it is one that holds something else.
    fn open(folder: &Path) -> Result<Site, Error> {
        let fault = |error| Error::file(folder, &error);
        fs::create_dir_all(folder).map_err(fault)?;
        let index = folder.join("index.html");
        let is_empty = fs::read_dir(folder).map_err(fault)?.next().is_none();
        if !is_empty && stamp(&index).map_err(fault)?.is_none() {
            return Err(Error::refused(format!(
                "{}: this folder holds something else than an archive of parapost; name another, or a new one",
                folder.display()
            )));
        }
        for name in site::FOLDERS {
            fs::create_dir_all(folder.join(name)).map_err(fault)?;
        }
        // A run that is broken off is known as an archive by the next one.
        let site = Site {
            folder: folder.to_owned(),
        };
        if is_empty {
            for file in site::files(&[], None) {
                site.put(&file.path, file.text.as_bytes())?;
            }
        }
        Ok(site)
    }

    /// Writes the page of a match if it is out of date, and returns true if it was.
    fn put_match(
        &self,
        name: &str,
        game: &Match,
        entry: &Entry,
        version: &str,
    ) -> Result<bool, Error> {
        let mut hash = Sha256::new();
        let ending = entry.ended.as_ref().map_or("*", |ended| &ended.sentence);
        let [white, black] = &entry.players;
        for part in [version, &game.hash(), white, black, &entry.event, ending] {
            hash.update(part.as_bytes());
            hash.update(b"\n");
        }
        let fresh = hex(&hash.finalize()[..16]);
        let path = self.folder.join(name);
        if stamp(&path).map_err(|error| Error::file(&path, &error))? == Some(fresh.clone()) {
            return Ok(false);
        }
        let details = Details {
            players: entry.players.clone(),
            event: entry.event.clone(),
            ending: entry.ended.as_ref().map(|ended| ended.sentence.clone()),
            archived: Some(Archived {
                stamp: fresh,
                home: "../index.html",
            }),
            answering: None,
        };
        let view = View::of(game.record()).with_details(details);
        let view = match game.ending() {
            Some(ending) => view.ended(ending.winner()),
            None => view,
        };
        self.put(name, page::write(&view, false).as_bytes())?;
        Ok(true)
    }

    /// Writes a file, in full or not at all, unless it is there with the same bytes. The
    /// next run writes what a crash has spoilt, so nothing waits for the disk.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(name);
        if fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        let new = self.folder.join(format!(".parapost-{}.tmp", process::id()));
        fs::write(&new, bytes)
            .and_then(|()| fs::rename(&new, &path))
            .map_err(|error| {
                let _ = fs::remove_file(&new);
                Error::file(&path, &error)
            })
    }

    /// Removes the pages of the site that are none any more, and returns their number.
    fn clean(&self, pages: &HashSet<String>) -> Result<usize, Error> {
        let mut removed = 0;
        for name in site::FOLDERS {
            let folder = self.folder.join(name);
            let fault = |error: io::Error| Error::file(&folder, &error);
            for entry in fs::read_dir(&folder).map_err(fault)? {
                let path = entry.map_err(fault)?.path();
                let file = path.file_name().and_then(|file| file.to_str());
                let Some(file) =
                    file.filter(|_| path.extension().is_some_and(|kind| kind == "html"))
                else {
                    continue;
                };
                if pages.contains(&format!("{name}/{file}")) {
                    continue;
                }
                if stamp(&path).map_err(fault)?.is_some() {
                    fs::remove_file(&path).map_err(fault)?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}

/// Returns the stamp of a page of a site; none if the file is none, or is not there.
fn stamp(path: &Path) -> io::Result<Option<String>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut head = Vec::new();
    file.take(HEAD as u64).read_to_end(&mut head)?;
    let head = String::from_utf8_lossy(&head);
    let stamp = head.split_once(ARCHIVED).map(|(_, behind)| behind);
    let stamp = stamp.and_then(|behind| behind.split_once('"'));
    Ok(stamp.map(|(stamp, _)| stamp.to_owned()))
}
