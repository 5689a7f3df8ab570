//! The players, who know of their matches what their mails say.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use fastrand::Rng;
use mail_parser::MessageParser;
use parapost::notation::parsed_match::games;
use parapost::notation::reader;
use parapost::rules::notation::Voice;
use parapost::rules::{Color, Record, Variant};

use crate::sink::Arrival;

/// A match, as its moves have been sent.
pub(crate) struct Played {
    pub(crate) id: String,
    pub(crate) variant: Variant,
    pub(crate) record: Record,
    /// The addresses of White and Black.
    pub(crate) players: [String; 2],
    /// True once the server has taken the message that ends the match.
    pub(crate) is_over: bool,
    /// When the last message was taken.
    taken: Option<Instant>,
    /// The half-moves that the last mail to each player has told of.
    told: [Option<usize>; 2],
    /// The Message-ID of each mail: by the player, the half-moves and the subject.
    mails: HashMap<(usize, usize, String), String>,
}

/// A letter that a player has written.
pub(crate) struct Letter {
    /// The number of the match.
    pub(crate) played: usize,
    pub(crate) sender: String,
    pub(crate) text: String,
    /// True if the match is over with it.
    pub(crate) is_last: bool,
    /// When it is sent.
    pub(crate) due: Instant,
}

/// What the mails have told.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) mails: usize,
    /// The mails that came again.
    pub(crate) again: usize,
    /// The times from a message that was taken to the mail that tells of it.
    pub(crate) times: Vec<Duration>,
    /// What must not be.
    pub(crate) faults: Vec<String>,
}

/// The matches, and what has been seen of them.
pub(crate) struct Club {
    pub(crate) matches: Vec<Played>,
    /// The numbers of the matches by their ids.
    numbers: HashMap<String, usize>,
    pub(crate) told: Told,
    random: Rng,
    /// The mean time in which a player answers.
    delay: Duration,
    /// The half-moves after which a player resigns.
    length: usize,
    /// The address that the players write to.
    referee: String,
}

impl Club {
    pub(crate) fn new(
        matches: Vec<Played>,
        seed: u64,
        delay: Duration,
        length: usize,
        referee: &str,
    ) -> Club {
        let numbers = matches.iter().enumerate();
        let numbers = numbers.map(|(number, played)| (played.id.clone(), number));
        Club {
            numbers: numbers.collect(),
            matches,
            told: Told::default(),
            random: Rng::with_seed(seed),
            delay,
            length,
            referee: referee.to_owned(),
        }
    }

    /// Notes that the server has taken a letter.
    pub(crate) fn taken(&mut self, letter: &Letter) {
        let played = &mut self.matches[letter.played];
        played.taken = Some(Instant::now());
        played.is_over |= letter.is_last;
    }

    /// Reads a mail. Returns, if it is to be answered, the letter that answers it, if it is the player's turn.
    pub(crate) fn read(&mut self, arrival: &Arrival, is_answered: bool) -> Option<Letter> {
        self.told.mails += 1;
        match self.try_read(arrival, is_answered) {
            Ok(letter) => letter,
            Err(fault) => {
                self.told.faults.push(fault);
                None
            }
        }
    }

