//! The program: passes its arguments to the library and exits with the status.

use std::io::IsTerminal;
use std::process::ExitCode;

use parapost::command;
use parapost::command::context::Io;

fn main() -> ExitCode {
    let (mut stdin, mut stdout, mut stderr) =
        (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let is_terminal = stderr.is_terminal();
    command::run(
        std::env::args_os(),
        Io {
            stdin: &mut stdin,
            stdout: &mut stdout,
            stderr: &mut stderr,
            is_terminal,
        },
    )
    .into()
}
