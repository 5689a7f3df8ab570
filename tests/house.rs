//! The shape of the source: which module imports which, and how long files are.
//!
//! Imports are read as text, from `use` items and from paths that begin with
//! `crate`, `super`, `self` or a child module. Unit tests don't count.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use regex::Regex;

/// The path of a module below its crate, or of an item in it: `notation::reader`.
type ModulePath = Vec<String>;

/// The rooms of the program, from the top. A room uses those below it alone.
const ROOMS: [&[&str]; 7] = [
    &["command"],
    &["referee"],
    &["inbound", "outbound"],
    &["config", "store"],
    &["matches"],
    &["render"],
    &["notation"],
];

/// The rooms of the mail crate.
const MAIL_ROOMS: [&[&str]; 8] = [
    &["sources"],
    &["lmtp", "smtp", "nntp", "message"],
    &["imap", "transport", "quoting"],
    &["providers"],
    &["wire"],
    &["settings"],
    &["server_text"],
    &["secret"],
];

/// The longest file, in lines: the alarm, not the measure. A file is what one name says.
const LONGEST: usize = 1_000;

/// The lines that two places share before they count as saying the same.
const SHARED: usize = 6;

/// The most pairs of places that say the same.
const MOST_ALIKE: usize = 15;

/// The functions, by module, that ask for some of the actions, events, kinds of mail or
/// commands and pass over the others. A new one gets no answer there, so that each is named.
const PASS_OVER: [(&str, &str); 19] = [
    // What the name says is asked of one kind alone.
    ("matches::decision", "begins_rematch"),
    ("outbound::template_context", "can_regret"),
    ("matches::event", "is_move"),
    ("matches::event", "is_note"),
    ("matches::event", "is_beginning"),
    ("matches::event", "is_repair"),
    ("matches::event", "is_refused"),
    ("matches::state::claimed", "take"),
    // A letter with anything else counts: the bounds hold for what is new.
    ("matches::decision", "is_free"),
    ("matches::decision", "is_only_words"),
    ("matches::decision", "dropped"),
    ("matches::decision", "is_words"),
    // Anything else is no other letter.
    ("matches::decide", "says_other"),
    // Only what a person wrote, or what this version cannot read, holds a name.
    ("matches::forget", "line"),
    ("outbound::sent_mail", "words_for"),
    // Anything else is about the position.
    ("inbound::intent", "untimely"),
    // Only these tell who was invited, and what was played before.
    ("matches::state", "follow_invitation"),
    // Only one begins a match.
    ("referee::verdict", "begun"),
    // Every known kind is counted by its word.
    ("command::status", "of_matches"),
];

/// The modules of a crate, each with its source without comments, texts and
/// unit tests.
struct Sources(BTreeMap<ModulePath, String>);

impl Sources {
    /// Reads the crate whose `lib.rs` is in a folder, without the folders `but`.
    fn read(folder: &Path, but: &[&str]) -> Sources {
        let mut modules = BTreeMap::new();
        for file in rust_files(folder) {
            let name = file.strip_prefix(folder).unwrap().with_extension("");
            let mut path: ModulePath = name
                .components()
                .map(|part| part.as_os_str().to_str().unwrap().to_owned())
                .collect();
            if path == ["main"] || but.contains(&path[0].as_str()) {
                continue;
            }
            if matches!(path.last().unwrap().as_str(), "mod" | "lib") {
                path.pop();
            }
            modules.insert(path, code(&fs::read_to_string(&file).unwrap()));
        }
        Sources(modules)
    }

    fn of(modules: &[(&str, &str)]) -> Sources {
        let path = |name: &str| segments(name).collect();
        let modules = modules.iter();
        Sources(
            modules
                .map(|(name, source)| (path(name), code(source)))
                .collect(),
        )
    }

