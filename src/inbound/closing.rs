//! The lines with which a letter closes: a formula and its writer's name.

/// The formulas that close a letter, in small letters, in the languages that the program's readers
/// are likely to write in.
#[rustfmt::skip]
const CLOSINGS: &[&str] = &[
    "best", "best regards", "kind regards", "warm regards", "with kind regards", "regards", "best wishes", "all the best", "cheers", "sincerely", "yours",
    "yours sincerely", "greetings", "thanks", "many thanks", "thank you", "thanks a lot",
    "beste grüße", "viele grüße", "liebe grüße", "mit freundlichen grüßen", "freundliche grüße", "herzliche grüße", "schöne grüße", "grüße", "gruß",
    "viele gruesse", "mit freundlichen gruessen", "lg", "mfg", "vg", "danke", "vielen dank",
    "cordialement", "bien cordialement", "bien à vous", "amicalement", "amitiés", "merci",
    "saludos", "un saludo", "saludos cordiales", "atentamente", "gracias", "abraços", "cumprimentos", "atenciosamente", "obrigado", "obrigada",
    "saluti", "cordiali saluti", "distinti saluti", "grazie",
    "groeten", "met vriendelijke groet", "vriendelijke groeten", "hilsen", "med venlig hilsen", "med vennlig hilsen", "vennlig hilsen", "hälsningar",
    "med vänliga hälsningar", "vänliga hälsningar", "mvh", "terveisin", "ystävällisin terveisin",
    "pozdrawiam", "z poważaniem", "s pozdravem", "üdvözlettel", "с уважением", "спасибо", "よろしくお願いします", "此致",
];

/// Returns the words of a letter without the lines with which it closes: a formula and its writer's
/// name. No program marks them as a signature.
pub(crate) fn without_closing<'t>(words: &'t str, name: &str) -> &'t str {
    let name = name.to_lowercase();
    let is_closing = |line: &str| {
        let line = line.trim().trim_start_matches(['-', '–', '—']).trim();
        let line = line.trim_end_matches([',', '.', '!']).to_lowercase();
        let is_name = line == name || name.split_whitespace().next() == Some(line.as_str());
        // Whoever made the match has chosen the name, which may begin with "No".
        let is_name = is_name && line.chars().count() > 2;
        line.is_empty() || is_name || CLOSINGS.contains(&line.as_str())
    };
    let mut rest = words.trim_end();
    while let Some((above, last)) = rest.rsplit_once('\n') {
        if !is_closing(last) {
            break;
        }
        rest = above.trim_end();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::without_closing;

    #[test]
    fn a_closing_is_a_formula_and_the_writers_name() {
        for words in [
            "yes",
            "yes\n\nBest regards,\nAnna",
            "yes\nAnna\n",
            "yes\n\nViele Grüße\n\nAnna White",
            "yes\n\nThanks!\n- Anna",
        ] {
            assert_eq!(without_closing(words, "Anna White"), "yes", "{words:?}");
        }
        for words in [
            "yes\n\nor not?",
            "yes\nBen",
            "yes\nAnna says no",
            "yes\n\nWhite",
            "yes\n\nAnnabel",
            "yes\n\nBest regards, but no",
        ] {
            assert_eq!(without_closing(words, "Anna White"), words);
        }
        // What stands above the closing counts.
        assert_eq!(without_closing("yes\n\nno\n\nAnna", "Anna"), "yes\n\nno");
    }
}
