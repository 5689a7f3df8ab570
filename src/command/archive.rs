//! `parapost archive`: writes finished matches as a site of pages.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{process, thread};

use clap::Args;
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::command::context::{Context, Progress, Status};
use crate::mail::files;
use crate::match_id::Id;
use crate::matches::action::{Action, Ending};
use crate::matches::hash::hex;
use crate::matches::r#match::Match;
use crate::printable::{counted, counted_matches};
use crate::render::page::{self, ARCHIVED};
use crate::render::picture::Picture;
use crate::render::site::card::CardPicture;
use crate::render::site::{self, Ended, Site, SiteEntry, SiteLook};
use crate::render::view::{Archived, Details, View};
use crate::rules::Color;
use crate::store::store::Store;
use crate::threads::{self, lock};

/// `parapost archive`
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/archive.txt").trim_ascii_end())]
pub(super) struct Archive {
    /// The folder, which is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Show the matches that go on, too
    #[arg(long)]
    running: bool,
    /// The address of the folder on the web, for the links of the feed
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

pub(super) fn run(args: &Archive, context: &mut Context<'_>) -> Result<Status, Error> {
    let url = args.url.as_deref().map(address).transpose()?;
    let club = context.club()?;
    let look = SiteLook {
        colors: club.style(),
        name: club.name.unwrap_or_else(|| "Matches".to_owned()),
    };
    let store = context.store_to_read()?;
    let folder = SiteFolder::open(&args.folder, look)?;
    let ids = store.ids()?;
    let progress = Progress::new(context.is_terminal, "matches");
    progress.expect(ids.len() as u64);
    let progress = Mutex::new(progress);
    // A page takes the processor, so more threads than processors gain nothing.
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let made = write_pages(&folder, &*store, &ids, args.running, threads, || {
        let mut progress = lock(&progress);
        progress.advance(1);
        progress.count();
    })?;
    lock(&progress).clear();
    let mut status = Status::Done;
    let mut entries = Vec::new();
    // The pages that stay.
    let mut pages = HashSet::new();
    let mut written = 0;
    for (id, page) in ids.iter().zip(made) {
        match page {
            Page::None => continue,
            Page::Of(entry, is_new) => {
                written += usize::from(is_new);
                entries.push(*entry);
            }
            // It may be mended: its page stays.
            Page::Unread(error) => {
                context.say(format_args!("parapost: {error}"));
                status = status.max(Status::from(&error));
            }
        }
        pages.insert(page_path(id));
    }
    let site = Site::new(&entries, &folder.look, url.as_deref());
    for page in site.pages() {
        // A list that is up to date is known by its stamp, and is not made.
        if page.stamp.is_none() || folder.stamp(&page.path)? != page.stamp {
            folder.put(&page.path, site.write(&page).as_bytes())?;
        }
        pages.insert(page.path);
    }
    let removed = folder.clean(&pages)?;
    let matches = counted_matches(entries.len());
    let folder = folder.path.display();
    let mut said = format!("{matches} in {folder}, {written} written");
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

/// The bytes at the start of a page that have its stamp.
const HEAD: usize = 1024;

/// The folder of the site.
struct SiteFolder {
    path: PathBuf,
    /// The look of the site.
    look: SiteLook,
    /// The files written so far: each thread writes under a name of its own.
    written: AtomicUsize,
}

impl SiteFolder {
    /// Makes the folder, unless it is one that holds something else.
    fn open(folder: &Path, look: SiteLook) -> Result<SiteFolder, Error> {
        let fault = |error| Error::file(folder, &error);
        fs::create_dir_all(folder).map_err(fault)?;
        let index = folder.join("index.html");
        let is_empty = fs::read_dir(folder).map_err(fault)?.next().is_none();
        let stamp = stamp(&index).map_err(|error| Error::file(&index, &error))?;
        if !is_empty && stamp.is_none() {
            return Err(Error::refused(format!(
                "{}: this folder holds something else than an archive of parapost; name another, or a new one",
                folder.display()
            )));
        }
        for name in site::FOLDERS {
            let below = folder.join(name);
            files::must_be_folder(&below)
                .and_then(|()| fs::create_dir_all(&below))
                .map_err(|error| Error::file(&below, &error))?;
        }
        // A run that is broken off is known as an archive by the next one.
        let site = SiteFolder {
            path: folder.to_owned(),
            look,
            written: AtomicUsize::new(0),
        };
        if is_empty {
            let empty = Site::new(&[], &site.look, None);
            for page in empty.pages() {
                site.put(&page.path, empty.write(&page).as_bytes())?;
            }
        }
        Ok(site)
    }

    /// Returns the stamp of a page; none if it is not there.
    fn stamp(&self, name: &str) -> Result<Option<String>, Error> {
        let path = self.path.join(name);
        stamp(&path).map_err(|error| Error::file(&path, &error))
    }

    /// Writes a file, in full or not at all, unless it is there with the same bytes. The
    /// next run writes what a crash has spoilt, so nothing waits for the disk.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path.join(name);
        if files::holds(&path, bytes).map_err(|error| Error::file(&path, &error))? {
            return Ok(());
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let new = format!(".parapost-{}-{number}.tmp", process::id());
        let new = self.path.join(new);
        write_new(&new, bytes)
            .and_then(|()| fs::rename(&new, &path))
            .map_err(|error| {
                let _ = fs::remove_file(&new);
                Error::file(&path, &error)
            })
    }

    /// Removes the pages of the site that are none any more, and returns their number.
    fn clean(&self, pages: &HashSet<String>) -> Result<usize, Error> {
        let mut removed = 0;
        for name in site::FOLDERS.into_iter().chain([""]) {
            let folder = self.path.join(name);
            let fault = |error: io::Error| Error::file(&folder, &error);
            for entry in fs::read_dir(&folder).map_err(fault)? {
                let entry = entry.map_err(fault)?;
                if !entry.file_type().map_err(fault)?.is_file() {
                    continue;
                }
                let path = entry.path();
                let file = path.file_name().and_then(|file| file.to_str());
                let Some(file) =
                    file.filter(|_| path.extension().is_some_and(|kind| kind == "html"))
                else {
                    continue;
                };
                let page = if name.is_empty() {
                    file.to_owned()
                } else {
                    format!("{name}/{file}")
                };
                if pages.contains(&page) {
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

/// Writes a file, unless somebody else has made one with its name.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::create_new(path)?.write_all(bytes)
}

/// Returns the stamp of a page of a site, or none if the file is missing or is not a page. Does not
/// follow a link.
fn stamp(path: &Path) -> io::Result<Option<String>> {
    files::must_be_file(path)?;
    let file = match files::open_regular(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut head = Vec::new();
    file.take(HEAD as u64).read_to_end(&mut head)?;
    let head = String::from_utf8_lossy(&head);
    let behind = head.split_once(ARCHIVED).map(|(_, behind)| behind);
    Ok(behind.and_then(|behind| Some(behind.split_once('"')?.0.to_owned())))
}

/// The outcome for a match.
enum Page {
    /// It does not belong on the site.
    None,
    /// It is on the site. True if its page was written now.
    Of(Box<SiteEntry>, bool),
    /// It cannot be read.
    Unread(Error),
}

/// Writes the pages that are out of date, those of running matches only if asked for, and
/// calls `done` after each match. Returns what came of each, in the order of the ids. The
/// pages are the same whatever the number of threads.
///
/// # Errors
///
/// If the site cannot be written.
fn write_pages(
    folder: &SiteFolder,
    store: &dyn Store,
    ids: &[Id],
    with_running: bool,
    threads: usize,
    done: impl Fn() + Sync,
) -> Result<Vec<Page>, Error> {
    let version = page::version();
    let has_failed = AtomicBool::new(false);
    let pages = threads::map(ids, threads, |id| {
        // After an error nobody waits for more.
        if has_failed.load(Ordering::Relaxed) {
            return Ok(Page::None);
        }
        let page = page_of(folder, store, id, with_running, &version);
        has_failed.fetch_or(page.is_err(), Ordering::Relaxed);
        done();
        page
    });
    pages.into_iter().collect()
}

/// Returns the path of a match's page below the folder of the site.
fn page_path(id: &Id) -> String {
    format!("matches/{id}.html")
}

/// Writes the page of a match if it is out of date.
fn page_of(
    folder: &SiteFolder,
    store: &dyn Store,
    id: &Id,
    with_running: bool,
    version: &str,
) -> Result<Page, Error> {
    let stored = match store.read(id) {
        Ok(stored) => stored,
        Err(error) => return Ok(Page::Unread(error)),
    };
    let game = &stored.game;
    // A match that was never played is nobody's to look up.
    let is_void = game.ending().is_some_and(Ending::is_void);
    if is_void || game.turn().is_some() && !with_running {
        return Ok(Page::None);
    }
    let mut entry = entry(game);
    entry.stamp = stamp_of(game, &entry, version, &folder.look);
    let is_new = put(folder, game, &entry)?;
    Ok(Page::Of(Box::new(entry), is_new))
}

/// Returns what the site tells of a match.
fn entry(game: &Match) -> SiteEntry {
    let settings = game.settings();
    let ended = game.ending().map(|ending| Ended {
        winner: ending.winner(),
        sentence: format!("{}.", ending.sentence(game.variant())),
    });
    // Words and mails that come afterwards are no news.
    let mut log = game.log().iter();
    let last = log.rfind(|event| event.action().is_some_and(Action::is_news));
    SiteEntry {
        id: game.id().clone(),
        variant: game.variant().clone(),
        players: Color::ALL.map(|color| site::public(game.player(color).given_name())),
        event: site::public(settings.event.as_deref().unwrap_or_default()),
        ended,
        last: last.map_or(game.started(), |event| event.time),
        is_with_program: game.program().is_some(),
        plies: game.record().steps().len(),
        picture: CardPicture::of(game.record()),
        stamp: String::new(),
    }
}

/// Distinguishes the page of a match from what it was.
fn stamp_of(game: &Match, entry: &SiteEntry, version: &str, look: &SiteLook) -> String {
    let mut hash = Sha256::new();
    let ending = entry.ended.as_ref().map_or("*", |ended| &ended.sentence);
    let [white, black] = &entry.players;
    let (name, colors) = (&look.name, &look.colors);
    for part in [
        version,
        &game.hash(),
        white,
        black,
        &entry.event,
        ending,
        name,
        colors,
    ] {
        hash.update(part.as_bytes());
        hash.update(b"\n");
    }
    hex(&hash.finalize()[..16])
}

/// Writes the page of a match if it is out of date, and returns true if it was.
fn put(folder: &SiteFolder, game: &Match, entry: &SiteEntry) -> Result<bool, Error> {
    let path = page_path(game.id());
    if folder.stamp(&path)?.as_deref() == Some(&entry.stamp) {
        return Ok(false);
    }
    let details = Details {
        players: entry.players.clone(),
        event: entry.event.clone(),
        begun: Some(game.started().date_naive()),
        ending: entry.ended.as_ref().map(|ended| ended.sentence.clone()),
        archived: Some(Archived {
            stamp: entry.stamp.clone(),
            home: "../index.html",
            club: folder.look.name.clone(),
            colors: folder.look.colors.clone(),
        }),
        // A site is for everybody: it has no word of a player but the name.
        notes: Vec::new(),
        answering: None,
    };
    let view = View::of(game.record()).with_details(details);
    let view = match game.ending() {
        Some(ending) => view.ended(ending.result(), ending.status()),
        None => view,
    };
    folder.put(&path, page::write(&view, &Picture::default()).as_bytes())?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use chrono::TimeDelta;

    use super::*;
    use crate::matches::action::Action;
    use crate::matches::event::{Event, LogEntry};
    use crate::matches::r#match::MatchSettings;
    use crate::rules::{Variant, games};
    use crate::store::folder::Folder;

    /// A match of some game and of some length, every third of them over.
    fn play(id: &str, number: usize) -> Match {
        let game = games::ALL[number % games::ALL.len()];
        let settings = MatchSettings {
            variant: Variant::new(game, &[]).unwrap(),
            ..MatchSettings::sample(id)
        };
        let time = "2026-11-20T03:00:00Z".parse().unwrap();
        let mut game = Match::new(settings, time);
        for ply in 0..number {
            let turn = game.turn().unwrap();
            let plies: Vec<_> = game.position().legal_plies().take(100).collect();
            let text = game.position().text(&plies[ply * 7 % plies.len()]);
            let event = LogEntry::new(time, Action::play(text), turn);
            game.push(event).unwrap();
        }
        if number.is_multiple_of(3) {
            let turn = game.turn().unwrap();
            game.push(LogEntry::new(time, Action::Resign, turn))
                .unwrap();
        }
        game
    }

    fn look() -> SiteLook {
        SiteLook {
            name: "A club".to_owned(),
            colors: String::new(),
        }
    }

    /// The files below a folder.
    fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = PathBuf::from(path.file_name().unwrap());
            if path.is_dir() {
                let below = self::files(&path).into_iter();
                files.extend(below.map(|(path, bytes)| (name.join(path), bytes)));
            } else {
                files.insert(name, fs::read(&path).unwrap());
            }
        }
        files
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let place = tempfile::tempdir().unwrap();
        let store = Folder::new(place.path().join("games"), Duration::ZERO);
        for number in 0..20 {
            store.create(&play(&format!("m{number}"), number)).unwrap();
        }
        fs::write(place.path().join("games/torn.txt"), "Format: 1\nId: torn\n").unwrap();
        let ids = store.ids().unwrap();
        let made = [1, 2, 7, 100].map(|threads| {
            let path = place.path().join(format!("site{threads}"));
            let folder = SiteFolder::open(&path, look()).unwrap();
            let done = AtomicUsize::new(0);
            let pages = write_pages(&folder, &store, &ids, false, threads, || {
                done.fetch_add(1, Ordering::Relaxed);
            });
            let pages = pages.unwrap();
            assert_eq!(done.into_inner(), ids.len());
            let lines = ids.iter().zip(pages).map(|(id, page)| match page {
                Page::None => format!("{id}: none"),
                Page::Of(entry, is_new) => format!("{id}: {} {is_new}", entry.id),
                Page::Unread(error) => format!("{id}: {error}"),
            });
            let lines: Vec<String> = lines.collect();
            let count = |what: &str| lines.iter().filter(|line| line.ends_with(what)).count();
            assert_eq!((count(" true"), count(" none")), (7, 13), "{lines:?}");
            (lines, files(&path))
        });
        assert!(made.iter().all(|one| *one == made[0]));
        let others = Site::new(&[], &look(), None).pages().len();
        assert_eq!(made[0].1.len(), 7 + others);
    }

    /// Whoever corrects the event of a match by hand, or is forgotten, changes no move.
    #[test]
    fn a_page_is_written_anew_when_anything_on_it_has_changed() {
        let place = tempfile::tempdir().unwrap();
        let folder = SiteFolder::open(place.path(), look()).unwrap();
        let mut game = play("m", 3);
        game.settings.event = Some("Cup".to_owned());
        let put = |entry: &SiteEntry| {
            let stamp = stamp_of(&game, entry, "1", &folder.look);
            let entry = SiteEntry {
                stamp,
                ..entry.clone()
            };
            put(&folder, &game, &entry).unwrap()
        };
        let first = entry(&game);
        assert!(put(&first));
        assert!(!put(&first));
        let mut changed = entry(&game);
        changed.event = "Club".to_owned();
        assert!(put(&changed), "another event");
        assert!(put(&first), "the first one again");
        changed = entry(&game);
        changed.players.swap(0, 1);
        assert!(put(&changed), "other players");
        changed = entry(&game);
        changed.ended = None;
        assert!(put(&changed), "no end");
    }

    /// The feed would tell of it once more.
    #[test]
    fn what_is_said_after_the_end_is_no_news() {
        let mut game = play("m", 3);
        let before = entry(&game).last;
        let note = Event::note("thank you");
        let note = LogEntry::new(before + TimeDelta::days(1), note, Color::White);
        game.push(note).unwrap();
        assert_eq!(entry(&game).last, before);
    }

    /// An error ends the run, and no thread waits for another.
    #[test]
    fn a_site_that_cannot_be_written_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        let store = Folder::new(place.path().join("games"), Duration::ZERO);
        for number in [0, 3, 6, 9] {
            store.create(&play(&format!("m{number}"), number)).unwrap();
        }
        let path = place.path().join("site");
        let folder = SiteFolder::open(&path, look()).unwrap();
        fs::create_dir(path.join("matches/m6.html")).unwrap();
        let ids = store.ids().unwrap();
        let failed = write_pages(&folder, &store, &ids, false, 2, || {})
            .err()
            .unwrap();
        assert!(failed.to_string().contains("m6.html"), "{failed}");
    }
}