    /// Which modules each module imports, re-exports followed to the module that
    /// defines the item.
    fn imports<'a>(&'a self) -> BTreeMap<&'a ModulePath, BTreeSet<&'a ModulePath>> {
        let mut reexports = BTreeMap::new();
        for (here, source) in &self.0 {
            for (item, name) in uses(source, true) {
                if let Some(target) = self.absolute(here, &item) {
                    reexports.insert([here.as_slice(), &[name]].concat(), target);
                }
            }
        }
        let of_module = |(here, source): (&'a ModulePath, &'a String)| {
            let paths = uses(source, false).into_iter().map(|(path, _)| path);
            let paths = paths.chain(inline_paths(source));
            let modules = paths.filter_map(|path| {
                let path = followed(self.absolute(here, &path)?, &reexports);
                (0..=path.len()).rev().find_map(|end| {
                    let (module, _) = self.0.get_key_value(&path[..end])?;
                    // What the root neither defines nor passes on is another crate.
                    (end > 0).then_some(module)
                })
            });
            (here, modules.filter(|module| *module != here).collect())
        };
        self.0.iter().map(of_module).collect()
    }

    /// A path from the root of the crate; none if it leads to another crate.
    fn absolute(&self, here: &[String], path: &[String]) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([here, rest].concat()),
            "super" => {
                let supers = path.iter().take_while(|part| *part == "super").count();
                let above = here.len().checked_sub(supers)?;
                Some([&here[..above], &path[supers..]].concat())
            }
            _ => {
                let child = [here, std::slice::from_ref(first)].concat();
                let is_child = self.0.contains_key(&child);
                is_child.then(|| [here, path].concat())
            }
        }
    }

    /// The shortest circle of imports, if there is any: `a -> b -> a`.
    fn circle(&self) -> Option<String> {
        let imports = self.imports();
        let circles = imports.keys().filter_map(|start| {
            let mut from: BTreeMap<&ModulePath, &ModulePath> = BTreeMap::new();
            let mut next = VecDeque::from([*start]);
            while let Some(at) = next.pop_front() {
                for to in &imports[at] {
                    if to == start {
                        let mut names = vec![start.join("::"), at.join("::")];
                        let mut back = at;
                        while let Some(before) = from.get(back) {
                            names.push(before.join("::"));
                            back = before;
                        }
                        names.reverse();
                        return Some(names);
                    }
                    if !from.contains_key(to) {
                        from.insert(to, at);
                        next.push_back(to);
                    }
                }
            }
            None
        });
        let shortest = circles.min_by_key(Vec::len);
        shortest.map(|names| names.join(" -> "))
    }
}

fn segments(path: &str) -> impl Iterator<Item = String> + '_ {
    let parts = path.split("::").map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_start_matches("r#").to_owned())
}

fn followed(mut path: ModulePath, reexports: &BTreeMap<ModulePath, ModulePath>) -> ModulePath {
    // A re-export of a re-export is as far as anybody goes.
    for _ in 0..4 {
        let found = (1..=path.len())
            .rev()
            .find_map(|end| Some((end, reexports.get(&path[..end])?)));
        let Some((end, target)) = found else { break };
        path = [target, &path[end..]].concat();
    }
    path
}

/// The paths of the `use` items of a source, each with the name it goes by;
/// only those that are passed on, if so asked.
fn uses(source: &str, is_passed_on: bool) -> Vec<(ModulePath, String)> {
    static USE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?:^|[\s;}])(pub(?:\([a-z ]+\))?\s+)?use\s+([^;]+);").unwrap()
    });
    let mut found = Vec::new();
    for parts in USE.captures_iter(source) {
        if !is_passed_on || parts.get(1).is_some() {
            leaves(&[], &parts[2], &mut found);
        }
    }
    found
}

