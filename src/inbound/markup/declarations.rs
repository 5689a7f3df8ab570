//! What the style of an element says about whether its text can be seen.
//!
//! Only what is surely harmless passes: what is unknown, written oddly or said twice in
//! different words makes the text doubtful, so no list of tricks has to be complete.

use crate::inbound::markup::color::Color;
use crate::inbound::markup::length::{LETTER, pixels};
use crate::inbound::markup::tag::Tag;

/// A color that is declared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Paint {
    /// That of a text or a page of which nothing is said.
    Default,
    Known(Color),
    Unknown,
}

/// A size of letters that is declared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Size {
    Pixels(f32),
    /// Times the size around it.
    Times(f32),
    Unknown,
}

/// The declarations of a style that matter.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Declarations {
    pub(super) color: Option<Paint>,
    pub(super) background: Option<Paint>,
    pub(super) size: Option<Size>,
    pub(super) opacity: f32,
    /// True if something else may hide the text.
    pub(super) is_odd: bool,
    /// True if the element cuts off what does not fit.
    is_cut: bool,
    /// True if hardly anything fits.
    is_narrow: bool,
}

impl Default for Declarations {
    fn default() -> Declarations {
        Declarations {
            color: None,
            background: None,
            size: None,
            opacity: 1.0,
            is_odd: false,
            is_cut: false,
            is_narrow: false,
        }
    }
}

impl Declarations {
    /// Returns the declarations of a tag, of its attributes and its style.
    pub(super) fn of(tag: &Tag<'_>) -> Declarations {
        let mut said = Declarations::default();
        if !tag.has_attributes() {
            return said;
        }
        let color = match tag.name {
            "body" => tag.get("text"),
            "font" | "basefont" => tag.get("color"),
            _ => None,
        };
        said.color = color.map(paint);
        said.background = tag.get("bgcolor").map(paint);
        if tag.get("background").is_some_and(|url| !url.is_empty()) {
            said.background = Some(Paint::Unknown);
        }
        if tag.name == "font" && tag.get("size").is_some_and(is_step) {
            // The smallest of the seven sizes.
            said.size = Some(Size::Pixels(10.0));
        }
        said.is_odd = tag.has_too_many_attributes();
        if let Some(style) = tag.get("style") {
            let styled = Declarations::read(style);
            said = Declarations {
                color: styled.color.or(said.color),
                background: styled.background.or(said.background),
                size: styled.size.or(said.size),
                is_odd: styled.is_odd || said.is_odd,
                ..styled
            };
        }
        said
    }

    /// Reads the declarations of a style in lower case. The cost is linear in it.
    pub(super) fn read(style: &str) -> Declarations {
        let mut said = Declarations::default();
        let style = without_references(style);
        said.is_odd = style.contains(['\\', '{', '}', '&']) || style.contains("/*");
        for declaration in style.split(';') {
            let Some((name, value)) = declaration.split_once(':') else {
                continue;
            };
            said.is_odd |= is_torn(declaration);
            let value = value.trim();
            let value = value.strip_suffix("important").map_or(value, |value| {
                value.trim_end().strip_suffix('!').unwrap_or(value)
            });
            said.add(name.trim(), value.trim());
        }
        said.is_odd |= said.is_cut && said.is_narrow;
        said
    }

    /// Adds the declarations of another rule for the same elements.
    pub(super) fn add_all(&mut self, other: &Declarations) {
        set(&mut self.color, other.color, Paint::Unknown);
        set(&mut self.background, other.background, Paint::Unknown);
        set(&mut self.size, other.size, Size::Unknown);
        self.opacity = self.opacity.min(other.opacity);
        self.is_odd |= other.is_odd;
    }

    /// Returns true if nothing is said that matters.
    pub(super) fn is_empty(&self) -> bool {
        *self == Declarations::default()
    }

