//! The text that programs derive from HTML, in imitation.

use fastrand::Rng;

/// What becomes of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `P>e3 <mailto:…>`
    Angles,
    /// `P>e3<mailto:…>`
    Glued,
    /// `[P>e3](mailto:…)`
    Markdown,
    /// `P>e3 [mailto:…]`
    Brackets,
    /// `[1]P>e3`, and a list of the targets
    Lynx,
    /// `P>e3 [1]`, and a list of the targets
    Notes,
    /// `P>e3`
    Alone,
}

/// Derives the text, broken in one of the ways of programs.
pub(crate) fn text(html: &str, form: Form, rng: &mut Rng) -> String {
    let has_lines = rng.bool();
    let picture = rng.u8(..4);
    let mut out = String::new();
    let mut targets: Vec<String> = Vec::new();
    let mut target = String::new();
    let mut rest = html;
    while let Some((before, behind)) = rest.split_once('<') {
        let (tag, behind) = behind.split_once('>').expect("the tag ends");
        out += &plain(before);
        rest = behind;
        match tag.split([' ', '\n']).next().unwrap_or_default() {
            "p" | "/p" | "br" | "tr" | "/tr" | "/table" | "div" | "/div" => end_line(&mut out),
            "td" | "/td" if has_lines => end_line(&mut out),
            "td" => out.push_str("  "),
            "img" => {
                let (_, alt) = tag.split_once("alt=\"").expect("a text");
                let alt = alt.trim_end_matches('"');
                let alt = match picture {
                    0 => format!("[image: {alt}]"),
                    1 => format!("[{alt}]"),
                    2 => format!("![{alt}](cid:board@parapost)"),
                    _ => alt.to_owned(),
                };
                out += &alt;
            }
            "a" => {
                let (_, value) = tag.split_once("href=\"").expect("a target");
                target = plain(value.split('"').next().unwrap_or_default());
                match form {
                    Form::Markdown => out.push('['),
                    Form::Lynx => {
                        targets.push(target.clone());
                        let number = format!("[{}]", targets.len());
                        out += &number;
                    }
                    _ => {}
                }
            }
            "/a" => {
                let end = match form {
                    Form::Angles => format!(" <{target}>"),
                    Form::Glued => format!("<{target}>"),
                    Form::Markdown => format!("]({target})"),
                    Form::Brackets => format!(" [{target}]"),
                    Form::Notes => {
                        targets.push(target.clone());
                        format!(" [{}]", targets.len())
                    }
                    Form::Lynx | Form::Alone => String::new(),
                };
                out += &end;
                if has_lines {
                    end_line(&mut out);
                } else {
                    out.push(' ');
                }
            }
            _ => {}
        }
    }
    out += &plain(rest);
    let mut out = match rng.u8(..4) {
        0 => wrapped(&out, rng.usize(40..78), true),
        1 | 2 => wrapped(&out, rng.usize(40..78), false),
        _ => out,
    };
    for (i, target) in targets.iter().enumerate() {
        let target = match form {
            Form::Lynx if rng.bool() => format!("{}. {}", i + 1, decoded(target)),
            _ => format!("[{}] {target}", i + 1),
        };
        out.push('\n');
        out += &target;
        out.push('\n');
    }
    out
}

fn end_line(out: &mut String) {
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
}

fn plain(text: &str) -> String {
    text.replace('\n', " ")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&")
}

/// Lines broken at blanks; words that are too long are broken too if that is asked for.
fn wrapped(text: &str, width: usize, is_hard: bool) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut length = 0;
        for word in line.split(' ') {
            if length > 0 && length + word.chars().count() > width {
                out.push('\n');
                length = 0;
            }
            for c in word.chars() {
                if is_hard && length >= width {
                    out.push('\n');
                    length = 0;
                }
                out.push(c);
                length += 1;
            }
            out.push(' ');
            length += 1;
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

/// A target as Lynx lists it.
fn decoded(target: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = target.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let code = behind
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) if byte == b'%' => {
                bytes.push(code);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes)
        .expect("ASCII")
        .replace("\r\n", "\n")
}