/// The leaves of a tree as `a::{b, c::d}`.
fn leaves(above: &[String], tree: &str, found: &mut Vec<(ModulePath, String)>) {
    let Some((path, inner)) = tree.split_once('{') else {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path: ModulePath = above.iter().cloned().chain(segments(path)).collect();
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let last = path.last().cloned().unwrap_or_default();
        let name = if alias.is_empty() { &last } else { alias };
        if !path.is_empty() {
            let name = name.trim().to_owned();
            found.push((path, name));
        }
        return;
    };
    let above: ModulePath = above.iter().cloned().chain(segments(path)).collect();
    let inner = &inner[..inner.rfind('}').unwrap_or(inner.len())];
    let (mut depth, mut start) = (0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                leaves(&above, &inner[start..at], found);
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The paths that stand in code.
fn inline_paths(source: &str) -> impl Iterator<Item = ModulePath> + '_ {
    // A `use` of several items has a path before its brace, which is none.
    static PATH: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b([a-z_]\w*(?:::(?:r#)?\w+)+)(::\{)?").unwrap());
    let paths = PATH.captures_iter(source);
    let whole = paths.filter(|parts| parts.get(2).is_none());
    whole.map(|parts| segments(parts.get(1).map_or("", |path| path.as_str())).collect())
}

/// A source without comments, texts and unit tests.
fn code(source: &str) -> String {
    static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r#"(?xs) //[^\n]* | /\*.*?\*/ | \br\#"(?:.*?)"\# | \br"[^"]*" | b?"(?:\\.|[^"\\])*" | '(?:\\.[^']*|[^'\\])'"#,
        )
        .unwrap()
    });
    let code = ASIDE.replace_all(source, " ");
    let tests = code.find("#[cfg(test)]\nmod tests {");
    code[..tests.unwrap_or(code.len())].to_owned()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // What a package of its own is built into: code that nobody wrote.
        if path.ends_with("target") {
            continue;
        }
        if path.is_dir() {
            files.append(&mut rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn program() -> Sources {
    Sources::read(&root().join("src"), &["engine", "mail", "rules"])
}

fn mail() -> Sources {
    Sources::read(&root().join("src/mail"), &["benches"])
}

fn rules() -> Sources {
    Sources::read(&root().join("src/rules"), &["tests", "benches"])
}

fn engine() -> Sources {
    Sources::read(
        &root().join("src/engine"),
        &["tests", "benches", "examples"],
    )
}

#[test]
fn no_module_imports_itself_by_way_of_others() {
    for (sources, fewest) in [(program(), 20), (mail(), 20), (rules(), 20), (engine(), 8)] {
        assert!(sources.0.len() > fewest, "the modules were not found");
        assert_eq!(sources.circle(), None);
    }
}

#[test]
fn rooms_use_the_rooms_below_them_alone() {
    for (sources, rooms) in [(program(), &ROOMS[..]), (mail(), &MAIL_ROOMS)] {
        let rank = |path: &ModulePath| {
            let room = path.first()?.as_str();
            rooms.iter().position(|rooms| rooms.contains(&room))
        };
        for (from, targets) in sources.imports() {
            for to in targets {
                let is_down = match (rank(from), rank(to)) {
                    _ if from.is_empty() || from.first() == to.first() => true,
                    (Some(from), Some(to)) => from < to,
                    // A leaf uses no room.
                    (None, Some(_)) => false,
                    (_, None) => true,
                };
                assert!(is_down, "{} imports {}", from.join("::"), to.join("::"));
            }
        }
    }
}

/// Nothing between people waits for a thought, since nothing that handles or sends mail can reach one:
/// what calls the engine to think is in the modules here, and the partner's turns are taken by
/// its command and its thread alone.
#[test]
fn no_letter_is_handled_by_a_module_that_thinks() {
    const THINK: [&str; 3] = [".think(", ".choose(", ".choose_within("];
    let sources = program();
    let with = |words: &[&str]| -> Vec<String> {
        let has = |source: &String| words.iter().any(|word| source.contains(word));
        let found = sources.0.iter().filter(|(_, source)| has(source));
        found.map(|(path, _)| path.join("::")).collect()
    };
    let engines = with(&["Engine"]);
    let thinking = with(&THINK).into_iter();
    let thinking: Vec<String> = thinking.filter(|path| engines.contains(path)).collect();
    assert_eq!(thinking, ["command::play::dialogue", "matches::program"]);
    let turns = with(&[".turn_of_program("]);
    assert_eq!(turns, ["command::play::dialogue", "referee::thinking"]);
    let imports = sources.imports();
    let thinking: ModulePath = segments("referee::thinking").collect();
    let by = imports
        .iter()
        .filter(|(_, targets)| targets.contains(&thinking));
    let by: Vec<String> = by.map(|(path, _)| path.join("::")).collect();
    assert_eq!(by, ["command::partner", "command::serve::partner"]);
}

#[test]
fn files_stay_short() {
    for folder in ["src", "tests"] {
        for file in rust_files(&root().join(folder)) {
            let lines = fs::read_to_string(&file).unwrap().lines().count();
            assert!(lines <= LONGEST, "{}: {lines} lines", file.display());
        }
    }
}

/// The functions that pass over some of the actions, events, kinds of mail or commands: by a
/// `matches!`, or by a pattern that takes whatever is left.
fn passing_over(source: &str) -> BTreeSet<String> {
    static ASKS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bmatches!\(|\bmatch\b[^{};]*\{").unwrap());
    static KIND: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b(Action|Event|MailKind|Command)::[A-Z]").unwrap());
    static REST: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(Some\()?(_|[a-z_]+)\)?(\s+if\b.*)?$").unwrap());
    let mut found = BTreeSet::new();
    for asks in ASKS.find_iter(source) {
        let (body, _) = bracketed(&source[asks.end()..]);
        let patterns = patterns(body);
        let is_kind = |pattern: &&str| KIND.is_match(pattern);
        let is_passing = if asks.as_str() == "matches!(" {
            KIND.is_match(body)
        } else {
            patterns.iter().any(is_kind) && patterns.iter().any(|pattern| REST.is_match(pattern))
        };
        if is_passing {
            let before = source[..asks.start()].rsplit_once("fn ").unwrap().1;
            let name = before.split(['(', '<']).next().unwrap();
            found.insert(name.to_owned());
        }
    }
    found
}

/// Splits a text behind a bracket where that is closed.
fn bracketed(text: &str) -> (&str, &str) {
    let mut depth = 1;
    let end = text.find(|c: char| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        depth == 0
    });
    text.split_at(end.unwrap_or(text.len()))
}

/// The patterns of the arms of a `match`, as they are laid out.
fn patterns(body: &str) -> Vec<&str> {
    let mut patterns = Vec::new();
    let mut rest = body;
    while let Some((pattern, behind)) = rest.split_once("=>") {
        patterns.push(pattern.trim());
        let behind = behind.trim_start();
        let mut depth = 0;
        let end = behind.char_indices().find(|(_, c)| {
            depth += i32::from("([{".contains(*c)) - i32::from(")]}".contains(*c));
            // A block of an arm ends it, and a comma ends any other.
            depth == 0 && (*c == ',' || *c == '}' && behind.starts_with('{'))
        });
        rest = end.map_or("", |(at, _)| behind[at + 1..].trim_start_matches(','));
    }
    patterns
}

#[test]
fn a_new_action_event_kind_of_mail_or_command_is_asked_for_everywhere_but_there() {
    let sources = program();
    let found = sources.0.iter().flat_map(|(path, source)| {
        let functions = passing_over(source).into_iter();
        functions.map(|function| (path.join("::"), function))
    });
    let listed = PASS_OVER.map(|(module, function)| (module.to_owned(), function.to_owned()));
    assert_eq!(found.collect::<BTreeSet<_>>(), BTreeSet::from(listed));
}

#[test]
fn whoever_passes_over_a_kind_is_found() {
    for (body, is_passing) in [
        ("matches!(event, Event::Note(_))", true),
        ("matches!(c, ',')", false),
        ("match event { Event::Note(_) => { 1 } _ => 0, }", true),
        (
            "match e { Event::Act(Action::Move(_)) => f(a, b), other => 0 }",
            true,
        ),
        (
            "match e { Some(Event::Undo) => {} Some(_) | None => {} }",
            false,
        ),
        (
            "match e { Some(Event::Undo) => {} None => {} Some(_) => {} }",
            true,
        ),
        (
            "match e { Event::Undo => match x { 1 => 2, _ => 3 }, Event::New(_) => 0 }",
            false,
        ),
        (
            "match x { 1 => Event::Undo, _ => Event::Note(None) }",
            false,
        ),
        (
            "match x { Action::Resign => 1, _ if true => 2, Action::Move(_) => 3 }",
            true,
        ),
    ] {
        let found = passing_over(&format!("fn f(x: u8) {{ {body} }}"));
        assert_eq!(!found.is_empty(), is_passing, "{body}");
    }
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    for (modules, circle) in [
        (
            &[("", "mod a; mod b;"), ("a", "use crate::b::B;"), ("b", "")][..],
            None,
        ),
        (
            &[("a", "use crate::b::B;"), ("b", "use super::a::A;")],
            Some("a -> b -> a"),
        ),
        (
            &[
                ("a", "fn f() { crate::b::f() }"),
                ("b", "use crate::{c, a::{A, C}};"),
                ("c", ""),
            ],
            Some("a -> b -> a"),
        ),
        // A parent that calls its child, which takes a type from the parent.
        (
            &[("a", "mod b; fn f() { b::f() }"), ("a::b", "use super::A;")],
            Some("a -> a::b -> a"),
        ),
        (&[("a", "mod b;"), ("a::b", "use super::A;")], None),
        // By way of a re-export.
        (
            &[
                ("", "pub use b::B;"),
                ("a", "use crate::B;"),
                ("b", "use crate::a::A;"),
            ],
            Some("a -> b -> a"),
        ),
        // Texts, comments and unit tests are no imports.
        (
            &[
                ("a", "use crate::b::B;"),
                (
                    "b",
                    "// crate::a::A\nconst X: &str = \"crate::a\";\n#[cfg(test)]\nmod tests { use crate::a::A; }",
                ),
            ],
            None,
        ),
    ] {
        let found = Sources::of(modules).circle();
        assert_eq!(found.as_deref(), circle, "{modules:?}");
    }
}

/// The names of the public types of a source without comments, texts and unit tests.
fn public_types(source: &str) -> impl Iterator<Item = &str> {
    static TYPE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bpub\s+(?:struct|enum|trait|type|union)\s+(\w+)").unwrap());
    let types = TYPE.captures_iter(source);
    types.map(|parts| parts.get(1).map_or("", |name| name.as_str()))
}

#[test]
fn names_of_types_have_one_meaning() {
    let sources = [program(), mail(), rules(), engine()];
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, source) in sources.iter().flat_map(|sources| &sources.0) {
        for name in public_types(source) {
            places.entry(name).or_default().push(path.join("::"));
        }
    }
    assert!(places.len() > 200, "the types were not found");
    // Each crate has an error of this name, as most crates have.
    let twice = places
        .iter()
        .filter(|(name, places)| **name != "Error" && places.len() > 1);
    let twice: Vec<_> = twice.collect();
    assert!(twice.is_empty(), "these names stand twice: {twice:?}");

    let page = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let (_, tables) = page.split_once("\n## Public types\n").unwrap();
    let rows = tables.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows: Vec<&str> = rows
        .filter_map(|row| Some(row.split_once("` | ")?.0))
        .collect();
    let explained: BTreeSet<&str> = rows.iter().copied().collect();
    assert_eq!(
        explained.len(),
        rows.len(),
        "docs/glossary.md has a name twice"
    );
    let types: BTreeSet<&str> = places.into_keys().collect();
    let missing: Vec<_> = types.difference(&explained).collect();
    assert!(missing.is_empty(), "docs/glossary.md lacks {missing:?}");
    let gone: Vec<_> = explained.difference(&types).collect();
    assert!(
        gone.is_empty(),
        "docs/glossary.md has {gone:?}, which are no public types"
    );
}

/// A line of code with its names, texts and numbers blanked.
struct CodeLine {
    shape: String,
    /// True if it is an entry of a list or a table: an arm of a `match`, a field, an argument,
    /// a variant, an alternative of a pattern.
    is_entry: bool,
    place: String,
}

/// The lines of a module that count in a comparison: those with a name or a keyword, without
/// imports, attributes, constants and what declares a module or a type in one line.
fn code_lines(module: &str, source: &str) -> Vec<CodeLine> {
    static USE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^\s*(pub(\([a-z ]+\))? )?use [^;]*;").unwrap());
    static ASIDE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(#|[^a-zA-Z_]*$|(pub(\([a-z ]+\))? )?(static |const [A-Z_]|(mod|type) .*;$))")
            .unwrap()
    });
    static NAME: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b([a-zA-Z_]\w*|\d[\w.]*)").unwrap());
    static ENTRY: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r",$|^\||=>|^[A-Z]\w* \{$").unwrap());
    let source = USE.replace_all(source, "");
    let lines = source.lines().map(str::trim);
    let counting = lines.filter(|line| !ASIDE.is_match(line));
    let shapes = counting.map(|line| {
        let shape = NAME.replace_all(line, |name: &regex::Captures<'_>| match &name[0] {
            word if KEYWORDS.contains(&word) => word.to_owned(),
            word if word.starts_with(|c: char| c.is_ascii_digit()) => "0".to_owned(),
            _ => "n".to_owned(),
        });
        CodeLine {
            shape: shape.into_owned(),
            is_entry: ENTRY.is_match(line),
            place: format!("{module}: {line}"),
        }
    });
    shapes.collect()
}

