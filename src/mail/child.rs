//! Programs that are started: each has to end in time, and of what it writes only so much
//! is kept.

use std::io::{self, ErrorKind, Read};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// The longest pause between two looks whether a program has ended.
const PAUSE: Duration = Duration::from_millis(50);

/// The longest time that the pipe of an ended program stays open: a child of it may
/// still hold it.
const LAST: Duration = Duration::from_secs(1);

/// Waits until a program has ended. Reads the pipe that it writes to meanwhile, and
/// returns its status and the first `most` bytes.
///
/// # Errors
///
/// If the program has not ended within `limit` ([`ErrorKind::TimedOut`]) or cannot be
/// waited for. It is killed then.
pub(crate) fn wait(
    child: &mut Child,
    pipe: impl Read + Send + 'static,
    most: usize,
    limit: Duration,
) -> io::Result<(ExitStatus, Vec<u8>)> {
    let waited = wait_for(child, pipe, most, limit);
    if waited.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    waited
}

fn wait_for(
    child: &mut Child,
    pipe: impl Read + Send + 'static,
    most: usize,
    limit: Duration,
) -> io::Result<(ExitStatus, Vec<u8>)> {
    let end = Instant::now() + limit;
    let (kept, is_read) = mpsc::channel();
    thread::Builder::new().spawn(move || read(pipe, most, &kept))?;
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let seconds = limit.as_secs();
            let why = format!("it has not ended within {seconds} seconds, and was killed");
            return Err(io::Error::new(ErrorKind::TimedOut, why));
        }
        thread::sleep(pause.min(left));
        pause = PAUSE.min(pause * 2);
    };
    let (end, mut kept) = (Instant::now() + LAST, Vec::new());
    let left = || end.saturating_duration_since(Instant::now());
    while let Ok(bytes) = is_read.recv_timeout(left()) {
        kept.extend(bytes);
    }
    Ok((status, kept))
}

/// Reads a pipe to its end and passes its first bytes on. A program that cannot write goes
/// no further.
fn read(mut pipe: impl Read, mut room: usize, kept: &Sender<Vec<u8>>) {
    let mut bytes = [0; 4096];
    loop {
        match pipe.read(&mut bytes) {
            Ok(0) => return,
            Ok(read) => {
                let first = &bytes[..read.min(room)];
                room -= first.len();
                if !first.is_empty() {
                    // Whoever waited may have given up.
                    let _ = kept.send(first.to_vec());
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn run(line: &str, limit: Duration) -> io::Result<(ExitStatus, Vec<u8>)> {
        let mut command = Command::new("sh");
        command.args(["-c", line]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let pipe = child.stdout.take().unwrap();
        let ended = wait(&mut child, pipe, 10, limit);
        assert!(
            child.try_wait().unwrap().is_some(),
            "nothing is left behind"
        );
        ended
    }

    #[test]
    fn the_first_bytes_of_a_program_that_ends_are_kept() {
        let long = Duration::from_mins(5);
        for (line, kept, code) in [
            ("echo a; exit 3", "a\n", 3),
            (
                "printf 123456789012; exec yes | head -c 1000000",
                "1234567890",
                0,
            ),
            // The program that goes on behind it holds the pipe.
            ("echo a; sleep 30 & exit 0", "a\n", 0),
        ] {
            let begun = Instant::now();
            let (status, output) = run(line, long).unwrap();
            assert_eq!(status.code(), Some(code), "{line}");
            assert_eq!(String::from_utf8(output).unwrap(), kept, "{line}");
            assert!(begun.elapsed() < Duration::from_secs(25), "{line}");
        }
    }

    #[test]
    fn a_program_that_does_not_end_is_killed() {
        for line in ["exec sleep 60", "exec yes"] {
            let begun = Instant::now();
            let error = run(line, Duration::from_millis(50)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TimedOut, "{line}");
            assert!(begun.elapsed() < Duration::from_secs(50), "{line}");
        }
    }
}
