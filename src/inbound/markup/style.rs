//! The few styles and attributes that the text of a document depends on.

use std::sync::LazyLock;

use regex::Regex;

use crate::inbound::markup::tag::Tag;

/// Returns true if a style may matter: hardly any does.
fn is_telling(style: &str) -> bool {
    ["none", "hidden", "line-through", "overflow", "white-space"]
        .iter()
        .any(|word| style.contains(word))
}

/// Returns the attributes to keep.
pub(super) fn attributes(tag: &Tag<'_>, kept: &str) -> String {
    static HIDDEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x) display\s*:\s*none | text-decoration(?:-line)?\s*:[^;]*line-through
              | visibility\s*:\s*hidden",
        )
        .expect("the pattern is well-formed")
    });
    static CUT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:^|[;\s])(?:max-)?height\s*:\s*0").expect("the pattern is well-formed")
    });
    static KEPT_LINES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"white-space\s*:\s*(pre\b(?:-wrap|-line)?|break-spaces)")
            .expect("the pattern is well-formed")
    });
    let style = tag.get("style").unwrap_or_default();
    if !is_telling(style) && tag.get("hidden").is_none() && kept != "ol" {
        return String::new();
    }
    let is_cut = || CUT.is_match(style) && style.contains("overflow");
    if HIDDEN.is_match(style) || is_cut() || tag.get("hidden").is_some() {
        return r#" style="display:none""#.to_owned();
    }
    let number = |name: &str| {
        let value = tag.get(name)?.trim().parse::<u16>().ok()?;
        Some(format!(" {name}=\"{value}\""))
    };
    match kept {
        "ol" => number("start").unwrap_or_default(),
        _ if KEPT_LINES.is_match(style) => r#" style="white-space:pre-wrap""#.to_owned(),
        _ => String::new(),
    }
}
