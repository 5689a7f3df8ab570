//! The section `[partner]`: the program as a partner by mail.

use serde::Deserialize;

use crate::Error;
use crate::engine::Level;

/// Against whom the program plays by mail, and how strong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartnerSettings {
    /// The levels that people can ask for. With none no match begins, and those that were begun go
    /// on.
    pub levels: Vec<Level>,
    /// True if anybody can ask, not the players of matches here alone.
    pub open: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPartner {
    levels: Vec<u16>,
    #[serde(default)]
    open: bool,
}

impl PartnerSettings {
    /// Checks that there are such levels, and that the user is a referee: the program plays in
    /// nobody's name.
    ///
    /// # Errors
    ///
    /// If not: the setting and what is wrong.
    pub(super) fn check(raw: &RawPartner, is_referee: bool) -> Result<PartnerSettings, Error> {
        let wrong = |what: String| Err(Error::refused(format!("[partner] {what}")));
        if !is_referee {
            return wrong("needs role = \"referee\" in [me]".to_owned());
        }
        let mut levels = Vec::new();
        for number in &raw.levels {
            match u8::try_from(*number).ok().and_then(Level::new) {
                Some(level) if !levels.contains(&level) => levels.push(level),
                Some(_) => {}
                None => return wrong(format!("levels: {number} is no level; they are 1 to 5")),
            }
        }
        levels.sort_by_key(|level| level.number());
        let open = raw.open;
        Ok(PartnerSettings { levels, open })
    }

    /// Writes the levels for people: `1, 2 or 3`.
    pub fn levels_in_words(&self) -> String {
        let levels = self.levels.iter().map(|level| level.number().to_string());
        let levels: Vec<String> = levels.collect();
        match levels.split_last() {
            None => String::new(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &str, is_referee: bool) -> Result<PartnerSettings, String> {
        let raw: RawPartner = toml::from_str(lines).map_err(|error| error.to_string())?;
        PartnerSettings::check(&raw, is_referee).map_err(|error| error.to_string())
    }

    #[test]
    fn the_levels_are_read_once_each_in_their_order() {
        let partner = check("levels = [3, 1, 2, 3]", true).unwrap();
        assert_eq!(partner.levels_in_words(), "1, 2 or 3");
        assert!(!partner.open);
        assert!(check("levels = []\nopen = true", true).unwrap().open);
    }

    #[test]
    fn what_is_no_level_or_no_referee_s_is_refused() {
        for (lines, is_referee, why) in [
            ("levels = [6]", true, "6 is no level; they are 1 to 5"),
            ("levels = [0]", true, "0 is no level"),
            ("levels = [257]", true, "257 is no level"),
            ("open = true", true, "missing field `levels`"),
            ("levels = [1]", false, "needs role = \"referee\""),
            ("levels = [1]\nlevel = 1", true, "unknown field"),
        ] {
            let error = check(lines, is_referee).unwrap_err();
            assert!(error.contains(why), "{lines}: {error}");
        }
    }
}
