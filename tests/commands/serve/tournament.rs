//! A referee behind Postfix: 20 players, 30 matches of all games, to their ends.
//!
//! The players see nothing but their mailboxes. A match of each game is played to its end
//! by the rules; so that this takes no longer than a minute, most of the half-moves are made
//! when it begins. `PARAPOST_WHOLE_MATCHES=1` has the players make all of them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use lettre::SmtpTransport;
use mail_parser::MessageParser;
use parapost::matches::action::Ending;
use parapost::matches::r#match::Match;
use parapost::rules::{Color, Record, Variant};

use crate::playing;
use crate::servers::postfix::{Postfix, Wishes};
use crate::servers::{free_ports, messages_in, wait_until};
use crate::slow::Slow;
use crate::support::Sandbox;
use crate::support::lmtp::Server;
use crate::support::reader::{Habit, Letter, Reader};

/// Who plays. None is called like a move.
const NAMES: [&str; 20] = [
    "Ada", "Björn", "Chloé", "Dora", "Emil", "Frida", "Gustav", "Hana", "Ines", "Jarek", "Karin",
    "Luis", "Mona", "Nils", "Olga", "Pablo", "Quentin", "Rosa", "Sven", "Tilda",
];
const PLAYERS: usize = NAMES.len();
const MATCHES: usize = 30;

/// What ends a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// A finished match is played again.
    Rules,
    Resignation,
    Agreement,
}

/// A match as its players mean to play it.
struct Plan {
    id: String,
    game: &'static str,
    players: [usize; 2],
    start: Vec<String>,
    /// The half-moves to the end, where they are fixed.
    fixed: Vec<String>,
    /// How many half-moves are chosen at random before the end.
    random: usize,
    end: End,
    /// What the players have sent.
    sent: Vec<String>,
}

impl Plan {
    fn new(number: usize, is_whole: bool) -> Plan {
        let game = parapost::rules::games::ALL[number % 8];
        let white = number % PLAYERS;
        let black = (white + 1 + number * 7 % (PLAYERS - 1)) % PLAYERS;
        let mut plan = Plan {
            id: format!("t{number}"),
            game: game.id,
            players: [white, black],
            start: Vec::new(),
            fixed: Vec::new(),
            random: if is_whole { 20 } else { number % 4 },
            end: [End::Resignation, End::Agreement][number / 8 % 2],
            sent: Vec::new(),
        };
        if number < 8 {
            let path = format!("{}/games/{}.txt", env!("CARGO_MANIFEST_DIR"), game.id);
            let played: Match = fs::read_to_string(path).unwrap().parse().unwrap();
            assert!(played.record().outcome().is_some(), "{}", game.id);
            let steps = played.record().steps().iter();
            plan.start = steps.map(|step| step.text.clone()).collect();
            let begins = if is_whole { 0 } else { plan.start.len() - 3 };
            plan.fixed = plan.start.split_off(begins);
            plan.end = End::Rules;
        } else {
            // Each player's first turn in Kingchess is a placement, which no list has.
            let begins = if game.id == "kingchess" { 2 } else { 0 };
            let mut rng = Rng::with_seed(number as u64);
            let variant = Variant::new(game, &[]).unwrap();
            let record = playing::game(&variant, begins + number / 3, &mut rng);
            assert!(record.outcome().is_none(), "{game:?}");
            let steps = record.steps().iter();
            plan.start = steps.map(|step| step.text.clone()).collect();
        }
        plan
    }

    /// What the player to move writes after so many half-moves. `legal` gives the legal
    /// moves. A move stands alone on the first line.
    fn words(&mut self, letter: &Letter, legal: impl FnOnce() -> Vec<String>) -> String {
        let made = letter.plies.unwrap() - self.start.len();
        assert_eq!(made, self.sent.len(), "{}", letter.text);
        let mut rng = Rng::with_seed(made as u64 * 31 + self.start.len() as u64);
        let text = match self.end {
            _ if letter.text.contains("offers a draw.") => return "accept draw".to_owned(),
            End::Rules => self.fixed[made].clone(),
            End::Resignation if made >= self.random => return "resign".to_owned(),
            End::Resignation | End::Agreement => rng.choice(legal()).expect("a legal move"),
        };
        self.sent.push(text.clone());
        match self.end {
            End::Agreement if made >= self.random => text + "\n\noffer draw",
            _ => text,
        }
    }

