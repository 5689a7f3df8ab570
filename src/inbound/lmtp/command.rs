//! One line of a client of LMTP.

/// A command.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Command<'l> {
    Lhlo,
    Mail {
        /// The sender, or empty for a report that nobody is to answer.
        from: &'l str,
        /// The size that the client says the message has.
        size: u64,
    },
    Rcpt {
        to: &'l str,
    },
    Data,
    Rset,
    Noop,
    Vrfy,
    Quit,
}

/// A reply to a line that is no command of LMTP.
pub(super) type Fault = &'static str;

const SYNTAX: Fault = "501 5.5.4 syntax error in the arguments";
const UNKNOWN: Fault = "500 5.5.1 command unknown";

/// Reads a line without its end.
///
/// # Errors
///
/// If it is no command, or is not written as it must be: the reply.
pub(super) fn parse(line: &[u8]) -> Result<Command<'_>, Fault> {
    let line = std::str::from_utf8(line).map_err(|_| "500 5.5.2 the line is not UTF-8")?;
    if line.chars().any(char::is_control) {
        return Err("500 5.5.2 the line has control characters");
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    let alone = |command| {
        if rest.is_empty() {
            Ok(command)
        } else {
            Err(SYNTAX)
        }
    };
    match word.to_ascii_uppercase().as_str() {
        "LHLO" if rest.is_empty() => Err("501 5.5.4 LHLO needs a name"),
        "LHLO" => Ok(Command::Lhlo),
        "HELO" | "EHLO" => Err("500 5.5.1 this is LMTP, which begins with LHLO"),
        "MAIL" => mail(rest),
        "RCPT" => rcpt(rest),
        "DATA" => alone(Command::Data),
        "RSET" => alone(Command::Rset),
        "NOOP" => Ok(Command::Noop),
        "VRFY" if rest.is_empty() => Err(SYNTAX),
        "VRFY" => Ok(Command::Vrfy),
        "QUIT" => alone(Command::Quit),
        "AUTH" | "BDAT" | "ETRN" | "EXPN" | "HELP" | "STARTTLS" | "TURN" => {
            Err("502 5.5.1 command not implemented")
        }
        _ => Err(UNKNOWN),
    }
}

fn mail(rest: &str) -> Result<Command<'_>, Fault> {
    let (from, options) = path(argument(rest, "FROM:")?)?;
    let mut size = 0;
    for option in options {
        let (key, value) = option.split_once('=').unwrap_or((option, ""));
        match key.to_ascii_uppercase().as_str() {
            "SIZE" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                // Twenty digits may be too many for the number, and more than may come.
                size = value.parse().unwrap_or(u64::MAX);
            }
            "BODY" if ["7BIT", "8BITMIME"].contains(&value.to_ascii_uppercase().as_str()) => {}
            "SMTPUTF8" if !option.contains('=') => {}
            "SIZE" | "BODY" | "SMTPUTF8" => return Err(SYNTAX),
            _ => return Err(OPTION),
        }
    }
    Ok(Command::Mail { from, size })
}

const OPTION: Fault = "555 5.5.4 option unknown";

fn rcpt(rest: &str) -> Result<Command<'_>, Fault> {
    let (to, mut options) = path(argument(rest, "TO:")?)?;
    match options.next() {
        Some(_) => Err(OPTION),
        None if to.is_empty() => Err(SYNTAX),
        None => Ok(Command::Rcpt { to }),
    }
}

/// Returns what follows a word with its colon.
fn argument<'l>(rest: &'l str, word: &str) -> Result<&'l str, Fault> {
    match rest.split_at_checked(word.len()) {
        Some((found, rest)) if found.eq_ignore_ascii_case(word) => Ok(rest.trim_start()),
        _ => Err(SYNTAX),
    }
}

