//! The lines with which a letter opens and closes: a greeting, a formula and its writer's name.

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

/// The words with which a greeting begins, in small letters.
#[rustfmt::skip]
const GREETINGS: &[&str] = &[
    "hi", "hello", "hey", "dear", "hallo", "liebe", "lieber", "moin", "servus", "bonjour", "salut", "cher", "chère", "hola", "querido", "querida",
    "ciao", "caro", "cara", "olá", "oi", "beste", "dag", "hej", "hei", "cześć", "ahoj", "szia", "привет",
];

/// The most words of a greeting.
const MOST_OF_GREETING: usize = 3;

/// Returns true for a line that is nothing but a greeting: `Hi Anna,`
pub(crate) fn is_greeting(line: &str) -> bool {
    let line = line.trim().trim_end_matches([',', '.', '!', ':']);
    let mut words = line.split(' ');
    let first = words.next().unwrap_or_default().to_lowercase();
    let is_name =
        |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic);
    let is_of_names = words.clone().all(is_name);
    GREETINGS.contains(&first.as_str()) && is_of_names && words.count() < MOST_OF_GREETING
}

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
    use super::{is_greeting, without_closing};

    #[test]
    fn a_greeting_is_a_word_and_a_name() {
        for line in ["Hi Anna,", "hello", " Dear Anna White: ", "Liebe Anna!"] {
            assert!(is_greeting(line), "{line}");
        }
        for line in [
            "Hi, no",
            "Hello this is not mine",
            "Hi not mine",
            "Anna,",
            "",
            "Hi n>g5",
            "High noon",
        ] {
            assert!(!is_greeting(line), "{line}");
        }
    }

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