/// The words of a line that are no names.
const KEYWORDS: [&str; 37] = [
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "move", "mut", "pub", "ref", "return",
    "self", "static", "struct", "super", "trait", "true", "type", "where", "while", "Some", "None",
    "Ok", "Err",
];

/// The pairs of places that share [`SHARED`] lines or more, most of them no entries of lists
/// and tables.
fn alike(lines: &[CodeLine]) -> Vec<String> {
    let shapes: Vec<&str> = lines.iter().map(|line| line.shape.as_str()).collect();
    let mut runs: HashMap<&[&str], Vec<usize>> = HashMap::new();
    for (at, run) in shapes.windows(SHARED).enumerate() {
        runs.entry(run).or_default().push(at);
    }
    let pairs = runs.values().flat_map(|places| {
        let others = move |at: usize| {
            places[at + 1..]
                .iter()
                .map(move |other| (places[at], *other))
        };
        (0..places.len()).flat_map(others)
    });
    let mut found = BTreeSet::new();
    for (one, other) in pairs {
        // A longer run has been found from its beginning.
        if one > 0 && shapes[one - 1] == shapes[other - 1] {
            continue;
        }
        let both = shapes[one..].iter().zip(&shapes[other..]);
        let length = both.take_while(|(one, other)| one == other).count();
        let run = &lines[one..one + length];
        let entries = run.iter().filter(|line| line.is_entry).count();
        if one + length <= other && 2 * entries <= length {
            let (one, other) = (&lines[one].place, &lines[other].place);
            found.insert(format!("{length} lines\n  {one}\n  {other}"));
        }
    }
    found.into_iter().collect()
}