    fn add(&mut self, name: &str, value: &str) {
        let name = name.strip_prefix("-webkit-").unwrap_or(name);
        match name {
            "color" | "text-fill-color" => set(&mut self.color, color(value), Paint::Unknown),
            "background-color" | "background" => {
                set(&mut self.background, background(value), Paint::Unknown);
            }
            "background-image" if value != "none" && value != "initial" => {
                self.background = Some(Paint::Unknown);
            }
            "background-clip" => self.is_odd |= value.contains("text"),
            "font-size" => set(&mut self.size, size(value), Size::Unknown),
            "font" => set(&mut self.size, size_of_font(value), Size::Unknown),
            "opacity" => match fraction(value) {
                Some(opacity) => self.opacity = self.opacity.min(opacity.clamp(0.0, 1.0)),
                None => self.is_odd |= !is_plain(value),
            },
            "overflow" | "overflow-x" | "overflow-y" => {
                self.is_cut |= !matches!(value, "visible" | "initial" | "inherit" | "unset");
            }
            "width" | "max-width" | "height" | "max-height" | "inline-size" | "block-size" => {
                let is_length = |value| pixels(value, LETTER, 100.0);
                self.is_narrow |= is_length(value).is_some_and(|length| length < NARROW);
            }
            _ => self.is_odd |= is_odd(name, value),
        }
    }
}

/// The height of a line that is surely seen, in pixels.
const NARROW: f32 = 4.0;

/// The most pixels by which a text is moved that is surely seen.
const MOVED: f32 = 50.0;

/// The most pixels by which a text is indented that is surely seen.
const INDENTED: f32 = 200.0;

/// The widest margin of a text that is surely seen, in pixels.
const WIDEST: f32 = 1000.0;

/// The width in pixels of which parts are percents.
const PAGE: f32 = 600.0;

/// Sets a value. One that is said in two ways is unknown.
fn set<T: Copy + PartialEq>(place: &mut Option<T>, value: Option<T>, unknown: T) {
    match (*place, value) {
        (Some(before), Some(value)) if before != value => *place = Some(unknown),
        (_, None) => {}
        (_, value) => *place = value,
    }
}

/// Returns true if a property that is none of colors or sizes may hide a text.
fn is_odd(name: &str, value: &str) -> bool {
    let is_beyond = |least: f32, most: f32| {
        let parts = value
            .split_ascii_whitespace()
            .filter(|part| !is_plain(part));
        let mut lengths = parts.map(|part| pixels(part, LETTER, PAGE));
        lengths.any(|length| length.is_none_or(|length| length < least || length > most))
    };
    match name {
        "left" | "right" | "top" | "bottom" => is_beyond(-MOVED, MOVED),
        "text-indent" => is_beyond(-INDENTED, INDENTED),
        "letter-spacing" | "word-spacing" => is_beyond(-3.0, MOVED),
        "line-height" => match fraction(value) {
            Some(times) => times * LETTER < NARROW,
            None => !is_plain(value) && pixels(value, LETTER, LETTER).is_none_or(|it| it < NARROW),
        },
        "zoom" => !is_plain(value) && fraction(value).is_none_or(|times| times < 0.3),
        "position" => !matches!(
            value,
            "static" | "relative" | "inherit" | "initial" | "unset"
        ),
        "visibility" | "content-visibility" => !matches!(value, "visible" | "inherit" | "initial"),
        "unicode-bidi" => value.contains("override"),
        "z-index" => value.starts_with('-'),
        "transform" | "-ms-transform" | "rotate" | "scale" | "translate" | "perspective"
        | "filter" | "clip" | "clip-path" | "mask" | "mask-image" | "mix-blend-mode"
        | "animation" | "animation-name" | "line-clamp" | "offset-path" => !is_plain(value),
        "mso-hide" => value != "none",
        "all" => true,
        _ if name.starts_with("margin") => is_beyond(-MOVED, WIDEST),
        _ if name.starts_with("padding") => is_beyond(0.0, WIDEST),
        _ if name.starts_with("inset") => is_beyond(-MOVED, MOVED),
        _ => false,
    }
}

/// Returns true for a value that says nothing.
fn is_plain(value: &str) -> bool {
    matches!(
        value,
        "none" | "normal" | "auto" | "initial" | "inherit" | "unset" | "revert" | "0"
    )
}

/// Returns true if a declaration has the beginning of a text or a bracket without its end:
/// then it is only a part of one.
fn is_torn(declaration: &str) -> bool {
    let count = |sign: char| declaration.matches(sign).count();
    count('"') % 2 > 0 || count('\'') % 2 > 0 || count('(') != count(')')
}

