//! What styles and attributes say about whether a reader can see a text: colors, lengths,
//! declarations and style sheets.
//!
//! Only what is surely harmless passes: what is unknown, written oddly or said twice in
//! different words makes the text doubtful, so no list of tricks has to be complete. A rule
//! of a sheet is kept by the last name of each of its selectors, so it is taken to be about
//! at least the elements that it is about.

use std::collections::HashMap;
use std::convert::Infallible;

use crate::Pattern;
use crate::message::markup::tag::{self, Element, Sort, Tag, Token};

/// Returns true if a style may matter: hardly any does.
fn is_telling(style: &str) -> bool {
    ["none", "hidden", "line-through", "overflow", "white-space"]
        .iter()
        .any(|word| style.contains(word))
}

/// Returns the attributes to keep.
pub(super) fn attributes(tag: &Tag<'_>, kept: &str) -> String {
    static HIDDEN: Pattern = Pattern::new(
        r"(?x) display\s*:\s*none | text-decoration(?:-line)?\s*:[^;]*line-through
              | visibility\s*:\s*hidden",
    );
    static CUT: Pattern = Pattern::new(r"(?:^|[;\s])(?:max-)?height\s*:\s*0");
    static KEPT_LINES: Pattern =
        Pattern::new(r"white-space\s*:\s*(pre\b(?:-wrap|-line)?|break-spaces)");
    let style = tag.get("style").unwrap_or_default();
    if !is_telling(style) && tag.get("hidden").is_none() && kept != "ol" {
        return String::new();
    }
    let is_cut = || CUT.is_match(style) && style.contains("overflow");
    if HIDDEN.is_match(style) || is_cut() || tag.get("hidden").is_some() {
        return r#" style="display:none""#.to_owned();
    }
    let start = || tag.get("start")?.trim().parse::<u16>().ok();
    match kept {
        "ol" => start().map_or(String::new(), |start| format!(" start=\"{start}\"")),
        _ if KEPT_LINES.is_match(style) => r#" style="white-space:pre-wrap""#.to_owned(),
        _ => String::new(),
    }
}

/// A color with its opacity: red, green, blue and alpha, each from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Color(pub(super) [f32; 4]);

impl Color {
    pub(super) const BLACK: Color = Color([0.0, 0.0, 0.0, 1.0]);
    pub(super) const WHITE: Color = Color([1.0, 1.0, 1.0, 1.0]);

    /// Returns what is seen of the color above another one.
    pub(super) fn over(self, below: Color, opacity: f32) -> Color {
        let [.., alpha] = self.0;
        let alpha = alpha * opacity;
        let mut seen = [1.0; 4];
        for ((seen, above), below) in seen.iter_mut().zip(self.0).zip(below.0).take(3) {
            *seen = above * alpha + below * (1.0 - alpha);
        }
        Color(seen)
    }