/// Compares the lines of all modules, names, texts and numbers blanked, with those of all
/// others and of the same module. Runs of which more than half are entries of lists and tables
/// don't count: what these have in common is how a table looks. Nor do unit tests.
#[test]
fn few_places_say_the_same_as_others() {
    let sources = [program(), mail(), rules(), engine()];
    let mut lines = Vec::new();
    for (path, source) in sources.iter().flat_map(|sources| &sources.0) {
        let name = path.join("::");
        if !name.ends_with("tests") {
            lines.extend(code_lines(&name, source));
            // No run goes on in the next module.
            lines.extend(code_lines(&name, "end"));
            lines.last_mut().unwrap().shape.clone_from(&name);
        }
    }
    assert!(lines.len() > 20_000, "the code was not found");
    let alike = alike(&lines);
    assert!(
        alike.len() <= MOST_ALIKE,
        "{} places say the same:\n{}",
        alike.len(),
        alike.join("\n")
    );
}

#[test]
fn places_that_say_the_same_are_found_and_tables_are_none() {
    let function = |name: &str, number: u32| {
        format!(
            "fn {name}(at: &{name}) -> u32 {{\n let {name} = at.{name}();\n if {name} > {number} {{\n \
             return {number};\n }}\n {name}.sort();\n {name}.len()\n}}\n"
        )
    };
    let arms = |name: &str| {
        format!(
            "fn {name}() {{\n match {name} {{\n{}}}\n}}\n",
            "A => 1,\n".repeat(9)
        )
    };
    let found = |text: String| alike(&code_lines("m", &code(&text))).len();
    assert_eq!(found(function("a", 1) + &function("b", 20)), 1);
    assert_eq!(
        found(function("a", 1) + "const A: u32 = 1;\n" + "fn other() {\n}\n"),
        0
    );
    assert_eq!(
        found(function("a", 1) + &function("b", 20).replace("sort()", "sort().rev()")),
        0
    );
    assert_eq!(found(arms("a") + &arms("b")), 0);
}