    /// Holds the record of the match against what the players sent, and against the slow
    /// rules, which refuse what is not legal.
    fn check(&self, game: &Match) {
        let played = game.record().steps().iter().map(|step| &step.text);
        let meant: Vec<_> = self.start.iter().chain(&self.sent).collect();
        assert_eq!(played.collect::<Vec<_>>(), meant, "{}", self.id);
        let mut slow = Slow::start(self.game, &[]);
        let mut record = Record::new(game.variant().start());
        for step in game.record().steps() {
            slow.play(&record.position().long_text(&step.ply));
            record.play(&step.ply).unwrap();
        }
        assert_eq!(game.record().status(), slow.status(), "{}", self.id);
        let expected = match (game.record().outcome(), self.end) {
            (Some(outcome), _) => Ending::Rules(outcome),
            (None, End::Resignation) => Ending::Resigned(game.position().turn()),
            (None, End::Agreement) => Ending::Agreed,
            (None, End::Rules) => panic!("{} is not over", self.id),
        };
        assert_eq!(game.ending(), Some(expected), "{}", self.id);
        assert!(game.owed().is_empty(), "{}", self.id);
    }
}

/// Somebody who reads a mailbox, and remembers what was answered.
struct Player {
    reader: Reader,
    maildir: PathBuf,
    seen: HashSet<PathBuf>,
    answered: HashSet<(String, usize)>,
    asked: HashSet<String>,
    over: HashSet<String>,
    /// The newest mail about each match.
    newest: HashMap<String, PathBuf>,
    message_ids: Vec<String>,
    /// How often each way to answer was taken.
    used: HashMap<Habit, usize>,
}

impl Player {
    fn new(number: usize, postfix: &Postfix, house: &Sandbox) -> Player {
        let name = format!("p{number}");
        Player {
            maildir: postfix.maildir(&name),
            reader: Reader {
                address: address(number),
                habit: Habit::ALL[number % Habit::ALL.len()],
                port: postfix.port,
                desk: house.path(&name),
                transport: SmtpTransport::builder_dangerous("127.0.0.1")
                    .port(postfix.port)
                    .build(),
            },
            seen: HashSet::new(),
            answered: HashSet::new(),
            asked: HashSet::new(),
            over: HashSet::new(),
            newest: HashMap::new(),
            message_ids: Vec::new(),
            used: HashMap::new(),
        }
    }

    fn new_mail(&self) -> Vec<PathBuf> {
        let mut mail = messages_in(&self.maildir);
        mail.retain(|path| !self.seen.contains(path));
        mail
    }

    /// Reads a mail and answers it.
    fn read(&mut self, path: &Path, plans: &mut [Plan]) {
        let bytes = fs::read(path).unwrap();
        let mail = MessageParser::new().parse(&bytes).expect("a message");
        let letter = Letter::of(&mail);
        self.message_ids.push(letter.message_id.clone());
        self.seen.insert(path.to_owned());
        let id = letter.id.clone();
        self.newest.insert(id.clone(), path.to_owned());
        if letter.text.contains("The match is over.") {
            self.over.insert(id);
            return;
        }
        if !letter.text.contains("It is your move") {
            return;
        }
        let plan = plans.iter_mut().find(|plan| plan.id == id).unwrap();
        if self.reader.habit == Habit::Asks && self.asked.insert(id.clone()) {
            self.reader.write(&letter, path, "legal");
            return;
        }
        let turn = (id, letter.plies.expect("a number of half-moves"));
        assert!(self.answered.insert(turn), "asked again: {}", letter.text);
        let words = plan.words(&letter, || letter.legal(plan.game));
        let how = self.reader.write(&letter, path, &words);
        *self.used.entry(how).or_default() += 1;
    }
}

fn address(number: usize) -> String {
    format!("p{number}@example.test")
}