/// Returns a number, or a percentage as one.
fn fraction(value: &str) -> Option<f32> {
    let (number, whole) = match value.strip_suffix('%') {
        Some(number) => (number, 100.0),
        None => (value, 1.0),
    };
    let number: f32 = number.parse().ok()?;
    number.is_finite().then_some(number / whole)
}

/// Reads the color of an attribute.
fn paint(value: &str) -> Paint {
    let value = value.trim();
    let bare = || Color::read(&format!("#{value}"));
    match value {
        "" | "windowtext" => Paint::Default,
        _ => Color::read(value)
            .or_else(bare)
            .map_or(Paint::Unknown, Paint::Known),
    }
}

fn color(value: &str) -> Option<Paint> {
    match value {
        "inherit" | "unset" | "revert" | "currentcolor" => None,
        "initial" | "windowtext" | "canvastext" | "text" | "auto" => Some(Paint::Default),
        _ => Some(Color::read(value).map_or(Paint::Unknown, Paint::Known)),
    }
}

/// Words of a background that are no color.
const BACKGROUND: [&str; 24] = [
    "none",
    "initial",
    "inherit",
    "unset",
    "revert",
    "auto",
    "repeat",
    "no-repeat",
    "repeat-x",
    "repeat-y",
    "scroll",
    "fixed",
    "local",
    "left",
    "right",
    "top",
    "bottom",
    "center",
    "border-box",
    "padding-box",
    "content-box",
    "cover",
    "contain",
    "/",
];

/// Reads a background: a color, and words that say nothing of it.
fn background(value: &str) -> Option<Paint> {
    let mut found = None;
    let mut rest = value;
    while !rest.trim_start().is_empty() {
        rest = rest.trim_start();
        let blank = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let end = match rest.find('(') {
            Some(open) if open < blank => rest.find(')').map_or(rest.len(), |close| close + 1),
            _ => blank,
        };
        let (word, behind) = rest.split_at(end);
        rest = behind;
        let is_place = pixels(word, LETTER, 100.0).is_some();
        if let Some(color) = Color::read(word) {
            set(&mut found, Some(Paint::Known(color)), Paint::Unknown);
        } else if matches!(word, "window" | "canvas") {
            set(&mut found, Some(Paint::Known(Color::WHITE)), Paint::Unknown);
        } else if !is_place && !BACKGROUND.contains(&word) {
            return Some(Paint::Unknown);
        }
    }
    found
}

fn size(value: &str) -> Option<Size> {
    Some(match value {
        "inherit" | "unset" | "revert" => return None,
        "initial" | "medium" => Size::Pixels(LETTER),
        "xx-small" => Size::Pixels(9.0),
        "x-small" => Size::Pixels(10.0),
        "small" => Size::Pixels(13.0),
        "large" | "x-large" | "xx-large" | "xxx-large" => Size::Pixels(18.0),
        "smaller" => Size::Times(0.83),
        "larger" => Size::Times(1.2),
        _ => match (value.strip_suffix("em"), value.strip_suffix('%')) {
            (Some(times), _) if !times.ends_with('r') => {
                fraction(times).map_or(Size::Unknown, Size::Times)
            }
            (_, Some(_)) => fraction(value).map_or(Size::Unknown, Size::Times),
            _ => pixels(value, LETTER, LETTER).map_or(Size::Unknown, Size::Pixels),
        },
    })
}

/// Returns the size that the shorthand of a font declares.
fn size_of_font(value: &str) -> Option<Size> {
    let mut words = value.split([',', '"', '\'']).next()?.split_whitespace();
    let system = [
        "caption",
        "icon",
        "menu",
        "message-box",
        "small-caption",
        "status-bar",
    ];
    if matches!(value, "inherit" | "unset" | "revert") {
        return None;
    }
    if value == "initial" || system.contains(&value) {
        return Some(Size::Pixels(LETTER));
    }
    let found = words.find_map(|word| {
        let word = word.split('/').next().unwrap_or_default();
        // A number alone is a weight.
        let is_weight = word.bytes().all(|byte| byte.is_ascii_digit());
        size(word).filter(|size| *size != Size::Unknown && !is_weight)
    });
    Some(found.unwrap_or(Size::Unknown))
}

