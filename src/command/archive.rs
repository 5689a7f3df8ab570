//! `parapost archive`: writes finished matches as a site of pages.

mod pages;
mod site_folder;

use std::collections::HashSet;
use std::num::NonZero;
use std::thread;

use crate::Error;
use crate::args::store::Archive;
use crate::command::archive::pages::Page;
use crate::command::archive::site_folder::SiteFolder;
use crate::command::context::Context;
use crate::command::progress::Progress;
use crate::command::status::Status;
use crate::plural::{counted, counted_matches};
use crate::render::site;

pub(super) fn run(args: &Archive, context: &mut Context<'_>) -> Result<Status, Error> {
    let url = args.url.as_deref().map(address).transpose()?;
    let store = context.store_to_read()?;
    let folder = SiteFolder::open(&args.folder)?;
    let ids = store.ids()?;
    let mut progress = Progress::new(context.is_terminal, "matches");
    progress.expect(ids.len() as u64);
    // A page takes the processor, so more threads than processors gain nothing.
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let made = pages::write(&folder, &*store, &ids, args.running, threads, || {
        progress.advance(1);
        progress.count();
    })?;
    progress.clear();
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
                status = status.or_worse(Status::from(&error));
            }
        }
        pages.insert(pages::path(id));
    }
    for file in site::files(&entries, url.as_deref()) {
        folder.put(&file.path, file.text.as_bytes())?;
        pages.insert(file.path);
    }
    let removed = folder.clean(&pages)?;
    let matches = counted_matches(entries.len());
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