/// Begins the matches. The players are told when mail is sent.
fn begin(house: &Sandbox, plans: &[Plan]) {
    for plan in plans {
        let [white, black] = plan
            .players
            .map(|n| format!("{} <{}>", NAMES[n], address(n)));
        let begun = (!plan.start.is_empty()).then(|| plan.start.join(" "));
        house
            .parapost(["new", "--game", plan.game, "--id", &plan.id])
            .args(["--white", &white, "--black", &black])
            .args(begun.map(|moves| format!("--moves={moves}")))
            .stdout(format!("{}\n", plan.id))
            .any_stderr()
            .run();
    }
}

#[test]
#[ignore = "needs Postfix, root"]
fn twenty_players_play_thirty_matches_to_their_ends() {
    let is_whole = std::env::var_os("PARAPOST_WHOLE_MATCHES").is_some();
    let mut plans: Vec<_> = (0..MATCHES).map(|n| Plan::new(n, is_whole)).collect();
    let [port] = free_ports();
    let at = format!("127.0.0.1:{port}");
    let boxes = (0..PLAYERS).map(|n| format!("p{n}@example.test=p{n}/"));
    let boxes = boxes.collect::<Vec<_>>().join(", ");
    let postfix = Postfix::with(&Wishes {
        main: format!(
            "relay_domains = example.org\n\
             transport_maps = inline:{{{{ example.org = lmtp:inet:{at} }}}}\n\
             virtual_mailbox_maps = inline:{{ {boxes} }}\n"
        ),
        ..Wishes::default()
    });
    let config = format!(
        "[me]\nname = \"Ref\"\naddress = \"ref@example.org\"\nrole = \"referee\"\n\
         [transport]\nkind = \"smtp\"\n\
         [smtp]\nhost = \"localhost\"\nport = {}\nca_file = \"{}\"\n\
         [policy]\nidentity = \"token\"\n",
        postfix.port,
        postfix.ca_file().display()
    );
    let house = Sandbox::new()
        .dir("games")
        .file("config.toml", config)
        .env("PARAPOST_CONFIG", "config.toml");
    begin(&house, &plans);
    let test = house.parapost(["serve", "--lmtp", &at]).any_stdout();
    let server = Server::of(&mut test.command());

    let mut players: Vec<_> = (0..PLAYERS)
        .map(|number| Player::new(number, &postfix, &house))
        .collect();
    let over = |players: &[Player]| players.iter().map(|it| it.over.len()).sum::<usize>();
    while over(&players) < 2 * MATCHES {
        let has_come = || players.iter().any(|it| !it.new_mail().is_empty());
        assert!(
            wait_until(has_come),
            "nobody hears anything after {} ends:\n{}\n{}",
            over(&players),
            server.said(),
            postfix.log()
        );
        for player in &mut players {
            for path in player.new_mail() {
                player.read(&path, &mut plans);
            }
        }
    }
    let game = |id: &str| -> Match { house.read(format!("games/{id}.txt")).parse().unwrap() };
    wait_until(|| plans.iter().all(|plan| game(&plan.id).owed().is_empty()));
    server.stop();

    for habit in Habit::ALL {
        let used = players.iter().filter_map(|player| player.used.get(&habit));
        let used: usize = used.sum();
        assert!(used >= 5, "{habit:?}: {used}");
    }
    let mut sent = HashSet::new();
    for plan in &plans {
        let game = game(&plan.id);
        plan.check(&game);
        for event in game
            .log()
            .iter()
            .filter(|event| event.event.kind() == "sent")
        {
            let id = event.message_id("msg").expect("a sent mail has an id");
            assert!(sent.insert(id.to_string()), "sent twice: {id}");
        }
        // What either player has in the end is what the referee has.
        for (color, number) in [Color::White, Color::Black].into_iter().zip(plan.players) {
            let newest = &players[number].newest[&plan.id];
            house
                .parapost(["verify", &plan.id])
                .args([newest])
                .stdout_contains("agrees: all ")
                .run();
            let address = &players[number].reader.address;
            assert!(game.speaks_for(color, &address.parse().unwrap()));
        }
    }
    let has_all = || -> usize {
        players
            .iter()
            .map(|it| messages_in(&it.maildir).len())
            .sum()
    };
    wait_until(|| has_all() == sent.len());
    assert_eq!(has_all(), sent.len(), "each mail came once");
    for id in players.iter().flat_map(|player| &player.message_ids) {
        assert!(sent.contains(&format!("<{id}>")), "{id}");
    }
}
