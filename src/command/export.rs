//! `parapost export`: writes all matches to a folder, a file each, or what is kept of one
//! person.

use crate::Error;
use crate::args::store::Export;
use crate::command::context::Context;
use crate::command::copied::copy;
use crate::command::person;
use crate::command::status::Status;
use crate::store::folder::Folder;

pub(super) fn run(args: &Export, context: &mut Context<'_>) -> Result<Status, Error> {
    let store = context.store_to_read()?;
    if let Some(address) = &args.person {
        return person::export(&*store, address, &args.folder, context);
    }
    let folder = Folder::new(&args.folder, context.wait());
    copy(&*store, &folder, context)
}
