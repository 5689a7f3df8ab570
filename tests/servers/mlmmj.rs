//! A mailing list of mlmmj behind Exim, for the length of a test: `games@example.test`, which the
//! users of Exim read, and to which they alone may write. It puts a prefix before each subject and a
//! footer below each text, and has answers go to the list.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::servers::{Owner, private_folder};
use crate::support::exim::{Exim, USERS, address};

/// The programs of the Debian package `mlmmj`, which `tests/run` unpacks.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/servers/mlmmj/usr/bin");

/// The texts of its own mails.
const TEXTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/target/servers/mlmmj/usr/share/mlmmj/text.skel/en"
);

/// The address of the list.
pub(crate) const LIST: &str = "games@example.test";

pub(crate) const PREFIX: &str = "[games]";

pub(crate) const FOOTER: &str =
    "-- \nTo leave this list, write to games+unsubscribe@example.test.\n";

/// A list and the mail server that it is reached by.
pub(crate) struct Mlmmj {
    pub(crate) exim: Exim,
    _folder: TempDir,
}

impl Mlmmj {
    /// Starts the mail server of a list.
    ///
    /// # Panics
    ///
    /// If Exim or mlmmj is missing or does not do as told.
    pub(crate) fn start() -> Mlmmj {
        let folder = private_folder("mlmmj");
        let list = folder.path().join("games");
        let router = "list:\n  driver = accept\n  domains = example.test\n  local_parts = games\n  \
                      local_part_suffix = +*\n  local_part_suffix_optional\n  transport = list\n\n";
        let transport = format!(
            "list:\n  driver = pipe\n  command = {PROGRAMS}/mlmmj-receive -L {}\n  return_path_add\n\n",
            list.display()
        );
        let exim = Exim::with(router, &transport);
        furnish(&list, exim.port);
        Owner::of(folder.path()).take(folder.path());
        Mlmmj {
            exim,
            _folder: folder,
        }
    }
}

/// Puts a list into a folder, as `mlmmj-make-ml` does.
fn furnish(list: &Path, port: u16) {
    for part in [
        "incoming",
        "queue",
        "queue/discarded",
        "archive",
        "subconf",
        "unsubconf",
        "bounce",
        "control",
        "moderation",
        "subscribers.d",
        "digesters.d",
        "requeue",
        "nomailsubs.d",
        "text",
    ] {
        fs::create_dir_all(list.join(part)).unwrap();
    }
    fs::write(list.join("index"), "").unwrap();
    for text in fs::read_dir(TEXTS).expect("tests/run installs what the tests need") {
        let text = text.unwrap();
        fs::copy(text.path(), list.join("text").join(text.file_name())).unwrap();
    }
    for (name, value) in [
        ("listaddress", LIST),
        ("owner", "referee@example.test"),
        ("relayhost", "127.0.0.1"),
        ("smtpport", &port.to_string()),
        ("prefix", PREFIX),
        ("subonlypost", ""),
        (
            "customheaders",
            "List-Id: <games.example.test>\nPrecedence: list\nReply-To: games@example.test",
        ),
    ] {
        fs::write(list.join("control").join(name), format!("{value}\n")).unwrap();
    }
    fs::write(list.join("control/footer"), FOOTER).unwrap();
    for user in USERS {
        let file = list.join("subscribers.d").join(&user[..1]);
        fs::write(file, address(user) + "\n").unwrap();
    }
}
