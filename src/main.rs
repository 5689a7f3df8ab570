//! The program: passes its arguments to the library and exits with the status.

use std::io::IsTerminal;
use std::process::ExitCode;

use parapost::command;
use parapost::command::context::Io;

fn main() -> ExitCode {
    catch_file_limit();
    let (mut stdin, mut stdout, mut stderr) =
        (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let (is_terminal, is_shown) = (stderr.is_terminal(), stdout.is_terminal());
    command::run(
        std::env::args_os(),
        Io {
            stdin: &mut stdin,
            stdout: &mut stdout,
            stderr: &mut stderr,
            is_terminal,
            is_shown,
        },
        None,
    )
    .into()
}

/// Makes a write beyond the limit on the size of files (`ulimit -f`) fail like
/// one to a full disk. By default, its signal ends the process.
///
/// A handler is better than ignoring the signal: the programs that this one
/// starts, such as `sendmail`, do not inherit it.
fn catch_file_limit() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        // Without the handler, only the message and the exit status get lost.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
