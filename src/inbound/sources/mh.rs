//! MH: a folder of messages in files with numbers as names.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::inbound::sources::listing::{self, FolderFile};

/// Returns the messages of an MH folder in the order of their numbers, or none if the
/// folder is no MH folder.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn files(folder: &Path) -> Result<Option<Vec<PathBuf>>, Error> {
    let number = |file: FolderFile| Some((file.name().parse::<u64>().ok()?, file.path));
    let mut found: Vec<(u64, PathBuf)> = listing::list(folder)?
        .into_iter()
        .filter_map(number)
        .collect();
    found.sort();
    let paths: Vec<PathBuf> = found.into_iter().map(|(_, path)| path).collect();
    Ok(Some(paths).filter(|paths| !paths.is_empty()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::inbound::sources::path;

    #[test]
    fn an_mh_folder_is_read_by_number_and_another_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(path::files(folder.path()).is_err());
        for file in ["10", "9", ".mh_sequences", "notes"] {
            fs::write(folder.path().join(file), "x").unwrap();
        }
        let found: Vec<_> = path::files(folder.path()).unwrap();
        let found: Vec<_> = found.into_iter().map(|file| file.path).collect();
        assert_eq!(found, [folder.path().join("9"), folder.path().join("10")]);
    }
}
