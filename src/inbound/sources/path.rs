//! Opens the messages at a path. Only this file tells the kinds of files and folders
//! apart.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::inbound::sources::file::FileSource;
use crate::inbound::sources::mail_file::{Division, MailFile};
use crate::inbound::sources::{eml, maildir, mh};
use crate::{Error, files};

/// Opens the messages at a path: a message, an mbox, a Maildir, an MH folder or a
/// folder of `.eml` files. Nothing there is moved, marked or deleted. `named` says how a
/// file that is not in a folder of those is divided, if its name and place do not.
///
/// # Errors
///
/// The same as [`files`].
pub fn open(path: &Path, named: Option<Division>) -> Result<FileSource, Error> {
    let mut files = files(path)?;
    if let (Some(division), [file]) = (named, files.as_mut_slice())
        && file.path == path
    {
        file.division = division;
    }
    Ok(FileSource::new(path, files))
}

/// Returns the files with messages at a path: the file itself, or the files of a
/// folder, oldest first.
///
/// # Errors
///
/// If the path cannot be read, or is a folder of another kind.
pub fn files(path: &Path) -> Result<Vec<MailFile>, Error> {
    let single = |path| MailFile {
        path,
        division: Division::Single,
    };
    if !files::is_folder(path).map_err(|error| Error::file(path, &error))? {
        let path = path.to_path_buf();
        let division = division(&path);
        return Ok(vec![MailFile { path, division }]);
    }
    for kind in [maildir::files, mh::files, eml::files] {
        if let Some(found) = kind(path)? {
            return Ok(found.into_iter().map(single).collect());
        }
    }
    Err(Error::refused(format!(
        "{}: no messages here: no Maildir (no 'new' and 'cur'), no MH folder (no numbered files), no .eml files",
        path.display()
    )))
}

/// Returns how a file is divided, by its name and the folder it is in: a file of a
/// Maildir or an MH folder is one message though it is named alone.
fn division(path: &Path) -> Division {
    let is_eml = |end: &OsStr| end.eq_ignore_ascii_case("eml");
    if path.extension().is_some_and(is_eml) {
        return Division::Single;
    }
    let whole = fs::canonicalize(path);
    let whole = whole.as_deref().unwrap_or(path);
    let Some(folder) = whole.parent() else {
        return Division::ByPostmark;
    };
    let is_maildir = || {
        let is_half = ["new", "cur"].iter().any(|name| folder.ends_with(name));
        let above = folder.parent().filter(|_| is_half);
        above.is_some_and(|above| above.join("new").is_dir() && above.join("cur").is_dir())
    };
    let is_mh = || {
        let name = whole
            .file_name()
            .and_then(OsStr::to_str)
            .unwrap_or_default();
        name.parse::<u64>().is_ok() && folder.join(".mh_sequences").exists()
    };
    if is_maildir() || is_mh() {
        Division::Single
    } else {
        Division::ByPostmark
    }
}
