//! The arguments of `completions` and `man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// `parapost completions`
#[derive(Args, Clone, Copy, Debug)]
#[command(after_help = "\
Examples:
  parapost completions bash > ~/.local/share/bash-completion/completions/parapost
  parapost completions fish > ~/.config/fish/completions/parapost.fish
  parapost completions zsh > ~/.zfunc/_parapost

zsh reads the last one if ~/.zfunc is in its fpath.")]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// `parapost man`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  parapost man ~/.local/share/man/man1

A page for the program, and one for each command: 'man parapost-check'.")]
pub struct Man {
    /// The folder to write the pages to; it is made if there is none
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}