/// Plain `cargo test` leaves a test out for a reason that it prints, and `tests/run` knows what that asks for.
#[test]
fn a_test_that_is_left_out_says_why() {
    static LEFT_OUT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(?m)^ *#\[.*\bignore(?: = "(.*)")?\)?\]$"#).unwrap());
    let run = fs::read_to_string(root().join("tests/run")).unwrap();
    let mut needs = BTreeSet::new();
    for folder in ["src", "tests"] {
        for file in rust_files(&root().join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            for found in LEFT_OUT.captures_iter(&text) {
                let reason = found.get(1).map_or("", |reason| reason.as_str());
                let file = file.display();
                match reason.split_once(' ') {
                    Some(("needs", what)) => needs.extend(what.split(", ").map(str::to_owned)),
                    Some(("takes", "long") | ("by", _)) => {}
                    _ => panic!("{file}: left out for no reason that tests/run knows: '{reason}'"),
                }
            }
        }
    }
    assert!(needs.len() > 8, "{needs:?}");
    for need in needs {
        let case = format!(r"(?m)^ *(?:[\w-]+ \| )*{need}(?: \| [\w-]+)*\) ");
        let case = Regex::new(&case).unwrap();
        assert!(case.is_match(&run), "tests/run does not know '{need}'");
    }
}

/// What the feature brings is not in the program of those who do not ask for it.
#[test]
fn without_databases_the_program_has_none_of_their_crates() {
    let tree = |more: &[&str]| -> BTreeSet<String> {
        let output = Command::new(env!("CARGO"))
            .current_dir(root())
            .args(["tree", "--offline", "--locked", "--package", "parapost"])
            .args(["--edges", "normal", "--prefix", "none"])
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        // Behind its name and version a crate may have its folder, or a mark that it was told of.
        let crates = text.lines().filter_map(|line| line.split(" (").next());
        crates.map(ToOwned::to_owned).collect()
    };
    let without = tree(&[]);
    let with = tree(&["--features", "postgres"]);
    assert!(without.is_subset(&with));
    let brought: Vec<&String> = with.difference(&without).collect();
    for name in ["tokio", "tokio-postgres", "tokio-rustls"] {
        assert!(
            brought
                .iter()
                .any(|brought| brought.starts_with(&format!("{name} v"))),
            "{brought:?}"
        );
    }
    let counted = format!(
        "{} crates without the feature, its own four among them, and {} with it",
        without.len(),
        with.len()
    );
    let page = fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    assert!(page.contains(&counted), "docs/dependencies.md: {counted}");
}
