//! Orders in all forms that people write them in.

use fastrand::Rng;

use super::scene::Scene;

/// An order, and what it may make the log say.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) text: String,
    /// As in [`super::desk::Outcome::done`].
    pub(super) done: Vec<String>,
    /// What it is about.
    pub(super) about: About,
    /// True if it must be carried out where it stands alone in an answer to a mail of today.
    pub(super) is_sure: bool,
}

/// What an order hangs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum About {
    Nothing,
    Position,
    Offer,
}

/// The orders that hang on no position, with what they make the log say.
const COMMANDS: [(&str, &str); 20] = [
    ("resign", "resign"),
    ("I resign.", "resign"),
    ("Resigns", "resign"),
    ("offer draw", "offer"),
    ("I offer a draw", "offer"),
    ("decline draw", "decline"),
    ("claim draw", "claim"),
    ("propose takeback", "takeback propose"),
    ("decline takeback", "takeback decline"),
    ("mail off", "mail off"),
    ("mail html off", "mail html"),
    ("add address anna@other.test", ""),
    ("show", ""),
    ("legal moves", ""),
    ("help", ""),
    ("decline", "invitation declined"),
    ("I decline the invitation.", "invitation declined"),
    ("resign match", "resign"),
    ("rematch", ""),
    ("withdraw invitation", ""),
];

impl Order {
    fn new(text: impl Into<String>, done: &str) -> Order {
        Order {
            text: text.into(),
            done: vec![done.to_owned()],
            about: About::Nothing,
            is_sure: false,
        }
    }

    fn about(self, about: About) -> Order {
        Order { about, ..self }
    }

    fn sure(self) -> Order {
        Order {
            is_sure: true,
            ..self
        }
    }

    /// A move, alone or with its number, or at the end of the list.
    pub(super) fn of_move(scene: &Scene, text: &str, rng: &mut Rng) -> Order {
        let done = format!("move {text}");
        let number = scene.number();
        match rng.u8(..10) {
            0..5 => Order::new(text, &done).about(About::Position).sure(),
            5 => Order::new(format!("{number} {text}"), &done).sure(),
            6 => Order::new(format!("{number}{text}"), &done).sure(),
            7 => Order::new(format!("I meant: {text}"), &done).about(About::Position),
            8 => {
                let mut order =
                    Order::new(format!("{text}\noffer draw"), &done).about(About::Position);
                order.done.push("offer".to_owned());
                order
            }
            _ => Order::new(scene.list_with(text).trim_end(), &done).sure(),
        }
    }

    pub(super) fn accepts(rng: &mut Rng) -> Order {
        let (text, done) = if rng.bool() {
            ("accept draw", "accept")
        } else {
            ("accept takeback", "takeback accept")
        };
        Order::new(text, done).about(About::Offer)
    }

    /// Any order: a move, an acceptance, a command, a note of what looks like one.
    pub(super) fn any(scene: &Scene, text: &str, rng: &mut Rng) -> Order {
        match rng.u8(..20) {
            0..9 => Order::of_move(scene, text, rng),
            // Before the first move it is asked whether the invitation is declined.
            9..12 if scene.name == "start" => Order::new("resign match", "resign").sure(),
            9..12 => Order::new("resign", "resign").sure(),
            12..15 => Order::accepts(rng),
            15 => Order::new(format!("note {text}"), ""),
            _ => {
                let (text, done) = COMMANDS[rng.usize(..COMMANDS.len())];
                Order::new(text, done)
            }
        }
    }

    /// A move typed in at the end of the list of a mail that is quoted.
    pub(super) fn filled(scene: &Scene, text: &str) -> Order {
        let text_in_list = match scene.side {
            "White" => format!("\n{} {text}", scene.number()),
            _ => format!("    {text}"),
        };
        Order::new(text_in_list, &format!("move {text}")).sure()
    }

    /// Mail about the match is not wanted, says a subject.
    pub(super) fn unsubscribes() -> Order {
        Order::new("[m] unsubscribe", "mail off")
    }
}
