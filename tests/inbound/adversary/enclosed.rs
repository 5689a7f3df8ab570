//! Somebody's words between two markers. The program carries out nothing between the markers,
//! whatever their names are, but does carry out orders outside of them.

use fastrand::Rng;
use parapost::rules::Color;

use super::desk::{Desk, Policy, REFEREE};
use super::scene::{ANNA, PASTS, Scene};

/// The first marker and the second, each on a line of its own.
pub(super) const PAIRS: &[(&str, &str)] = &[
    ("<quote author='Anna Weiss'>", "</quote>"),
    ("<quote>", "</quote>"),
    ("[quote]", "[/quote]"),
    ("[quote=Anna]", "[/quote]"),
    ("[QUOTE=\"Ben, post: 12, member: 3\"]", "[/QUOTE]"),
    (
        "[quote author=Ben link=topic=1.msg2#msg2 date=1790000000]",
        "[/quote]",
    ),
    ("<blockquote>", "</blockquote>"),
    ("<blockquote class=\"x\">", "</blockquote>"),
    ("&lt;quote&gt;", "&lt;/quote&gt;"),
    ("<q>", "</q>"),
    ("<Ben>", "</Ben>"),
    ("<pre>", "</pre>"),
    ("[code]", "[/code]"),
    ("[b]", "[/b]"),
    ("<!-- quote -->", "<!-- /quote -->"),
    ("[[quote]]", "[[/quote]]"),
    ("{quote}", "{quote}"),
    ("{quote:title=Ben}", "{quote}"),
    ("{{quote}}", "{{/quote}}"),
    ("{{< quote >}}", "{{< /quote >}}"),
    ("{% quote %}", "{% endquote %}"),
    ("[quote]", "[endquote]"),
    ("[begin quote]", "[end quote]"),
    ("[Zitat Anfang]", "[Zitat Ende]"),
    ("[Ben]", "[end]"),
    ("<begin>", "<end>"),
    ("<<<<< Ben >>>>>", "<<<<< end >>>>>"),
    ("\\begin{quote}", "\\end{quote}"),
    ("#+begin_quote", "#+end_quote"),
    ("#+BEGIN_EXAMPLE", "#+END_EXAMPLE"),
    ("----- Begin quote -----", "----- End quote -----"),
    ("-----Anfang-----", "-----Ende-----"),
    ("--- snip ---", "--- snap ---"),
    ("---8<---", "--->8---"),
    ("8<------", "------>8"),
    ("✂--------", "--------✂"),
    ("%<-----", "-----%<"),
    ("– Ben –", "– Ende –"),
    ("- - - - 8< - - - -", "- - - - >8 - - - -"),
    (
        "--8<---------------cut here---------------start------------->8---",
        "--8<---------------cut here---------------end--------------->8---",
    ),
    ("—— Ben ——", "—— Ende ——"),
    ("<----- Quote ----->", "<----- /Quote ----->"),
    ("----- quote", "----- end quote"),
    ("***** Begin quote *****", "***** End quote *****"),
    ("+++ quote +++", "+++ end of quote +++"),
    ("==== Ben ====", "==== End ===="),
    ("@quotation", "@end quotation"),
    ("<<", ">>"),
    ("{", "}"),
    ("＜引用＞", "＜／引用＞"),
    ("[引用]", "[/引用]"),
];

/// Markers that count only if they are alone on their line.
const MARK_LINES: &[&str] = &[
    "- - - - 8< - - - -",
    "– Ben –",
    "----- quote",
    "@quotation",
    "{",
];

/// A letter of Anna's that answers this message.
fn letter(parent: Option<&str>, body: &str) -> String {
    let cites = parent.map_or(String::new(), |id| format!("In-Reply-To: {id}\n"));
    format!(
        "From: Anna <{ANNA}>\nTo: {REFEREE}\nSubject: Re: [m]\nMessage-ID: <anna@white.test>\n{cites}MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}"
    )
}

fn scene(desk: &Desk) -> Scene {
    let past = PASTS.iter().find(|(name, _)| *name == "mid-game");
    let mut rng = Rng::with_seed(25);
    Scene::after(desk, past.expect("a past"), Color::White, &mut rng).expect("a match")
}

