//! What must hold at the end: each letter has one effect, and each mail that was called for
//! has come, under its one Message-ID and in time.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use parapost::matches::action::Action;
use parapost::matches::event::Event;
use parapost::matches::mail::MailStep;
use parapost::matches::r#match::Match;
use parapost::rules::Color;

use crate::history::{History, clock};
use crate::letters::{Kind, Line};
use crate::mail_server::{Failed, Mail, Memory, Recipient};

/// The age that no mail may reach which the mail server has not failed.
const OLDEST: Duration = Duration::from_mins(2);

/// The time after that of its next attempt in which a mail has to go that has failed.
const LATEST: Duration = Duration::from_mins(1);

/// The pause after the second failure. It doubles with each further one.
const PAUSE: Duration = Duration::from_mins(5);

/// The pause after a connection that was cut: nobody has asked to wait.
const CUT_PAUSE: Duration = Duration::from_secs(20);

/// Faults of one kind that are told one by one.
const TOLD: usize = 5;

/// What was found.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) moves: usize,
    pub(crate) others: usize,
    pub(crate) owed: usize,
    pub(crate) refused: usize,
    /// How often mails came, all in all.
    pub(crate) taken: usize,
    /// How often a mail came at most.
    pub(crate) most: usize,
    /// The ages of the mails that never failed.
    pub(crate) ages: Vec<Duration>,
    /// How late those were that failed.
    pub(crate) lateness: Vec<Duration>,
    /// When those letters were taken that have no effect.
    lost: Vec<SystemTime>,
    /// The faults by their kinds.
    pub(crate) faults: HashMap<&'static str, Vec<String>>,
}

impl Findings {
    fn fault(&mut self, kind: &'static str, text: impl FnOnce() -> String) {
        self.faults.entry(kind).or_default().push(text());
    }

    /// Returns all that is wrong, a line each.
    pub(crate) fn all(&self) -> Vec<String> {
        let all = self.faults.iter();
        all.flat_map(|(kind, texts)| texts.iter().map(move |text| format!("{kind}: {text}")))
            .collect()
    }