/// Returns true for one of the seven sizes of letters: `1`, `+2`, `-1`.
fn is_step(value: &str) -> bool {
    let digits = value.trim().trim_start_matches(['+', '-']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a style with the characters for which programs write references.
fn without_references(style: &str) -> String {
    let mut plain = style.to_owned();
    for (reference, sign) in [
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&nbsp;", " "),
    ] {
        if plain.contains(reference) {
            plain = plain.replace(reference, sign);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::Declarations;
    use crate::inbound::markup::look::Look;

    fn is_doubtful(style: &str) -> bool {
        let look = Look::default().with(&Declarations::read(style));
        look.may_be_unseen()
    }

    #[test]
    fn what_programs_write_about_visible_text_is_harmless() {
        for style in [
            "",
            "font-family:calibri,sans-serif;font-size:11.0pt;color:windowtext",
            "mso-fareast-font-family:\"times new roman\";color:black;mso-ansi-language:de",
            "font-family:&quot;segoe ui&quot;,arial;font-size:12pt;color:rgb(0, 0, 0)",
            "caret-color: rgb(0, 0, 0); color: rgb(0, 0, 0); font-family: helvetica; font-size: 12px; letter-spacing: normal; text-indent: 0px; -webkit-text-stroke-width: 0px; float: none; display: inline !important",
            "margin:0 0 0 40px;border:none;padding:0px",
            "margin-left:0cm;text-indent:-18.0pt",
            "background:white;color:#222",
            "background: rgb(255,255,0) none repeat scroll 0% 0%",
            "background-color:rgb(0,0,0);color:rgb(255,255,255)",
            "line-height:1.38;margin-top:0pt;margin-bottom:0pt",
            "color:#888888;font-size:small",
            "font:13px/1.5 arial, sans-serif",
            "max-height:100px;overflow:auto",
            "position:relative;opacity:1;zoom:1",
        ] {
            assert!(!is_doubtful(style), "{style}");
        }
    }

    #[test]
    fn what_may_hide_a_text_or_cannot_be_known_is_doubtful() {
        for style in [
            "font-size:1px",
            "font-size:0",
            "font-size:.1em",
            "font-size:1.5pt",
            "font-size:12",
            "font-size:calc(1px)",
            "font:1px arial",
            "font:300 1px/20px arial",
            "line-height:0",
            "line-height:1px",
            "zoom:0.01",
            "opacity:0",
            "opacity:.01",
            "opacity:1%",
            "filter:opacity(0)",
            "filter:alpha(opacity=0)",
            "color:white",
            "color:#fefefe",
            "color:transparent",
            "color:rgba(0,0,0,0)",
            "color:rgb(0 0 0 / 1%)",
            "color:#0000",
            "color:var(--x)",
            "color:hsl(0,0%,100%)",
            "color:blackk",
            "color:wh/**/ite",
            "color:&#119;hite",
            "color:\\77hite",
            "color:black;color:white",
            "color:white !important;color:black",
            "color:white;font-family:\"x;color:black;y\"",
            "-webkit-text-fill-color:white",
            "background:black",
            "background:#000 url(x) no-repeat",
            "background-image:url(x)",
            "background:linear-gradient(red,blue)",
            "color:red;background:#f00",
            "position:absolute;left:-9999px",
            "left:-9999px",
            "margin-left:-9999px",
            "margin:0 0 0 -100%",
            "margin-top:-500px",
            "text-indent:-9999px",
            "text-indent:100%;white-space:nowrap;overflow:hidden",
            "width:1px;height:1px;overflow:hidden",
            "max-height:1px;overflow:hidden",
            "clip:rect(0,0,0,0)",
            "clip-path:inset(50%)",
            "transform:scale(0)",
            "transform:translatex(-9999px)",
            "letter-spacing:-2em",
            "visibility:collapse",
            "mso-hide:all",
            "unicode-bidi:bidi-override;direction:rtl",
            "all:unset",
        ] {
            assert!(is_doubtful(style), "{style}");
        }
    }
}
