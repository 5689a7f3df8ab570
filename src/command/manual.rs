//! `parapost completions` and `parapost man`: what the command line tells of itself, for
//! shells and for `man`.

use std::fs;

use clap::ColorChoice;
use clap_mangen::Man;

use crate::Error;
use crate::args::command_line::command_line;
use crate::args::manual::{self, Completions};
use crate::command::context::Context;
use crate::command::status::Status;

/// The name of the program.
const NAME: &str = "parapost";

pub(super) fn completions(args: Completions, context: &mut Context<'_>) -> Result<Status, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command_line(), NAME, &mut script);
    context.print_bytes(&script)?;
    Ok(Status::Done)
}

pub(super) fn man(args: &manual::Man) -> Result<Status, Error> {
    let folder = &args.folder;
    fs::create_dir_all(folder).map_err(|error| Error::file(folder, &error))?;
    let mut command = command_line().color(ColorChoice::Never);
    command.build();
    write_pages(&command, args)?;
    Ok(Status::Done)
}

/// Writes the page of a command, and those of the commands below it.
fn write_pages(command: &clap::Command, args: &manual::Man) -> Result<(), Error> {
    let name = command.get_display_name().unwrap_or(NAME).to_owned();
    let page = Man::new(command.clone()).title(name.to_uppercase());
    let path = args.folder.join(format!("{name}.1"));
    let mut text = Vec::new();
    let written = page.render(&mut text).and_then(|()| fs::write(&path, text));
    written.map_err(|error| Error::file(&path, &error))?;
    for below in command.get_subcommands() {
        if !below.is_hide_set() && below.get_name() != "help" {
            write_pages(below, args)?;
        }
    }
    Ok(())
}