    /// Returns the contrast with another color, from 1 to 21, as the guidelines for
    /// accessible pages compute it.
    pub(super) fn contrast(self, other: Color) -> f32 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn luminance(self) -> f32 {
        let [red, green, blue, _] = self.0.map(|part| {
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Reads a color in lower case: one of the common names, or its numbers.
    pub(super) fn read(text: &str) -> Option<Color> {
        let text = text.trim();
        if let Some(digits) = text.strip_prefix('#') {
            return from_digits(digits);
        }
        if let Some((name, numbers)) = text.split_once('(') {
            let is_known = matches!(name.trim(), "rgb" | "rgba");
            return is_known
                .then(|| from_numbers(numbers.strip_suffix(')')?))
                .flatten();
        }
        let mut names = NAMES.lines().filter_map(|line| line.split_once('\t'));
        let (_, digits) = names.find(|(name, _)| *name == text)?;
        from_digits(digits)
    }
}

/// Reads `fff`, `ffff`, `ffffff` or `ffffffff`.
fn from_digits(digits: &str) -> Option<Color> {
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut parts = [255.0; 4];
    let size = match digits.len() {
        3 | 4 => 1,
        6 | 8 => 2,
        _ => return None,
    };
    for (part, digits) in parts.iter_mut().zip(digits.as_bytes().chunks(size)) {
        let digits = std::str::from_utf8(digits).ok()?;
        let value = u8::from_str_radix(digits, 16).ok()?;
        *part = f32::from(if size == 1 { value * 17 } else { value });
    }
    Some(Color(parts.map(|part| part / 255.0)))
}

/// Reads `0, 0, 0`, `0 0 0 / 50%` and the like.
fn from_numbers(numbers: &str) -> Option<Color> {
    let mut parts = [1.0; 4];
    let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | '/');
    let numbers: Vec<&str> = numbers
        .split(is_end)
        .filter(|number| !number.is_empty())
        .take(5)
        .collect();
    if !matches!(numbers.len(), 3 | 4) {
        return None;
    }
    for (i, number) in numbers.iter().enumerate() {
        let is_of_bytes = i < 3 && !number.ends_with('%');
        let whole = if is_of_bytes { 255.0 } else { 1.0 };
        parts[i] = (fraction(number)? / whole).clamp(0.0, 1.0);
    }
    Some(Color(parts))
}

/// The names that programs write, and their digits.
const NAMES: &str = include_str!("colors.tsv");

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
    joins: Joins,
}

/// What may stand on one line that other elements of the name have on several.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Joins {
    /// True if the element may begin no line of its own.
    elements: bool,
    /// True if the lines of its text may be joined.
    lines: bool,
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
            joins: Joins::default(),
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
        self.joins.elements |= other.joins.elements;
        self.joins.lines |= other.joins.lines;
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
            "display" => {
                let begins_line = ["block", "list-item", "table", "table-row", "flow-root"];
                self.joins.elements |= !begins_line.contains(&value);
            }
            "float" => self.joins.elements |= !matches!(value, "none" | "initial" | "unset"),
            "white-space" => {
                self.joins.lines |= !value.starts_with("pre") && value != "break-spaces";
            }
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
        "text-decoration" | "text-decoration-line" => {
            value.contains("line-through") || value.contains("var(")
        }
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
    Some(finite(number)? / whole)
}