    /// Returns what is wrong, a line each, and of many faults of one kind the first alone.
    pub(crate) fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        for (kind, texts) in &self.faults {
            told.push(format!("{kind}: {} times", texts.len()));
            let some = texts.iter().take(TOLD);
            told.extend(some.map(|text| format!("  {text}")));
        }
        if let (Some(first), Some(last)) = (self.lost.iter().min(), self.lost.iter().max()) {
            let [first, last] = [first, last].map(|time| clock(*time));
            told.push(format!("what was lost was taken from {first} to {last}"));
        }
        told
    }

    /// Holds a match against what was written in it.
    pub(crate) fn check(&mut self, line: &Line, game: &Match, memory: &Memory, history: &History) {
        self.check_letters(line, game, history);
        self.check_mails(line, game, memory);
    }

    fn check_letters(&mut self, line: &Line, game: &Match, history: &History) {
        let mut effects: HashMap<&str, Vec<&Event>> = HashMap::new();
        for event in game.log() {
            if let Some(msg) = event.get("msg")
                && !event.is_of_outgoing_mail()
            {
                effects.entry(msg).or_default().push(&event.event);
            }
        }
        for letter in &line.letters {
            let id = &letter.message_id;
            let effects = effects.remove(id.as_str()).unwrap_or_default();
            let is_one = matches!(
                (letter.kind, effects.as_slice()),
                (Kind::Move, [Event::Act(Action::Move(_))])
                    | (Kind::Wrong, [Event::Refused(_) | Event::Asked(_)])
                    | (Kind::Words, [Event::Note(_)])
            );
            if letter.kind == Kind::Move {
                self.moves += 1;
            } else {
                self.others += 1;
            }
            let kind = letter.kind;
            if let ([], Some((time, worker))) = (effects.as_slice(), letter.taken) {
                self.lost.push(time);
                self.fault("letters that were taken and have no effect", || {
                    let (at, around) = (clock(time), history.around(time));
                    format!("{id}, {kind:?}, taken at {at} by worker {worker}, {around}")
                });
            } else if !is_one {
                self.fault("letters that have not their one effect", || {
                    format!("{id}, {kind:?}: {effects:?}")
                });
            }
        }
        for id in effects.keys() {
            self.fault("effects of letters that nobody wrote", || (*id).to_owned());
        }
        let played = game.record().steps().iter().map(|step| step.text.as_str());
        let moves = line
            .letters
            .iter()
            .filter(|letter| letter.kind == Kind::Move);
        if !played.eq(moves.map(|letter| letter.said.as_str())) {
            self.fault("matches with other moves than were written", || {
                line.id.clone()
            });
        }
    }

    fn check_mails(&mut self, line: &Line, game: &Match, memory: &Memory) {
        let nothing = Mail::default();
        let nobody = Recipient::default();
        let mut owed_since: HashMap<&str, (SystemTime, &String)> = HashMap::new();
        for event in game.log().iter().filter(|event| event.is_owed()) {
            let msg = event.get("msg").unwrap_or_default();
            let to = &line.players[usize::from(event.who == Color::Black.into())];
            if owed_since.insert(msg, (event.time.into(), to)).is_some() {
                self.fault("Message-IDs of two mails", || msg.to_owned());
            }
        }
        let gone_wrong = |msg: &str| {
            let mut log = game.log().iter();
            log.find(|event| {
                event.mail_step() == Some(MailStep::Failed) && event.get("msg") == Some(msg)
            })
        };
        for (msg, (since, to)) in owed_since {
            self.owed += 1;
            let mail = memory.mails.get(msg).unwrap_or(&nothing);
            self.taken += mail.taken.len();
            self.most = self.most.max(mail.taken.len());
            // The server has not seen the mail of a recipient that it refused.
            let recipient = memory.recipients.get(to);
            if mail.has_two_texts {
                self.fault("mails with two texts", || msg.to_owned());
            }
            let end = match (mail.taken.first(), gone_wrong(msg)) {
                (Some(first), None) => *first,
                (_, Some(event)) => {
                    self.refused += 1;
                    let is_of = |player: &String| {
                        let of = memory.recipients.get(player);
                        of.is_some_and(|of| of.is_refused)
                    };
                    if !mail.is_refused && !line.players.iter().any(is_of) {
                        self.fault("mails given up that the server has not refused", || {
                            msg.to_owned()
                        });
                    }
                    event.time.into()
                }
                (None, None) => {
                    self.fault("mails that never came", || msg.to_owned());
                    continue;
                }
            };
            // A failure at the recipient counts for each of the recipient's mails.
            let failed = mail.failed.iter();
            let failed = failed.chain(&recipient.unwrap_or(&nobody).failed);
            let mut failed: Vec<Failed> = failed
                .copied()
                .filter(|failed| since <= failed.at && failed.at < end)
                .collect();
            failed.sort_unstable();
            self.check_time(msg, since, &failed, end);
        }
        let logged = game.log().iter().filter_map(|event| event.get("msg"));
        let logged: std::collections::HashSet<&str> = logged.collect();
        let of = |mail: &Mail| line.players.contains(&mail.recipient);
        for (id, _) in memory.mails.iter().filter(|(_, mail)| of(mail)) {
            if !logged.contains(id.as_str()) {
                self.fault("mails that nobody called for", || id.clone());
            }
        }
    }

    /// Each attempt at a mail has to come in time.
    fn check_time(&mut self, id: &str, since: SystemTime, failed: &[Failed], end: SystemTime) {
        let after =
            |time: SystemTime, before: SystemTime| time.duration_since(before).unwrap_or_default();
        let (mut due, mut next) = (since + OLDEST, since);
        let mut pause = Duration::ZERO;
        let end_of_all = Failed {
            at: end,
            is_cut: false,
        };
        for Failed { at, is_cut } in failed.iter().chain([&end_of_all]) {
            if *at > due {
                let late = after(*at, due);
                let tries = failed.len();
                self.fault("mails later than promised", || {
                    format!(
                        "{id}: {:.1} s late, {tries} failures, {:.1} s old",
                        late.as_secs_f32(),
                        after(end, since).as_secs_f32()
                    )
                });
                break;
            }
            if *at < end {
                next = *at + if *is_cut { pause.min(CUT_PAUSE) } else { pause };
            }
            due = due.max(next + LATEST);
            pause = if pause.is_zero() { PAUSE } else { pause * 2 };
        }
        if failed.is_empty() {
            self.ages.push(after(end, since));
        } else {
            self.lateness.push(after(end, next));
        }
    }
}
