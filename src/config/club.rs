//! The section `[club]`: the name and the colours of a site of matches.

use serde::Deserialize;

use crate::Error;
use crate::printable::is_unprintable;

/// The most characters of a name.
const LONGEST: usize = 80;

/// The contrast of text that everybody can read (WCAG 2, level AA).
const CONTRAST: f64 = 4.5;

/// What a colour is seen on: the panels of a light page, and of a dark one.
const PANELS: [WebColor; 2] = [WebColor([0xf0, 0xe9, 0xdd]), WebColor([0x2a, 0x2f, 0x35])];

/// The colour of links on a light page without colours of a club.
const LINKS: WebColor = WebColor([0x1b, 0x5e, 0x97]);

/// The name and the colours of a club.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClubSettings {
    /// The name, if there is one.
    pub name: Option<String>,
    /// The colours of links and of the bar at the top on a light page, and on a dark one.
    pub colors: Option<[WebColor; 2]>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct RawClub {
    name: Option<String>,
    color: Option<String>,
    color_dark: Option<String>,
}

/// A colour of a page: red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WebColor([u8; 3]);

impl ClubSettings {
    /// Checks that the name can stand in a page, and that the colours can be read there.
    ///
    /// # Errors
    ///
    /// If not: the setting and what is wrong.
    pub(super) fn check(raw: RawClub) -> Result<ClubSettings, Error> {
        let wrong = |what: String| Error::refused(format!("[club] {what}"));
        let name = raw.name.map(|name| name.trim().to_owned());
        if let Some(name) = &name {
            let is_long = name.chars().count() > LONGEST;
            if name.is_empty() || is_long || name.contains(is_unprintable) || name.contains('@') {
                return Err(wrong(format!(
                    "name: a name is 1 to {LONGEST} characters on a line, and no address"
                )));
            }
        }
        let color = |setting: &str, text: &str, page: usize| {
            let color = WebColor::parse(text).ok_or_else(|| {
                wrong(format!("{setting}: '{text}' is no colour like \"#1b5e97\""))
            })?;
            if color.contrast(PANELS[page]) < CONTRAST {
                let [too, on] = [["pale", "light"], ["dark", "dark"]][page];
                return Err(wrong(format!(
                    "{setting}: {text} is too {too} to be read on a {on} page"
                )));
            }
            Ok(color)
        };
        let light = raw.color.map(|text| color("color", &text, 0)).transpose()?;
        let dark = raw.color_dark.map(|text| color("color_dark", &text, 1));
        let colors = match (light, dark.transpose()?) {
            (None, None) => None,
            (light, dark) => {
                let light = light.unwrap_or(LINKS);
                Some([light, dark.unwrap_or_else(|| light.lightened())])
            }
        };
        Ok(ClubSettings { name, colors })
    }

    /// Returns the colours as a style; empty if there are none.
    pub fn style(&self) -> String {
        let Some([light, dark]) = self.colors.map(|colors| colors.map(WebColor::text)) else {
            return String::new();
        };
        format!(
            ":root{{--accent:{light};--club:{light}}}\
             @media screen and (prefers-color-scheme:dark){{:root{{--accent:{dark}}}}}"
        )
    }
}

impl WebColor {
    /// Reads `#1b5e97`. Nothing else stands in a style.
    fn parse(text: &str) -> Option<WebColor> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let [_, parts @ ..] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(WebColor(parts))
    }

    fn text(self) -> String {
        let WebColor([red, green, blue]) = self;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Returns the brightness from 0 to 1, as WCAG measures it.
    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Returns the contrast of two colours, from 1 to 21.
    fn contrast(self, other: WebColor) -> f64 {
        let (one, other) = (self.luminance() + 0.05, other.luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    /// Mixes a colour with white until it can be read on a dark page.
    fn lightened(self) -> WebColor {
        let mut color = self;
        while color.contrast(PANELS[1]) < CONTRAST || color.luminance() < 0.18 {
            color = WebColor(
                color
                    .0
                    .map(|part| part.saturating_add((255 - part) / 16 + 1)),
            );
        }
        color
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str) -> Result<ClubSettings, String> {
        let raw = toml::from_str(lines).map_err(|error| error.to_string())?;
        ClubSettings::check(raw).map_err(|error| error.to_string())
    }

    #[test]
    fn a_club_has_a_name_and_colours_that_can_be_read() {
        let club = check("name = ' R & D '\ncolor = '#7A1F1F'\n").unwrap();
        assert_eq!(club.name.as_deref(), Some("R & D"));
        let [light, dark] = club.colors.unwrap();
        assert_eq!(light.text(), "#7a1f1f");
        assert!(dark.contrast(PANELS[1]) >= CONTRAST, "{}", dark.text());
        assert!(
            club.style()
                .starts_with(":root{--accent:#7a1f1f;--club:#7a1f1f}@media")
        );
        let black = check("color = '#000000'\n").unwrap().colors.unwrap();
        assert!(black[1].contrast(PANELS[1]) >= CONTRAST);
        let both = check("color = '#7a1f1f'\ncolor_dark = '#ffb4a2'\n").unwrap();
        assert_eq!(both.colors.unwrap()[1].text(), "#ffb4a2");
        let dark = check("color_dark = '#ffb4a2'\n").unwrap().colors.unwrap();
        assert_eq!(dark.map(WebColor::text), ["#1b5e97", "#ffb4a2"]);
        assert_eq!(check("").unwrap().style(), "");
    }

    /// What stands in a style can be nothing but a colour.
    #[test]
    fn what_is_no_name_and_no_colour_is_refused() {
        for (lines, why) in [
            ("name = ' '", "[club] name:"),
            ("name = 'club@example.org'", "[club] name:"),
            ("name = \"a\\nb\"", "[club] name:"),
            ("color = 'red'", "'red' is no colour like"),
            ("color = '#fff;}*{x:url(//evil.test)'", "is no colour like"),
            ("color = '#+12345'", "is no colour like"),
            (
                "color = '#ffe000'",
                "#ffe000 is too pale to be read on a light page",
            ),
            (
                "color = '#7a1f1f'\ncolor_dark = '#101010'",
                "too dark to be read on a dark page",
            ),
            ("colour = '#000000'", "unknown field"),
        ] {
            let error = check(lines).unwrap_err();
            assert!(error.contains(why), "{lines}: {error}");
        }
    }
}
