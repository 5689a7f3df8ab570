//! `parapost completions` and `parapost man`: what the command line tells of itself, for
//! shells and for `man`.

use std::fs;
use std::path::PathBuf;

use clap::{Args, ColorChoice};
use clap_complete::Shell;

use crate::Error;
use crate::command::context::Context;
use crate::command::status::Status;

/// `parapost completions`
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "\
Examples:
  parapost completions bash > ~/.local/share/bash-completion/completions/parapost
  parapost completions fish > ~/.config/fish/completions/parapost.fish
  parapost completions zsh > ~/.zfunc/_parapost

zsh reads the last one if ~/.zfunc is in its fpath.")]
pub(super) struct Completions {
    /// The shell
    pub(super) shell: Shell,
}

/// `parapost man`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost man ~/.local/share/man/man1

A page for the program, and one for each command: 'man parapost-check'.")]
pub(super) struct Man {
    /// The folder to write the pages to; it is made if there is none
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
}

/// The name of the program.
const NAME: &str = "parapost";

pub(super) fn completions(
    args: Completions,
    mut command_line: clap::Command,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command_line, NAME, &mut script);
    context.print_bytes(&script)?;
    Ok(Status::Done)
}

pub(super) fn man(args: &Man, command_line: clap::Command) -> Result<Status, Error> {
    let folder = &args.folder;
    fs::create_dir_all(folder).map_err(|error| Error::file(folder, &error))?;
    let mut command = command_line.color(ColorChoice::Never);
    command.build();
    write_pages(&command, args)?;
    Ok(Status::Done)
}

/// Writes the page of a command, and those of the commands below it.
fn write_pages(command: &clap::Command, args: &Man) -> Result<(), Error> {
    let name = command.get_display_name().unwrap_or(NAME).to_owned();
    let page = clap_mangen::Man::new(command.clone()).title(name.to_uppercase());
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