/// Splits `<address> option…`. A route before the address is dropped.
fn path(text: &str) -> Result<(&str, impl Iterator<Item = &str>), Fault> {
    let inner = text.strip_prefix('<').ok_or(SYNTAX)?;
    let (end, route) = ends(inner).ok_or(SYNTAX)?;
    let options = &inner[end + 1..];
    if !options.is_empty() && !options.starts_with(' ') {
        return Err(SYNTAX);
    }
    let address = &inner[..end];
    let address = match route {
        Some(colon) if address.starts_with('@') => &address[colon + 1..],
        _ => address,
    };
    Ok((address, options.split_ascii_whitespace()))
}

/// Finds the `>` that ends a path, and the first colon before it, outside of quotes.
fn ends(path: &str) -> Option<(usize, Option<usize>)> {
    let (mut is_quoted, mut is_escaped, mut colon) = (false, false, None);
    for (at, c) in path.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '>' => return Some((at, colon)),
            '<' | ' ' => return None,
            ':' if colon.is_none() => colon = Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_to_its_end() {
        for (line, from, size) in [
            ("MAIL FROM:<a@b.test>", "a@b.test", 0),
            (
                "mail from: <a@b.test> size=123 BODY=8bitmime",
                "a@b.test",
                123,
            ),
            ("MAIL FROM:<>", "", 0),
            ("MAIL FROM:<> SMTPUTF8", "", 0),
            (
                "MAIL FROM:<j\u{f6}rg@b.test> SMTPUTF8",
                "j\u{f6}rg@b.test",
                0,
            ),
            ("MAIL FROM:<@x.test,@y.test:a@b.test>", "a@b.test", 0),
            ("MAIL FROM:<\"a>b: c\"@d.test>", "\"a>b: c\"@d.test", 0),
            ("MAIL FROM:<\"a\\\">b\"@d.test>", "\"a\\\">b\"@d.test", 0),
            ("MAIL FROM:<a@b> SIZE=99999999999999999999", "a@b", u64::MAX),
        ] {
            assert_eq!(
                parse(line.as_bytes()),
                Ok(Command::Mail { from, size }),
                "{line}"
            );
        }
        let line = b"RCPT TO:<anna+chess@example.org>";
        let to = "anna+chess@example.org";
        assert_eq!(parse(line), Ok(Command::Rcpt { to }));
    }

    #[test]
    fn what_is_not_written_so_is_refused() {
        for (line, code) in [
            ("", "500"),
            ("HELO x", "500"),
            ("EHLO x", "500"),
            ("LHLO", "501"),
            ("MAIL", "501"),
            ("MAIL FROM", "501"),
            ("MAIL FROM:", "501"),
            ("MAIL FROM:a@b.test", "501"),
            ("MAIL FROM:<a@b.test", "501"),
            ("MAIL FROM:<a@b.test>SIZE=1", "501"),
            ("MAIL FROM:<a b@c.test>", "501"),
            ("MAIL FROM:<\"a@b.test>", "501"),
            ("MAIL FROM:<a@b.test> SIZE=", "501"),
            ("MAIL FROM:<a@b.test> SIZE=-1", "501"),
            ("MAIL FROM:<a@b.test> BODY=BINARYMIME", "501"),
            ("MAIL FROM:<a@b.test> RET=HDRS", "555"),
            ("MAIL\u{e4}FROM:<a@b.test>", "500"),
            ("RCPT TO:<>", "501"),
            ("RCPT TO:<a@b.test> NOTIFY=NEVER", "555"),
            ("RCPT FROM:<a@b.test>", "501"),
            ("DATA x", "501"),
            ("DATA\tx", "500"),
            ("NOOP\nMAIL FROM:<a@b.test>", "500"),
            ("STARTTLS", "502"),
            ("BDAT 3", "502"),
            ("NEWS", "500"),
        ] {
            let fault = parse(line.as_bytes()).unwrap_err();
            assert!(fault.starts_with(code), "{line:?}: {fault}");
        }
        assert!(parse(b"MAIL FROM:<\xff@b.test>").is_err());
    }
}