fn finite(number: &str) -> Option<f32> {
    number
        .parse()
        .ok()
        .filter(|number: &f32| number.is_finite())
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
        let color = match word {
            "window" | "canvas" => Some(Color::WHITE),
            _ => Color::read(word),
        };
        match word {
            _ if color.is_some() => set(&mut found, color.map(Paint::Known), Paint::Unknown),
            "none" | "initial" | "inherit" | "unset" | "revert" | "auto" | "repeat"
            | "no-repeat" | "repeat-x" | "repeat-y" | "scroll" | "fixed" | "local" | "left"
            | "right" | "top" | "bottom" | "center" | "border-box" | "padding-box"
            | "content-box" | "cover" | "contain" | "/" => {}
            _ if pixels(word, LETTER, 100.0).is_some() => {}
            _ => return Some(Paint::Unknown),
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
    match value {
        "inherit" | "unset" | "revert" => return None,
        "initial" | "caption" | "icon" | "menu" | "message-box" | "small-caption"
        | "status-bar" => return Some(Size::Pixels(LETTER)),
        _ => {}
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

/// The size in pixels of letters that nothing says otherwise.
pub(super) const LETTER: f32 = 16.0;

/// Returns a length in pixels, or none if it is no length, or one that cannot be known.
/// `whole` is what a hundred percent are, `letter` the size of the letters around it.
pub(super) fn pixels(text: &str, letter: f32, whole: f32) -> Option<f32> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-')))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number = finite(number)?;
    let size = match unit {
        "" if number == 0.0 => 0.0,
        "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" | "rem" => LETTER,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 9.6 / 2.54,
        "em" => letter,
        "ex" | "ch" => letter / 2.0,
        "%" => whole / 100.0,
        // Of a narrow screen.
        "vw" | "vh" | "vmin" | "vmax" => 3.0,
        _ => return None,
    };
    Some(number * size)
}

/// The look of the text in an element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Look {
    /// None if it cannot be known.
    color: Option<Color>,
    /// The nearest background.
    background: Option<Color>,
    opacity: f32,
    /// The size of its letters in pixels.
    size: f32,
    /// True if something else may hide it, whatever the elements inside say.
    is_doubtful: bool,
}

/// The text of a document that says nothing, on paper.
impl Default for Look {
    fn default() -> Look {
        Look {
            color: Some(Color::BLACK),
            background: Some(Color::WHITE),
            opacity: 1.0,
            size: LETTER,
            is_doubtful: false,
        }
    }
}

/// The least contrast of a text that is surely seen. A light gray on white has 1.6.
const CONTRAST: f32 = 1.5;

/// The least size of letters that are surely seen, in pixels.
const LEAST: f32 = 4.0;

impl Look {
    /// Returns the look of an element with these declarations inside one of this look.
    pub(super) fn with(self, said: &Declarations) -> Look {
        let mut look = self;
        look.is_doubtful |= said.is_odd;
        look.opacity *= said.opacity;
        match said.background {
            None | Some(Paint::Default) => {}
            Some(Paint::Known(above)) if above.0[3] >= 1.0 => look.background = Some(above),
            Some(Paint::Known(above)) => {
                look.background = look.background.map(|below| above.over(below, 1.0));
            }
            Some(Paint::Unknown) => look.background = None,
        }
        match said.color {
            None => {}
            Some(Paint::Default) => look.color = Some(Color::BLACK),
            Some(Paint::Known(color)) => look.color = Some(color),
            Some(Paint::Unknown) => look.color = None,
        }
        match said.size {
            None => {}
            Some(Size::Pixels(size)) => look.size = size,
            Some(Size::Times(times)) => look.size *= times,
            Some(Size::Unknown) => look.size = 0.0,
        }
        look
    }

    /// Returns the look with a doubt that nothing inside removes.
    pub(super) fn doubted(self) -> Look {
        Look {
            is_doubtful: true,
            ..self
        }
    }

    /// Returns true if a reader may not see the text.
    pub(super) fn may_be_unseen(self) -> bool {
        let (Some(color), Some(background)) = (self.color, self.background) else {
            return true;
        };
        let seen = color.over(background, self.opacity);
        self.is_doubtful || self.size < LEAST || seen.contrast(background) < CONTRAST
    }
}

/// The rules that matter.
#[derive(Default)]
pub(super) struct Sheet {
    /// By `.class`, `#id` or name.
    rules: HashMap<String, Declarations>,
    /// Those of which it is unknown what they are about.
    of_all: Declarations,
}

impl Sheet {
    /// Reads all style sheets of a document. `lower` is the document in lower case.
    pub(super) fn of(html: &str, lower: &str) -> Sheet {
        let mut sheet = Sheet::default();
        if lower.contains("<style") {
            let read = tag::each(html, lower, |token| {
                if let Token::Sheet(text) = token {
                    sheet.read(text);
                }
                Ok::<(), Infallible>(())
            });
            read.unwrap_or_else(|never| match never {});
        }
        sheet
    }

    /// Returns the look of what stands in no element.
    pub(super) fn root(&self) -> Look {
        Look::default().with(&self.of_all)
    }

    /// Returns the look of an element inside one of this look, and whether one of the
    /// rules for it may hide its text.
    pub(super) fn look(&self, tag: &Tag<'_>, around: Look) -> Look {
        let mut look = around.with(&self.of_all);
        if !self.rules.is_empty() {
            for name in names(tag) {
                if let Some(rule) = self.rules.get(name.as_str()) {
                    look = look.with(rule);
                    // Another rule, or a style, may give way to this one.
                    let hides = look.may_be_unseen() && !around.may_be_unseen();
                    if hides || Look::default().with(rule).may_be_unseen() {
                        look = look.doubted();
                    }
                }
            }
        }
        look = look.with(&Declarations::of(tag));
        let is_block = matches!(Element::of(tag.name).sort, Sort::Block | Sort::Marked);
        if is_block && self.may_join_lines(tag) {
            look = look.doubted();
        }
        look
    }

    /// Returns true if a reader may see what is above and below the start of an element on one line, or
    /// the lines of preformatted text.
    pub(super) fn may_join_lines(&self, tag: &Tag<'_>) -> bool {
        if tag.get("hidden").is_some() {
            return true;
        }
        if self.rules.is_empty() && !tag.has_attributes() && !self.of_all.joins.elements {
            return false;
        }
        let rules = names(tag).filter_map(|name| self.rules.get(name.as_str()));
        let own = Declarations::of(tag);
        let mut said = rules.chain([&self.of_all, &own]);
        said.any(|said| said.joins.elements || tag.name == "pre" && said.joins.lines)
    }

    fn read(&mut self, text: &str) {
        let mut rest = text;
        let mut is_in_rule = false;
        while let Some(brace) = rest.find(['{', '}']) {
            let (before, behind) = (&rest[..brace], &rest[brace + 1..]);
            let is_open = rest[brace..].starts_with('{');
            rest = behind;
            // Declarations behind a rule within a rule are about whatever that is about.
            let above = if is_open {
                before.rsplit_once(';').map_or("", |(above, _)| above)
            } else {
                before
            };
            if !is_in_rule {
                self.of_all.add_all(&Declarations::read(above));
            }
            is_in_rule = is_open;
            if !is_open {
                continue;
            }
            let end = behind.find(['{', '}']).unwrap_or(behind.len());
            let said = Declarations::read(&behind[..end]);
            if said == Declarations::default() {
                continue;
            }
            // Above a rule may stand a comment, and a rule without brackets.
            let head = before.rsplit(';').next().unwrap_or_default();
            let head = head.rsplit("*/").next().unwrap_or_default().trim_start();
            if head.starts_with("@font-face") || head.starts_with("@page") {
                continue;
            }
            for selector in head.split(',') {
                match key(selector).filter(|_| !head.starts_with('@')) {
                    Some(key) => self.rules.entry(key).or_default().add_all(&said),
                    None => self.of_all.add_all(&said),
                }
            }
        }
    }
}

/// Returns the name in a selector that the elements have which it is about, if it has one. What
/// stands in brackets narrows that down, and is passed over.
fn key(selector: &str) -> Option<String> {
    static BRACKETS: Pattern = Pattern::new(r"\[[^\[\]()]*\]|\([^\[\]()]*\)");
    let selector = BRACKETS.replace_all(selector, "");
    if selector.contains(['\\', '"', '\'', '[', ']', '(', ')', '*', '&']) {
        return None;
    }
    let is_end = |c: char| c.is_whitespace() || matches!(c, '>' | '+' | '~' | '/' | '|');
    let last = selector.trim_end().rsplit(is_end).next()?;
    let bare = last.split(':').next()?;
    let name = match bare.find(['#', '.']) {
        None => bare,
        Some(at) => {
            let end = bare[at + 1..].find(['#', '.']);
            &bare[at..end.map_or(bare.len(), |end| at + 1 + end)]
        }
    };
    (!name.is_empty()).then(|| name.to_owned())
}

/// Returns the names by which a rule can be about an element.
fn names(tag: &Tag<'_>) -> impl Iterator<Item = String> {
    let id = tag.get("id").map(|id| format!("#{}", id.trim()));
    std::iter::once(tag.name.to_owned())
        .chain(tag.classes().map(|class| format!(".{class}")))
        .chain(id)
}

#[cfg(test)]
mod tests {
    use super::{Declarations, Look, pixels, *};

    #[test]
    fn colors_are_read_in_every_form() {
        for text in [
            "#fff",
            "#ffffff",
            "#ffffffff",
            "white",
            "rgb(255,255,255)",
            "rgba(255, 255, 255, 1)",
            "rgb(100% 100% 100% / 100%)",
        ] {
            assert_eq!(Color::read(text), Some(Color::WHITE), "{text}");
        }
        for text in [
            "",
            "#ff",
            "#ggg",
            "rgb(1,2)",
            "hsl(0,0%,0%)",
            "var(--x)",
            "rgb(nan,0,0)",
        ] {
            assert_eq!(Color::read(text), None, "{text}");
        }
    }

    #[test]
    fn nearly_the_same_is_no_contrast() {
        let white = Color::WHITE;
        assert!((Color::BLACK.contrast(white) - 21.0).abs() < 0.01);
        let seen = Color::BLACK.over(white, 0.05);
        assert!(seen.contrast(white) < 1.5 && white.contrast(seen) < 1.5);
    }

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

    #[test]
    fn what_cannot_be_known_is_no_length() {
        for (text, expected) in [
            ("2px", Some(2.0)),
            ("-.5em", Some(-5.0)),
            ("0", Some(0.0)),
            ("50%", Some(100.0)),
            ("1", None),
            ("calc(1px)", None),
            ("1e3px", None),
            ("", None),
        ] {
            assert_eq!(pixels(text, 10.0, 200.0), expected, "{text}");
        }
    }
}
