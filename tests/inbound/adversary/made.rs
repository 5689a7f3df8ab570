//! Letters at random.

use fastrand::Rng;

use super::clients::{Client, Sign};
use super::desk::Policy;
use super::foreign;
use super::letter::{BENS, Block, Letter, Own, Parent, Subject};
use super::orders::Order;
use super::scene::Scene;

const CHAT: &[&str] = &[
    "Yes, Friday is fine!",
    "Thanks, I'll think about it.",
    "Ha!",
    "Sounds good\n\nAnna",
    "Ich überlege noch. Viele Grüße",
];

/// What gateways put above letters.
const BANNERS: &[&str] = &[
    "Warning: this message is from outside.\n\n",
    "[EXTERNAL]\n\n",
    "Warning: from outside\nSender: anna@white.test\n--------------------\n\n",
    "***** CAUTION: do not click links in this message. *****\n",
];

/// What lists and virus checkers put into a body without a look at its encoding.
const FOOTERS: &[&str] = &[
    "_______________________________________________\nchess mailing list\nlist@example.org",
    "No virus found in this message.",
    "resign",
    "n>a8",
    "drawdraw",
];

/// The subjects that Ben gives to a mail of his own.
const SUBJECTS: &[&str] = &[
    "Re: [m] unsubscribe",
    "[m] unsubscribe",
    "AW: [m] unsubscribe",
    "Fwd: [m] unsubscribe",
    "Re: [m] resign",
    "Re: [m] mail off",
    "Re: [m] {m}",
    "[m] {m}",
    "Re: [m] {n} {m}",
    "Re: [m] offer draw",
    "Re: [m]",
    "Re: hello",
];

impl Letter {
    pub(super) fn random(scene: &Scene, clients: &[Client], rng: &mut Rng) -> Letter {
        match rng.u8(..8) {
            0 | 1 => Letter::friendly(scene, clients, rng),
            2 => Letter::without_parent(scene, clients, rng),
            3 => Letter::stale(scene, clients, rng),
            _ => Letter::private(scene, clients, rng),
        }
    }

    fn blank(rng: &mut Rng) -> Letter {
        Letter {
            policy: if rng.u8(..3) == 0 {
                Policy::Token
            } else {
                Policy::Address
            },
            above: Vec::new(),
            between: Vec::new(),
            filled: None,
            below: Vec::new(),
            blocks: Vec::new(),
            wrap: None,
            is_closed_up: false,
            has_crlf: rng.bool(),
            banner: match rng.u8(..25) {
                0 => BANNERS[rng.usize(..BANNERS.len())],
                _ => "",
            },
            footer: match rng.u8(..40) {
                0 => FOOTERS[rng.usize(..FOOTERS.len())],
                _ => "",
            },
            subject: Subject::Ours,
            parent: Parent::None,
            seed: rng.u64(..),
        }
    }

    /// An answer to our last mail, quoted in a usual way, with one order.
    fn friendly(scene: &Scene, clients: &[Client], rng: &mut Rng) -> Letter {
        let usual: Vec<&Client> = clients.iter().filter(|client| client.is_usual()).collect();
        let client = **rng.choice(&usual).expect("there are some");
        let mut letter = Letter {
            parent: Parent::Ours(scene.current()),
            blocks: vec![Block::ours(client, scene.current())],
            wrap: (rng.u8(..4) == 0).then(|| rng.usize(62..78)),
            ..Letter::blank(rng)
        };
        let own = Own::Order(Order::any(scene, &scene.moves[0], rng));
        match rng.u8(..6) {
            0 if scene.list().is_some() && !client.name.starts_with("html") => {
                letter.filled = Some(Order::filled(scene, &scene.moves[0]));
                letter.wrap = None;
            }
            1 if client.sign == Sign::Marks && !client.name.starts_with("html") => {
                letter.between = vec![own];
            }
            2 | 3 => letter.below = vec![own],
            _ => letter.above = vec![own],
        }
        letter
    }

    /// A letter that cites nothing, or nothing that is known, with an order on its top.
    fn without_parent(scene: &Scene, clients: &[Client], rng: &mut Rng) -> Letter {
        let parent = *rng
            .choice([Parent::None, Parent::Unknown].as_slice())
            .expect("two");
        let mut letter = Letter {
            parent,
            ..Letter::blank(rng)
        };
        letter.policy = Policy::Address;
        letter.above = vec![Own::Order(Order::any(scene, &scene.moves[0], rng))];
        let blocks = Block::random(scene, clients, &mut letter, rng);
        letter.blocks = blocks;
        letter
    }

    /// An answer to an older mail of ours, or to a letter of her own.
    fn stale(scene: &Scene, clients: &[Client], rng: &mut Rng) -> Letter {
        let at = rng.usize(..scene.mails.len());
        let parent = match rng.u8(..6) {
            0 if !scene.letters.is_empty() => Parent::Own(rng.usize(..scene.letters.len())),
            1 => Parent::InWords(at),
            2 => Parent::BenAbove(at),
            3 => Parent::Relayed(at),
            _ => Parent::Ours(at),
        };
        let mut letter = Letter {
            parent,
            ..Letter::blank(rng)
        };
        let text = &scene.moves[0];
        let order = match rng.u8(..4) {
            0 => Order::any(scene, text, rng),
            1 => Order::accepts(rng),
            _ => Order::of_move(scene, text, rng),
        };
        letter.above = vec![Own::Order(order)];
        if rng.bool() || matches!(parent, Parent::Relayed(_)) {
            let client = loop {
                let client = rng.choice(clients).expect("there are some");
                if client.sign != Sign::None {
                    break *client;
                }
            };
            letter.blocks = vec![Block::ours(client, at)];
        }
        letter
    }

