//! `parapost import`: brings the matches of a folder to where matches are kept.

use crate::args::store::Import;
use crate::command::context::Context;
use crate::command::copied::copy;
use crate::command::status::Status;
use crate::store::folder::Folder;
use crate::{Error, files};

pub(super) fn run(args: &Import, context: &mut Context<'_>) -> Result<Status, Error> {
    let path = &args.folder;
    if !files::is_folder(path).map_err(|error| Error::file(path, &error))? {
        let path = path.display();
        return Err(Error::refused(format!("{path}: there is no such folder")));
    }
    let folder = Folder::new(path, context.wait());
    copy(&folder, &*context.store()?, context)
}
