//! Debian's Chromium, without a window.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use headless_chrome::{Browser, LaunchOptions};

use crate::page::Page;

/// The program of the Debian package `chromium`.
const PROGRAM: &str = "/usr/bin/chromium";

/// How long Chromium may be silent: the machine may be busy with compilers.
const PATIENCE: Duration = Duration::from_mins(2);

/// What keeps Chromium from asking the network for anything of its own. A page
/// that asks for something is found out by its request; nothing reaches anybody.
const ARGUMENTS: [&str; 6] = [
    "--disable-quic",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    // A canvas may read the pictures of a page from a file.
    "--allow-file-access-from-files",
    "--hide-scrollbars",
    "--lang=en",
];

/// A running Chromium. Dropping it ends it.
pub(crate) struct Chromium(Browser);

impl Chromium {
    /// Starts it with an empty profile.
    ///
    /// # Panics
    ///
    /// If it is not installed or does not start.
    pub(crate) fn start() -> Chromium {
        assert!(
            Path::new(PROGRAM).exists(),
            "there is no {PROGRAM}: tests/run installs what the tests need"
        );
        let options = LaunchOptions::default_builder()
            .path(Some(PROGRAM.into()))
            // Root has no right to a sandbox.
            .sandbox(false)
            .idle_browser_timeout(PATIENCE)
            .args(ARGUMENTS.iter().map(OsStr::new).collect())
            .build()
            .expect("options");
        Chromium(Browser::new(options).expect("Chromium starts"))
    }

    /// Opens a page and waits until its pictures are there.
    pub(crate) fn open(&self, file: &Path) -> Page {
        let tab = self.0.new_tab().expect("a tab");
        Page::open(tab, file)
    }
}