    fn try_read(&mut self, arrival: &Arrival, is_answered: bool) -> Result<Option<Letter>, String> {
        let mail = MessageParser::default().parse(&arrival.bytes);
        let mail = mail.ok_or("a mail cannot be read")?;
        let subject = mail.subject().unwrap_or_default();
        let id = subject.split(['[', ']']).nth(1).unwrap_or_default();
        let number = self.numbers.get(id).copied();
        let number = number.ok_or_else(|| format!("a mail is about no match: {subject}"))?;
        let played = &mut self.matches[number];
        let mut sides = played.players.iter();
        let side = sides.position(|player| *player == arrival.recipient);
        let side = side.ok_or_else(|| format!("{id}: a mail to {}", arrival.recipient))?;
        let text = mail.body_text(0).unwrap_or_default().replace('\r', "");
        let foot = text.rsplit(&format!("Game {id}, ")).next();
        let plies = foot.and_then(|foot| foot.split(' ').next()?.parse().ok());
        let plies: usize = plies.ok_or_else(|| format!("{id}: a mail without its foot"))?;
        let message_id = mail.message_id().unwrap_or_default();
        let first = played.mails.entry((side, plies, subject.to_owned()));
        let first = first.or_insert_with(|| message_id.to_owned());
        if first != message_id {
            return Err(format!(
                "{id}: a mail about {plies} half-moves goes out under two ids"
            ));
        }
        if played.told[side].is_some_and(|told| told >= plies) {
            self.told.again += 1;
            return Ok(None);
        }
        played.told[side] = Some(plies);
        // The first mail, which invites, has no list.
        if plies > 0 && !shows(&text, &played.record.until(plies), &played.variant) {
            return Err(format!(
                "{id}: the list after {plies} half-moves is not what was played"
            ));
        }
        let turn = played.record.position().turn();
        let is_turn = side == usize::from(turn == Color::Black);
        if plies != played.record.steps().len() || !is_turn {
            return Ok(None);
        }
        if let Some(taken) = played.taken {
            let time = arrival.at.saturating_duration_since(taken);
            self.told.times.push(time);
        }
        if !is_answered || played.record.outcome().is_some() {
            return Ok(None);
        }
        Ok(Some(self.answer(
            number,
            side,
            &Quoted {
                subject,
                message_id,
                text: &text,
            },
        )))
    }

    /// Writes a player's answer, and plays it.
    fn answer(&mut self, number: usize, side: usize, quoted: &Quoted<'_>) -> Letter {
        let played = &mut self.matches[number];
        let plies = played.record.steps().len();
        let legal: Vec<_> = played.record.position().legal_plies().take(500).collect();
        let ply = self.random.choice(&legal).filter(|_| plies < self.length);
        let said = match ply {
            Some(ply) => {
                let text = played.record.position().text(ply);
                played.record.play(ply).expect("a legal move");
                text
            }
            None => "resign".to_owned(),
        };
        let (sender, referee) = (&played.players[side], &self.referee);
        let Quoted {
            subject,
            message_id,
            text,
        } = quoted;
        let re = if subject.starts_with("Re: ") {
            ""
        } else {
            "Re: "
        };
        let mut letter = format!(
            "From: {sender}\nTo: {referee}\nSubject: {re}{subject}\nIn-Reply-To: <{message_id}>\n\
             Message-ID: <{plies}.{number}.{}@load.test>\nMIME-Version: 1.0\n\
             Content-Type: text/plain; charset=utf-8\n\n",
            self.random.u64(..)
        );
        let mut quotation = format!(
            "The referee wrote:\n> {}\n",
            text.trim_end().replace('\n', "\n> ")
        );
        let _ = match self.random.u8(..3) {
            0 => write!(letter, "{said}\n\n{quotation}"),
            1 => write!(letter, "{}\n{said}\n", std::mem::take(&mut quotation)),
            _ => writeln!(letter, "{said}"),
        };
        // Few answer late, and most soon.
        let delay = self.delay.mul_f64(-self.random.f64().max(1e-9).ln());
        Letter {
            played: number,
            sender: sender.clone(),
            text: letter.replace('\n', "\r\n"),
            is_last: ply.is_none() || played.record.outcome().is_some(),
            due: Instant::now() + delay,
        }
    }

    /// Returns true if each player has been told of the last move of the opponent's.
    pub(crate) fn is_told(&self) -> bool {
        self.matches.iter().all(|played| {
            let plies = played.record.steps().len();
            let turn = usize::from(played.record.position().turn() == Color::Black);
            played.taken.is_none() || plies == 0 || played.told[turn] == Some(plies)
        })
    }
}

/// The mail that a letter answers.
struct Quoted<'a> {
    subject: &'a str,
    message_id: &'a str,
    text: &'a str,
}

impl Played {
    pub(crate) fn new(id: String, variant: Variant, players: [String; 2]) -> Played {
        Played {
            id,
            record: Record::new(variant.start()),
            variant,
            players,
            is_over: false,
            taken: None,
            told: [None; 2],
            mails: HashMap::new(),
        }
    }
}

/// Returns true if a text has a list of just these moves.
fn shows(text: &str, record: &Record, variant: &Variant) -> bool {
    let parts = reader::read(text, variant).parts;
    let shown = games(&parts, variant, Voice::List);
    shown
        .iter()
        .any(|game| game.record().steps() == record.steps())
}