#[test]
fn nothing_between_two_markers_is_carried_out() {
    let desk = Desk::new();
    let scene = scene(&desk);
    let ours = scene.mails[scene.current()].mail.id.as_str();
    let parents = [
        Some(ours),
        Some("<lunch@black.test>"),
        Some(scene.letters[0].as_str()),
        None,
    ];
    // By turns, so that each of them meets each order.
    let mut parents = parents.into_iter().cycle();
    let text = &scene.moves[1];
    let orders = [
        "resign".to_owned(),
        text.clone(),
        format!("{} {text}", scene.number()),
        "mail off".to_owned(),
        scene.list_with(text).trim_end().to_owned(),
    ];
    for (open, close) in PAIRS {
        for order in &orders {
            for body in [
                format!("{open}\n{order}\n{close}\nI will not!\n"),
                format!("He writes:\n\n{open}\n\nHi!\n\n{order}\n\n{close}\n\nI will not!\n"),
                // The quoted person writes markers, too.
                format!("{open}\nHi\n{close}\n{order}\n{close}\nI will not!\n"),
                format!("{open}\n{open}\nHi\n{close}\n\n{order}\n\n{close}\n\nI will not!\n"),
                // A signature follows below.
                format!("{open}\n{order}\n-- \nBen\n{close}\nI will not!\n"),
                format!("{open}{order}{close}\nI will not!\n"),
                format!("{open} {order} {close}\nI will not!\n"),
            ] {
                let touches = format!("{open}{order}").replace(' ', "");
                if MARK_LINES.contains(open) && body.replace(' ', "").contains(&touches) {
                    continue;
                }
                let letter = letter(parents.next().flatten(), &body);
                let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
                assert!(outcome.done.is_empty(), "{letter}\n{}", outcome.log);
            }
        }
        let letter = letter(
            Some(ours),
            &format!("{open}\nresign\n{close}\nI will not!\n"),
        );
        let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
        assert!(outcome.is_answered, "{letter}\n{}", outcome.log);
    }
}

#[test]
fn an_order_outside_the_markers_is_carried_out() {
    let desk = Desk::new();
    let scene = scene(&desk);
    let ours = scene.mails[scene.current()].mail.id.as_str();
    let text = &scene.moves[0];
    for (open, close) in PAIRS {
        for body in [
            format!("{text}\n\n{open}\nresign\n{close}\n"),
            format!("Hello!\n\n{open}\nHi\n{close}\n\n{text}\n"),
        ] {
            let letter = letter(Some(ours), &body);
            let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
            assert_eq!(
                outcome.done,
                [format!("move {text}")],
                "{letter}\n{}",
                outcome.log
            );
        }
    }
}

/// Words and signs that a writer may use are not markers, nor is a single marker.
#[test]
fn what_is_no_pair_of_markers_encloses_nothing() {
    let desk = Desk::new();
    let scene = scene(&desk);
    let ours = scene.mails[scene.current()].mail.id.as_str();
    let text = &scene.moves[0];
    let board = scene.diagram_with(text);
    for (above, below) in [
        ("Hello", "Cheers"),
        ("Hi Ben!", "-- \nAnna"),
        ("Begin", "End"),
        ("quote", "end quote"),
        ("A good game <g>", "See you <g>"),
        ("[1] https://b.test/1", "[2] https://b.test/2"),
        ("https://b.test/<x>", "<https://b.test/>"),
        ("<https://b.test/>", "<https://b.test/>"),
        ("[image: one.png]", "[image: two.png]"),
        ("[cid:image001.png@01DB]", "[cid:image002.png@01DB]"),
        ("**Hello Ben**", "**Bye**"),
        ("*Hello Ben*", "*Bye Ben*"),
        ("1 < 2", "2 > 1"),
        ("(hello)", "(bye)"),
        (":-)", ";-)"),
        ("@Ben: hello", "@Carl: hi"),
        ("...well", "...bye"),
        ("[x] done", "[ ] not done"),
        ("-- Ref", "Anna"),
        (board.as_str(), board.as_str()),
    ] {
        let letter = letter(Some(ours), &format!("{above}\n\n{text}\n\n{below}\n"));
        let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
        assert_eq!(
            outcome.done,
            [format!("move {text}")],
            "{letter}\n{}",
            outcome.log
        );
    }
}