    /// An answer to Ben, or to a mail of ours with Ben's words in it.
    fn private(scene: &Scene, clients: &[Client], rng: &mut Rng) -> Letter {
        let at = if rng.bool() {
            scene.current()
        } else {
            rng.usize(..scene.mails.len())
        };
        let parent = match rng.u8(..13) {
            12 => Parent::Forged(at),
            0..3 => Parent::BenAbove(at),
            3..5 => Parent::BenBeside(at),
            5 => Parent::BenLast(at),
            6 => Parent::Unknown,
            7 => Parent::None,
            8 if !scene.letters.is_empty() => Parent::Own(rng.usize(..scene.letters.len())),
            9 => Parent::InWords(at),
            _ => Parent::Ours(at),
        };
        let parent = match parent {
            Parent::Ours(at) | Parent::InWords(at) | Parent::Forged(at) if at < scene.disclosed => {
                Parent::Disclosed(at)
            }
            other => other,
        };
        let mut letter = Letter {
            parent,
            ..Letter::blank(rng)
        };
        if rng.u8(..3) > 0 {
            letter
                .above
                .push(Own::Chat(rng.choice(CHAT).expect("there is some")));
        }
        let own = |rng: &mut Rng| match rng.u8(..3) {
            0 => Own::Chat(rng.choice(CHAT).expect("there is some")),
            _ => Own::Order(Order::any(scene, &scene.moves[0], rng)),
        };
        match rng.u8(..8) {
            0 => letter.above.push(own(rng)),
            1 => letter.below.push(own(rng)),
            2 => letter.between.push(own(rng)),
            _ => {}
        }
        let blocks = Block::random(scene, clients, &mut letter, rng);
        letter.blocks = blocks;
        let is_told = letter.answers_us() && !matches!(letter.parent, Parent::Forged(_));
        if !is_told {
            letter.subject = match rng.u8(..4) {
                0 => Subject::Bens(subject(scene, letter.parent, rng)),
                1 => Subject::Plain,
                _ => Subject::Ours,
            };
        } else if rng.u8(..12) == 0 {
            letter.subject = Subject::Own(Order::unsubscribes());
        }
        letter
    }
}

/// A subject of Ben's. Without a parent of Ben's only what a program has put before it shows
/// that it is not Anna's.
fn subject(scene: &Scene, parent: Parent, rng: &mut Rng) -> String {
    loop {
        let subject = rng.choice(SUBJECTS).expect("there are some");
        let is_untold = matches!(parent, Parent::None | Parent::Forged(_));
        if !is_untold || !subject.starts_with('[') {
            let subject = subject.replace("{m}", &scene.moves[1]);
            return subject.replace("{n}", &scene.number());
        }
    }
}

impl Block {
    fn ours(client: Client, mail: usize) -> Block {
        Block {
            client,
            pieces: Vec::new(),
            mail: Some(mail),
            nested: None,
            name: None,
        }
    }

    /// What a letter quotes: Ben's mail in most, alone or below one of ours.
    fn random(scene: &Scene, clients: &[Client], letter: &mut Letter, rng: &mut Rng) -> Vec<Block> {
        letter.wrap = (rng.u8(..3) == 0).then(|| rng.usize(50..79));
        letter.is_closed_up = rng.u8(..12) == 0;
        let is_ours = rng.u8(..6) == 0;
        let client = loop {
            let client = *rng.choice(clients).expect("there are some");
            let is_told = match client.sign {
                Sign::None => is_ours,
                Sign::Weak => is_ours || letter.parent.is_bens(),
                Sign::Marks | Sign::Line => true,
            };
            if is_told {
                break client;
            }
        };
        let at = letter.answered().unwrap_or(scene.current());
        if is_ours {
            return vec![Block::ours(client, at)];
        }
        let mut pieces = foreign::mail(scene, letter.wrap, client.is_html(), rng);
        let nested = (rng.u8(..8) == 0).then(|| *rng.choice(clients).expect("there are some"));
        let name = (rng.u8(..6) == 0).then(|| foreign::name(scene, rng));
        // Lines of our mail alone, with a move filled in, are what its reader may send, unless
        // her program says that they are Ben's.
        let is_named = matches!(letter.parent, Parent::Forged(_))
            && client.names(name.as_deref().unwrap_or(BENS), rng);
        if letter.answers_us() && !is_named {
            pieces.insert(0, foreign::chat());
        }
        let bens = Block {
            client,
            pieces,
            mail: None,
            nested,
            name,
        };
        if rng.u8(..4) > 0 || client.is_html() {
            return vec![bens];
        }
        // Forwarded below the mail that she answers.
        let outer = clients
            .iter()
            .filter(|client| client.sign == Sign::Marks && !client.is_html());
        let outer: Vec<&Client> = outer.collect();
        let outer = **rng.choice(&outer).expect("there are some");
        vec![Block::ours(outer, at), bens]
    }
}
