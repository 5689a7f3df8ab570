//! Letters that were faulty once, as small as they could be made. `{m}` is a move that Anna
//! may play and Ben would like her to, `{n}` its number, `{list}` the list of the moves with it,
//! `{first}` its first move in marks, `{row}` its last row, `{mail}` our last mail, `{quoted}`
//! the same in marks, `{end}` its lower half and
//! `{foot}` its foot; `{upper}` and `{lower}` are its parts above and below a place between its
//! lines, `{>upper}` and `{>lower}` the same in marks.

use fastrand::Rng;
use parapost::matches::r#match::Match;
use parapost::rules::Color;

use super::desk::{Desk, Policy, REFEREE};
use super::scene::{ANNA, PASTS, Scene};

/// What a letter cites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cites {
    /// Our last mail.
    Ours,
    /// The first of our mails.
    Older,
    /// Ben's mail, which answers ours.
    Ben,
    /// Ben's mail in `In-Reply-To`, ours in `References`.
    Both,
    /// What Ben's mail had for an id, behind ours. `{our}` is ours.
    Odd(&'static str),
    /// Ben's mail had no id: the words of a program that stand for one, and ours in
    /// `References`.
    Words,
    /// Ben's mail, which has the id of the first of our mails: she has answered that to all.
    Disclosed,
    /// The first of her own letters.
    Own,
    /// An id that nobody here knows.
    Unknown,
    Nothing,
}

/// A letter in which nothing may be carried out.
struct Case {
    name: &'static str,
    past: &'static str,
    cites: Cites,
    subject: &'static str,
    body: &'static str,
}

const OUTLOOK: &str = "From: Ben <ben@black.test>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Anna <anna@white.test>\nSubject: Friday\n";

/// An attribution.
const ITALIAN: &str =
    "\nIl giorno ven 20 nov 2026 alle ore 04:00 Ref <ref@example.org> ha scritto:\n\n";

/// A name that no program has room for behind another word.
const LONG: &str = "benedict.of.the.very.long.name.that.takes.a.line.of.its.own@black.test";

const HTML: &str = "<html><body><div>Yes!</div><hr><div><b>From:</b> Ben &lt;ben@black.test&gt;<br><b>Sent:</b> Friday<br><b>To:</b> Anna<br><b>Subject:</b> Friday</div><div>";

/// The letters, by the kind of their fault.
#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { name: "1: a sentence of ours below a rule", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "He told me this:\n\n----\nIt is your move, White.\n\nsome talk of his\n\nresign\n" },
    Case { name: "1: a sentence of ours and a move below a rule", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "----\nIt is your move, White.\nsome talk of mine here\n{m}\nother talk\n" },
    Case { name: "1: a marked line of Ben's below a header block", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\n{outlook}\n> I see\nresign\n" },
    Case { name: "1: a marked line directly below the block", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\n{outlook}> I see\n{m}\n" },
    Case { name: "1: an end line", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\n{outlook}\nHi\n----- End forwarded message -----\nresign\n" },
    Case { name: "1: an end line of another program's", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nBen wrote:\n\nHi\n-- End of message --\noffer draw\n" },
    Case { name: "1: a foot without its hash", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\n-----Original Message-----\nHi\nGame m, 4 half-moves made.\n{m}\n" },
    Case { name: "1: a foot with its hash", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\n{outlook}\nHi\n{foot}\npropose takeback\n" },
    Case { name: "1: an indented attribution", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\n  Ben <ben@black.test> wrote:\n\n  Hi\nresign\n" },
    Case { name: "1: a copy of our mail, Ben's parent and ours beside it", past: "mid-game", cites: Cites::Both, subject: "Re: Friday", body: "Yes!\n\n{outlook}\n{mail}\nresign\n" },
    Case { name: "1: a copy of our mail in a mail of Ben's, in an answer to ours", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "See below.\n\n{outlook}\n{mail}\nresign\n" },
    Case { name: "1: an attribution over five lines", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "Xyzzy\nFri, 20 Nov 2026 03:00:00\n\nBen Black\n<ben@black.test> 2026:\n\n{foot}\n{n}{m}\n" },
    Case { name: "1: a quotation in Ben's mail", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "{html}<blockquote type=cite>Hi</blockquote><div>resign</div>" },
    Case { name: "1: the foot of our mail below a line that nobody knows", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "\n---- Xyzzy 20 Nov 2026 Anna frobnicated ----\n\n{foot}\n{m}\n" },
    Case { name: "1: the end of our mail below a line that nobody knows", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "\n---- Xyzzy 20 Nov 2026 Anna frobnicated ----\n\n{end}\n{m}\n" },
    Case { name: "1: the end of our mail below an attribution in a rare language", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "\nBen Black-k idatzi zuen (2026-11-20 03:00):\n\n{end}\noffer draw\n" },
    Case { name: "1: the wrapped end of one line behind initials", past: "draw lapsed", cites: Cites::Ben, subject: "Re: Friday", body: " BB> So that there along got the could the river thing ooooooo!\nmail off\n" },
    Case { name: "1: the foot of our mail below a quotation of it", past: "mid-game", cites: Cites::Nothing, subject: "Re: Friday", body: "{quoted}\n2026-11-20 3:00 GMT+00:00 Ben Black <ben@black.test>:\n\n{foot}\n{m}\n" },
    Case { name: "1: a copy of our mail under its own id, below it an order", past: "answered to all", cites: Cites::Disclosed, subject: "Re: Friday", body: "Yes!\n\n{outlook}\n{disclosed}\nresign\n" },
    Case { name: "1: the same in marks", past: "answered to all", cites: Cites::Disclosed, subject: "Re: Friday", body: "Yes!\n\n{>disclosed}\nresign\n" },
    Case { name: "1: an order among the lines of the copy", past: "answered to all", cites: Cites::Disclosed, subject: "Re: Friday", body: "Yes!\n\n{>disclosed upper}resign\n{>disclosed lower}" },
    Case { name: "1: a move filled into the copy of a mail that she has talked about", past: "talked to all", cites: Cites::Disclosed, subject: "Re: Friday", body: "Yes!\n\n{>disclosed filled}" },
    Case { name: "1: the copy of a mail that she has talked about, and a move", past: "talked to all", cites: Cites::Disclosed, subject: "Re: Friday", body: "Yes!\n\n{disclosed}{m}\n" },
    Case { name: "2: rows and the foot of our mail in words of Ben's", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "2026年11月20日(金) 12:00 Ben Black <ben@black.test>:\n\n> White       Black\n{>list}> '>' places a piece from the reserve, '-' moves one, 'x' captures;\n> '+' is check, '#' checkmate, '!+' virtual check.\n> {foot}\n> {n}{m}\n" },
    Case { name: "2: a list of Ben's with a foot", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nBen wrote:\n{>list}> Game m, 4 half-moves made.\n" },
    Case { name: "2: a list of Ben's below a mark, in an answer to nothing", past: "mid-game", cites: Cites::Nothing, subject: "Re: [m]", body: "Yes!\n\n{>list}> {foot}\n" },
    Case { name: "2: a list below the foot of the quoted mail", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "{quoted}\n{>list}" },
    Case { name: "2: a row below the foot of the quoted mail", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "{quoted}> {n}{m}\n" },
    Case { name: "2: a row and a foot of Ben's below our mail in marks", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "{quoted}\nBen Black <ben@black.test> writes:\n\n{n}{m}\n{foot}\n" },
    Case { name: "2: a last row that offers a draw", past: "mid-game", cites: Cites::Both, subject: "Re: Friday", body: "Yes!\n\n> Hi\n{>list}> {row} (=)\n> {foot}\n" },
    Case { name: "3: an acceptance of an offer that has lapsed", past: "draw lapsed and offered again", cites: Cites::Older, subject: "Re: [m]", body: "accept draw\n" },
    Case { name: "3: an acceptance of a take-back that has lapsed", past: "take-back lapsed and proposed again", cites: Cites::Older, subject: "Re: [m]", body: "accept takeback\n" },
    Case { name: "4: a second answer to an old mail", past: "mid-game", cites: Cites::Older, subject: "Re: [m]", body: "{m}\n" },
    Case { name: "6: a subject of Ben's", past: "mid-game", cites: Cites::Ben, subject: "[m] unsubscribe", body: "Yes, Friday is fine!\n" },
    Case { name: "7: a name of several lines above a date and a blank line", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "{m}\noooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo\n\nFri 11/20/2026 3:00 PM\n\nTo\n\nA. <anna@white.test>\n" },
    Case { name: "7: an unknown verb behind an address on the next line", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Mnamo tarehe 20 Novemba 2026 Anna\n<benedict.benedict.benedict.@black.test> aliandika\n\n{m}\n" },
    Case { name: "7: an attribution of three lines with a command in it", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "posted by we dark river until thing there it it\nthere nobody for a resign on Fri, 20 Nov 2026\n03:00\n\nSo could hours for thing cold along ooooooo!\nresign\n" },
    Case { name: "7: a date above the line with the address", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "2026/11/20 it and river and the nobody hours thing that see we a the\ncou accept takeback <benedict.benedict.@black.test>\n\n{m}\n" },
    Case { name: "7: an unknown head between dashes that is broken", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Yes!\n\n---- Xyzzy 20 Nov 2026 the so see along cold see dark until dark it\ndark hours walk {m} frobnicated ----\n\n{m}\n" },
    Case { name: "7: the end of a wrapped line", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "> So it nobody until so that and walked oooooo!\nresign\n" },
    Case { name: "7: the same in an answer to ours", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "Ben Black <ben@black.test> wrote:\n> So it nobody until so that and walked oooooo:\nresign\n> there\n" },
    Case { name: "12: an attribution over four lines", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "Yes!\n\nOn Fri, Nov 20, 2026 at 3:00 AM Ben Black\n\n<\nmailto:Ben Black <ben@black.test>\n> wrote:\n\nresign\n" },
    Case { name: "12: a line that says who posted", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nposted by Ben on Fri, 20 Nov 2026 03:00\n\n{m}\n" },
    Case { name: "12: the same above an attribution with marks below it", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "posted by Ben Black on Fri, 20 Nov 2026 03:00\n{m}\nRef <ref@example.org> wrote:\n{quoted}" },
    Case { name: "12: a quotation that is not ours, with a move", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "<html><body><div>Yes!</div><blockquote>Hi<br>{m}</blockquote></body></html>" },
    Case { name: "7: an attribution over five lines, above a field with our address", past: "noted", cites: Cites::Ours, subject: "Re: Friday", body: " On Friday, November 20, 2026 at 03:00:00 AM GMT,\ncold the thing there could that that there i I\nmeant: {m}\n<{long}>\nwrote:\n\ntakeback\nresign\nresign\n*From:* <ref@example.org>\nWhite       Black\n{row}\n{foot}\n" },
    Case { name: "7: the rest of an attribution above a whole quotation", past: "told what is legal", cites: Cites::Ours, subject: "Re: Friday", body: "Ben Black <ben@black.test>\nwrote:\n\n{end}\n{m}\n" },
    Case { name: "7: the rest of an attribution by a name that is nobody's", past: "told what is legal", cites: Cites::Ours, subject: "Re: Friday", body: "Nice one\nwrote:\n\n{end}\n{m}\n" },
    Case { name: "7: a date and an address over two lines, above the end of our mail", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "2026/11/20 nobody until along thing got we thing could walked for\nwalke <{long}>\n\n{end}\nresign\n" },
    Case { name: "8: a foot in marks below our address as a name", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nOn Tue, 24 Nov 2026, \"ref@example.org\" <ben@black.test> wrote:\n> {foot}\n\nresign\n" },
    Case { name: "8: a foot in marks below our address", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nRef <ref@example.org> wrote:\n> {foot}\n\n{m}\n" },
    Case { name: "8: a copy of our mail in marks below our address", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nRef <ref@example.org> wrote:\n{quoted}\n{m}\n" },
    Case { name: "9: an id that is none", past: "mid-game", cites: Cites::Odd("<\"ben 77\"@black.test>"), subject: "Re: Friday", body: "Yes!\n\nOn Tue, 24 Nov 2026, Ben <ben@black.test> wrote:\n\n> {foot}\n\nresign\n" },
    Case { name: "9: an empty id", past: "mid-game", cites: Cites::Odd("<>"), subject: "Re: Friday", body: "Yes!\n\nBen <ben@black.test> wrote:\n\n{quoted}\nresign\n" },
    Case { name: "9: a bracket in an id", past: "mid-game", cites: Cites::Odd("<a<b@c>"), subject: "Re: Friday", body: "Yes!\n\nBen <ben@black.test> wrote:\n\n{quoted}\nresign\n" },
    Case { name: "9: an id beyond ASCII", past: "mid-game", cites: Cites::Odd("<bén@black.test>"), subject: "Re: Friday", body: "Yes!\n\nBen <ben@black.test> wrote:\n\n{quoted}\nresign\n" },
    Case { name: "9: two ids", past: "mid-game", cites: Cites::Odd("<ben.77@black.test> {our}"), subject: "Re: Friday", body: "Yes!\n\nBen <ben@black.test> wrote:\n\n{quoted}\nresign\n" },
    Case { name: "9: our id in his", past: "mid-game", cites: Cites::Odd("<x{our}"), subject: "Re: Friday", body: "Yes!\n\nBen <ben@black.test> wrote:\n\n{quoted}\nresign\n" },
    Case { name: "10: From: Ben", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nFrom: Ben\n\nresign\n" },
    Case { name: "10: Von: Ben <ben@black.test>", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nVon: Ben <ben@black.test>\n\nresign\n" },
    Case { name: "10: 发件人：Ben", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n发件人：Ben\n\nresign\n" },
    Case { name: "10: Original message", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nOriginal message\n\nresign\n" },
    Case { name: "10: Ursprüngliche Nachricht", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nUrsprüngliche Nachricht\n\nresign\n" },
    Case { name: "10: 原始邮件", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n原始邮件\n\nresign\n" },
    Case { name: "10: Quoting Ben <ben@black.test>", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nQuoting Ben <ben@black.test>\n\nresign\n" },
    Case { name: "10: Message from Ben", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nMessage from Ben\n\nresign\n" },
    Case { name: "10: Ben wrote", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nBen wrote\n\nresign\n" },
    Case { name: "10: Ben wrote on 24 November", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nBen wrote on 24 November\n\nresign\n" },
    Case { name: "10: (Ben wrote)", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n(Ben wrote)\n\nresign\n" },
    Case { name: "10: Ben wrote...", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nBen wrote...\n\nresign\n" },
    Case { name: "10: Ben hat geschrieben", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nBen hat geschrieben\n\nresign\n" },
    Case { name: "10: Em ter., 24 de nov. de 2026, Ben escreveu", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nEm ter., 24 de nov. de 2026, Ben escreveu\n\nresign\n" },
    Case { name: "10: pe 24. marraskuuta Ben kirjoitti", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\npe 24. marraskuuta Ben kirjoitti\n\nresign\n" },
    Case { name: "10: Ben님이 작성", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nBen님이 작성\n\nresign\n" },
    Case { name: "10: Ben <ben@black.test>", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nBen <ben@black.test>\n\nresign\n" },
    Case { name: "10: ben@black.test", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nben@black.test\n\nresign\n" },
    Case { name: "10: [Ben]", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n[Ben]\n\nresign\n" },
    Case { name: "10: << Ben >>", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n<< Ben >>\n\nresign\n" },
    Case { name: "10: Ben —", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nBen —\n\nresign\n" },
    Case { name: "10: 24 Nov 2026", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n24 Nov 2026\n\nresign\n" },
    Case { name: "11: <blockquote></blockquote><p>resign</p></blockquote>", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "<html><body><p>Yes!</p><blockquote></blockquote><p>resign</p></blockquote></body></html>" },
    Case { name: "11: <blockquote><img src=x></blockquote><p>resign</p></blockquote>", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "<html><body><p>Yes!</p><blockquote><img src=x></blockquote><p>resign</p></blockquote></body></html>" },
    Case { name: "11: <blockquote></body></html><p>resign</p></blockquote>", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "<html><body><p>Yes!</p><blockquote></body></html><p>resign</p></blockquote></body></html>" },
    Case { name: "11: <blockquote><template></template></blockquote>resign</blockquote>", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "<html><body><p>Yes!</p><blockquote><template></template></blockquote>resign</blockquote></body></html>" },
    Case { name: "9: words for an id", past: "mid-game", cites: Cites::Words, subject: "Re: Friday", body: "Yes!\n\nBen <ben@black.test> wrote:\n\n{quoted}\nresign\n" },
    Case { name: "13: a name on a line of its own", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nresign\n<{long}> wrote:\n\n> Hi\n" },
    Case { name: "13: the same behind Ben's words", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nWe walked along the river for hours until it got dark and so cold\nresign\n<{long}> ezt írta (időpont: 2026. nov. 20., P, 4:00):\n\n> Hi\n" },
    Case { name: "13: a move for a name", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\n{m} <\n{long}> ezt írta (időpont: 2026. nov. 20., P, 4:00):\n\n> Hi\n" },
    Case { name: "13: a name above a date", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nresign\n20.11.2026 03:00\n\nTo\nAnna\ncc\n\nSubject\nFriday\n\nHi\n" },
    Case { name: "13: a name on a line of its own, in an answer to ours", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Yes!\n\nresign\n<{long}> ezt írta (időpont: 2026. nov. 20., P, 4:00):\n\n> Hi\n" },
    Case { name: "13: a name that breaks a block of two fields", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "From: Ben, who walked along the river\n<{long}>\nSubject: hello\n\n{m}\n" },
    Case { name: "13: a name above an American date", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nresign\n11/20/2026 03:00 PM\n\nTo\nAnna\n\nHi\n" },
    Case { name: "13: a name above a date in a paragraph of its own", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "<html><body><p>Yes!</p><p><b>resign</b></p><p>Fri 11/20/2026 3:00 PM</p><p>Hi</p></body></html>" },
    Case { name: "13: a name above an address without brackets", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\n{m}\nben@black.test\n\nHi\n" },
    Case { name: "13: a name above a verb", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\noffer draw\nhat am 20.11.2026 03:00 geschrieben:\n\n> Hi\n" },
    Case { name: "13: a name of many lines", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nresign\n{long}\n{long}\n{long}\n{long}\n{long}\n<ben@black.test> wrote:\n\n> Hi\n" },
    Case { name: "13: a name above a date of another century", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nresign\nNov 20, 2126\n\nHi\n" },
    Case { name: "13: a name in an element that has one", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "<html><body><p>Yes!</p><div class=\"gmail_attr\">resign</div><blockquote class=\"gmail_quote\">Hi</blockquote></body></html>" },
    Case { name: "13: a mail copied from a page, in an answer to ours", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Yes!\n\nBen Beta\nben@black.test\nFri, Nov 20, 3:00 PM\nto me\nHi\nresign\n" },
    Case { name: "13: the same above marks alone", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Yes!\n\noffer draw\n<{long}> xyzzy\n\n> Hi\n" },
    Case { name: "14: an order between the lines of our mail, in a mail of Ben's", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nRef <ref@example.org> wrote:\n\n{upper}\nresign\n\n{lower}" },
    Case { name: "14: the same, with ours beside it", past: "mid-game", cites: Cites::Both, subject: "Re: Friday", body: "Yes!\n\n{upper}\nresign\n\n{lower}" },
    Case { name: "14: the same below Ben's name, in an answer to ours", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\nBen wrote:\n\nRef <ref@example.org> wrote:\n\n{upper}\nresign\n\n{lower}" },
    Case { name: "14: the same below Ben's header block, in an answer to ours", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\n{outlook}\n{upper}\nresign\n\n{lower}" },
    Case { name: "14: the same below an attribution of Ben's there", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\nRef <ref@example.org> wrote:\n\n{upper}\nBen wrote:\nresign\n\n{lower}" },
    Case { name: "14: the same with another mail's foot", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Ref <ref@example.org> wrote:\n\n{upper}\nresign\n\nGame m, 2 half-moves made, hash 0123456789abcdef.\n" },
    Case { name: "14: an order behind the marks of our mail", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Ref <ref@example.org> wrote:\n{>upper}> resign\n{>lower}" },
    Case { name: "14: a move behind the marks of our mail", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Ref <ref@example.org> wrote:\n{>upper}> {n}{m}\n{>lower}" },
    Case { name: "14: below our mail in marks, below Ben's header block", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\n{outlook}\n{quoted}\nresign\n" },
    Case { name: "14: below our mail in marks, below a line of Ben's", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\n-----Original Message-----\nBen wrote:\n\n{quoted}\nresign\n" },
    Case { name: "14: below the head of Notes with Ben's address", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Yes!\n\nBen <ben@black.test>\n20.11.2026 03:00\n\nTo\nAnna\ncc\n\nSubject\nFriday\n\n{mail}\nresign\n" },
    Case { name: "15: our address as a name above a copy of our mail", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\nFrom: ref@example.org <ben@black.test>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Anna\nSubject: Friday\n\n{mail}\nresign\n" },
    Case { name: "15: our name in copy", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\nFrom: Ben Black\nSent: Friday, November 20, 2026 3:00 AM\nTo: Anna\nCc: Ref\nSubject: Friday\n\n{mail}\nresign\n" },
    Case { name: "15: our address in copy", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\nFrom: Benedict\nSent: Friday, November 20, 2026 3:00 AM\nTo: Anna\nCc: Ref <ref@example.org>\nSubject: Friday\n\n{mail}\nresign\n" },
    Case { name: "15: our name in a subject", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\nFrom: Benedict\nSent: Friday, November 20, 2026 3:00 AM\nTo: Anna\nSubject: I prefer Friday\n\n{mail}\nresign\n" },
    Case { name: "15: our name in a word", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\nFrom: Refik Black\nSent: Friday, November 20, 2026 3:00 AM\nTo: Anna\nSubject: Friday\n\n{mail}\nresign\n" },
    Case { name: "15: our address as a name in an attribution", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "See below.\n\nOn Tue, 24 Nov 2026, \"ref@example.org\" <ben@black.test> wrote:\n\n{mail}\nresign\n" },
    Case { name: "16: a move filled into our mail, sent on under its id, in marks below another's name", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Nice!\n\nOn Fri, 20 Nov 2026 03:00:00 +0000, Ben wrote:\n{>filled}" },
    Case { name: "16: the same below another's address", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Nice!\n\nOn Fri, 20 Nov 2026 03:00:00 +0000, Ref <ben@black.test> wrote:\n{>filled}" },
    Case { name: "16: a row in marks and one without, below another's name over two lines", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Ben Black\nhat am 20.11.2026 03:00 geschrieben:\n\n{first}\n{row}\n" },
    Case { name: "16: the same below an attribution over five lines", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Xyzzy\nFri, 20 Nov 2026 03:00:00\n\nBen Black\n<ben@black.test> 2026:\n\n{first}\n{row}\n" },
    Case { name: "17: a sender's field in the marks", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Nice one!\n\n> From: Ben <ben@black.test>\n> To: Anna\n> Subject: Re: Friday\n> Date: Fri, 20 Nov 2026 03:00:00 +0000\n>\n{>filled}" },
    Case { name: "17: an attribution that looks like a field", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Ben ha escrit:\n{>filled}" },
    Case { name: "17: a name in brackets", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "[Ben]\n{>filled}" },
    Case { name: "17: a name and an address without a colon", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Ben Black <ben@black.test>\n{>filled}" },
    Case { name: "17: our address in another's name", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "In article <m.1.x@example.org>, bb@black.test (Referee ref@example.org) writes:\n{>filled}" },
    Case { name: "18: a name and a date in an answer to a letter of her own", past: "mid-game", cites: Cites::Own, subject: "Re: Friday", body: "Bring the board.\n\nAnna Alpha, 20 November 2026\nYes, Friday!\n\nBen Black, 20 November 2026\nresign\n" },
    Case { name: "18: the end of a foot that was made long", past: "mid-game", cites: Cites::Unknown, subject: "Re: Friday", body: "ref@example.org wrote:\n{quoted}resign\n\nYes!\n" },
    Case { name: "18: a name of one who speaks", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nB. (I):\n\nresign\n" },
    Case { name: "18: the same in an answer to a letter of her own", past: "mid-game", cites: Cites::Own, subject: "Re: Friday", body: "Yes!\n\nB. (I):\n\nresign\n" },
    Case { name: "18: a name that greets, and a verb", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nHi Ben wrote\n\nresign\n" },
    Case { name: "18: a name of many words, of one who speaks, above all else", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "river for dark we until and could that could so we nobody a note:\n\nresign\n" },
    Case { name: "18: a heading of ours for a name", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nBlack's pieces in reserve:\n\nresign\n" },
];

/// Letters that were neither carried out nor answered.
#[rustfmt::skip]
const UNHEARD: &[Case] = &[
    Case { name: "a list below a banner, above our mail", past: "mid-game", cites: Cites::Older, subject: "Re: Friday", body: "Warning: from outside\nSender: anna@white.test\n--------------------\n\n{list}\n\nIl giorno ven 20 nov 2026 alle ore 04:00 Ref <ref@example.org> ha scritto:\n\n{quoted}" },
    Case { name: "a move below a list that repeats older ones", past: "mid-game", cites: Cites::Own, subject: "Re: Friday", body: "Ben Black <ben@black.test> wrote:\n\n{first}\n\n{m}\n" },
    Case { name: "an order below a line of a signature in a quotation", past: "take-back proposed", cites: Cites::Ours, subject: "Re: Friday", body: "Ha!\n\n---- Reply Message ----\nFrom: Ben Black <ben@black.test>\nDate: Friday, 20 November 2026\n\n—\n\nresign\n" },
    Case { name: "an order between short lines in marks", past: "mid-game", cites: Cites::Own, subject: "Re: Friday", body: "> \n{m}\n> show\n" },
    Case { name: "an order behind a block quote whose table has no end", past: "mid-game", cites: Cites::Own, subject: "Re: Friday", body: "<html><body><blockquote type=cite><table><tr><td>Hi</blockquote><div>{m}</div><blockquote type=cite>So</blockquote></body></html>" },
    Case { name: "an order between the lines of our help", past: "helped", cites: Cites::Own, subject: "Re: Friday", body: "> Besides moves, these are understood alone on a line:\n> \nresign\n>   \"resign\"\n>   \"offer draw\", which may stand below a move\n" },
    Case { name: "an order in a block quote of text in its columns", past: "mid-game", cites: Cites::Own, subject: "Re: Friday", body: "<html><body><blockquote type=cite><pre><blockquote>\n</blockquote><div>{m}</div>\n<blockquote></pre></blockquote></body></html>" },
    Case { name: "an order behind a block quote whose text in its columns has no end", past: "mid-game", cites: Cites::Own, subject: "Re: Friday", body: "<html><body><blockquote type=cite><table><tr><td><pre>Hi</blockquote><div>{m}</div></body></html>" },
    Case { name: "an order below one marked line, which our help has beside it", past: "helped", cites: Cites::Ours, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n> line:\n\nresign\n" },
    Case { name: "the same without marks", past: "helped", cites: Cites::Ours, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n---- Reply Message ----\nFrom: Ben Black <ben@black.test>\nDate: Friday, 20 November 2026\n\nline:\n\nresign\n" },
    Case { name: "a copy of our mail under our address, at the start of Ben's mail", past: "mid-game", cites: Cites::Unknown, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nFrom: Ben <ben@black.test>\n\nref@example.org wrote:\n{quoted}\n\n{m}\n" },
    Case { name: "the same, in a letter that cites nothing", past: "mid-game", cites: Cites::Nothing, subject: "Re: Friday", body: "Yes, Friday is fine!\n\nBen:\n\nref@example.org wrote:\n{quoted}\n\n{m}\n" },
    Case { name: "a copy of our mail, as if by a name that is our address", past: "mid-game", cites: Cites::Unknown, subject: "Re: Friday", body: "ref@example.org wrote:\n{quoted}\n\n{m}\n" },
    Case { name: "below a rule, in an answer to a letter of her own", past: "mid-game", cites: Cites::Own, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n---\n\n{m}\n" },
    Case { name: "a greeting by a name, below another", past: "mid-game", cites: Cites::Unknown, subject: "Re: Friday", body: "Hi\n{m},\n\nYes, Friday is fine!\n" },
    Case { name: "below a mark with nothing behind it", past: "mid-game", cites: Cites::Unknown, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n>\n{m}\n" },
    Case { name: "between the tags of a forum", past: "mid-game", cites: Cites::Unknown, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n[quote]\n{m}\n[/quote]\n" },
    Case { name: "a name above an address alone", past: "mid-game", cites: Cites::Unknown, subject: "Re: Friday", body: "Yes, Friday is fine!\n\n{m}\n\nben@black.test\n\nAre you free on Friday?\n" },
    Case { name: "a wish for no mail below somebody's quotation", past: "mid-game", cites: Cites::Ben, subject: "Re: Friday", body: "Yes!\n\nBen <ben@black.test> wrote:\n> Hi\n\nmail off\n" },
];

/// Letters whose order `{o}` is the writer's, though it was not carried out once.
#[rustfmt::skip]
const TYPED: &[Case] = &[
    Case { name: "between the lines, below a header block", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "From: Ref <ref@example.org>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Anna\nSubject: hello\n\n{upper}\n{o}\n\n{lower}" },
    Case { name: "between the lines, below an attribution", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "Ref <ref@example.org> writes:\n\n{upper}\n{o}\n\n{lower}" },
    Case { name: "between the lines, below our address with a player's name from an address book", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "On Friday, 20 November 2026, \"Ben\" <ref@example.org> wrote:\n\n{upper}\n{o}\n\n{lower}" },
    Case { name: "between the lines, below an attribution over two lines", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "On Friday, 20 November 2026,\nRef <ref@example.org> wrote:\n\n{upper}\n{o}\n\n{lower}" },
    Case { name: "between marks, below a separator", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "-------- Original Message --------\nOn Friday, November 20th, 2026 at 3:00 AM, Ref <ref@example.org> wrote:\n\n{>upper}\n{o}\n\n{>lower}" },
    Case { name: "between marks, below a header block", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "From: Ref <ref@example.org>\nSent: Friday, November 20, 2026 3:00 AM\nTo: Anna\nSubject: hello\n\n{>upper}\n{o}\n\n{>lower}" },
    Case { name: "between marks, below an empty line of a mail that has the word", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "Ref <ref@example.org> writes:\n\n{>upper}> \n{o}\n{>lower}" },
    Case { name: "below marks, in words about a message", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "In message <m.1.x@example.org>, Ref writes:\n{quoted}\n{o}\n" },
    Case { name: "below marks, with a name of an address book on a line of its own", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "On Fri, 20 Nov 2026, Ben\n<ref@example.org> wrote:\n{quoted}\n{o}\n" },
    Case { name: "below marks, with a sub-address of ours", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "Ref <ref+chess@example.org> wrote:\n{quoted}\n{o}\n" },
    Case { name: "between marks, above a foot of Ben's", past: "mid-game", cites: Cites::Ours, subject: "Re: Friday", body: "Ref <ref@example.org> wrote:\n{>upper}\n{o}\n\n{>lower}\n---- Reply Message ----\nFrom: Ben Black <ben@black.test>\nDate: Friday, 20 November 2026\n\n{foot}\n" },
    Case { name: "below, with the head of Notes", past: "mid-game", cites: Cites::Ours, subject: "Re: [m]", body: "Ref <ref@example.org>\n20.11.2026 03:00\n\nTo\nAnna <anna@white.test>\ncc\n\nSubject\nhello\n\n{mail}\n\n{o}\n" },
];

/// Went wrong: what stood between the lines of our mail was dropped unheard, or asked about
/// each time.
#[test]
#[ignore = "takes long"]
fn orders_between_the_lines_of_our_mail_are_its_reader_s() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(25);
    let past = PASTS.iter().find(|(name, _)| *name == "mid-game");
    let past = past.expect("a past");
    let scene = Scene::after(&desk, past, Color::White, &mut rng).expect("a match");
    for case in TYPED {
        for order in ["{m}", "{n}{m}", "resign", "offer draw", "Hello Ben!\n\n{m}"] {
            let letter = case.letter_with(&scene, order);
            for policy in [Policy::Address, Policy::Token] {
                let outcome = desk.hear(policy, &scene.game, scene.side, &letter);
                let what = format!("{}, {order}, {}", case.name, policy.name());
                assert_eq!(outcome.done.len(), 1, "{what}: {}\n{letter}", outcome.log);
                let has_note = outcome.log.contains(" note ");
                assert_eq!(
                    has_note,
                    order.starts_with("Hello"),
                    "{what}: {}",
                    outcome.log
                );
            }
        }
    }
}

/// Went wrong: a salutation was taken for somebody's head, a name with a colon above its address for
/// a field, and a row that anybody may have filled in for a second move of the writer's.
#[test]
fn an_order_above_what_anybody_may_have_written_is_carried_out() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(25);
    let past = PASTS.iter().find(|(name, _)| *name == "mid-game");
    let past = past.expect("a past");
    let scene = Scene::after(&desk, past, Color::White, &mut rng).expect("a match");
    for (cites, body) in [
        (Cites::Nothing, "Hi Ben\n\n{o}\n"),
        (Cites::Unknown, "Dear Ben Black\n\n{o}\n"),
        (
            Cites::Unknown,
            "{o}\n\nresign Answer code: m,2,abcdefgh234567ab Ben\n<{long}>\n20.11.2026 03:00\n\nHi\n{m}\n",
        ),
        (
            Cites::Unknown,
            "{o}\n\nRef <ref@example.org> wrote:\n{quoted}\n\n>\n> <use>\n{>filled}",
        ),
    ] {
        let case = Case {
            name: body,
            past: "",
            cites,
            subject: "Re: [m]",
            body,
        };
        let order = &scene.moves[0];
        let letter = case.letter_with(&scene, order);
        let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
        let expected = [format!("move {order}")];
        assert_eq!(outcome.done, expected, "{letter}\n{}", outcome.log);
    }
}

/// Went wrong: our mail in one paragraph was taken for another move.
#[test]
#[ignore = "takes long"]
fn a_move_above_our_mail_in_one_paragraph_is_played() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(25);
    for past in PASTS {
        let Some(scene) = Scene::after(&desk, past, Color::White, &mut rng) else {
            continue;
        };
        if scene.game.record().steps().is_empty() {
            continue;
        }
        for shown in &scene.mails {
            let words: Vec<&str> = shown.mail.text.split_whitespace().collect();
            let case = Case {
                name: "one paragraph",
                past: "",
                cites: Cites::Unknown,
                subject: "Re: [m]",
                body: format!("{{m}}\n\n\n{}\n", words.join(" ")).leak(),
            };
            let letter = case.letter(&scene);
            let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
            assert_eq!(
                outcome.done.len(),
                1,
                "{}:\n{letter}\n{}",
                past.0,
                outcome.log
            );
        }
    }
}

/// Went wrong: what puts an earlier letter right was about today's position, whatever the
/// earlier one was about.
#[test]
fn an_edit_is_about_the_position_of_the_letter_that_it_edits() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(25);
    let past = [('A', "K>z9"), ('A', "{m}"), ('B', "{m}")];
    let scene = Scene::of_words(&desk, "edited", &past, Color::White, &mut rng).expect("a match");
    let case = Case {
        name: "edited",
        past: "",
        cites: Cites::Own,
        subject: "Re: [m]",
        body: "{m}\n",
    };
    let letter = case.letter(&scene);
    let edit = format!("Chat-Edit: {}\nMIME-Version", scene.letters[0]);
    let letter = letter.replace("MIME-Version", &edit);
    let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
    assert!(
        outcome.done.is_empty() && outcome.is_answered,
        "{}",
        outcome.log
    );
}

/// Went wrong: what was carried among lines that look like our links had no neighbours left in
/// a letter, from which such lines are taken.
#[test]
#[ignore = "takes long"]
fn words_among_lines_like_our_links_are_nobody_s() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(25);
    let orders = [
        "note 2. K>a1",
        "note resign",
        "note I                                                                      resign",
    ];
    let links = [
        "Knight on c3\nshow\nto d5\ntakes e4",
        "Place a pawn\n8 + + +\nshow\na b c",
    ];
    for (order, links) in orders
        .into_iter()
        .flat_map(|order| links.map(|links| (order, links)))
    {
        let words = format!("{{m}}\nnote 1. P>e3\n{links}\n{order}\nplace");
        let past: [(char, &str); 2] = [('A', "{m}"), ('B', words.leak())];
        let scene = Scene::of_words(&desk, "noted", &past, Color::White, &mut rng);
        let scene = scene.expect("a match");
        let html = scene.mails[scene.current()]
            .mail
            .html
            .clone()
            .expect("HTML");
        for above in [
            "<div>Yes!</div><div id=appendonsend></div><hr><div id=divRplyFwdMsg><b>From:</b> Ref &lt;ref@example.org&gt;<br><b>Sent:</b> Friday<br><b>To:</b> Anna<br><b>Subject:</b> hello</div>",
            "<div>Yes!</div>",
        ] {
            let body: &'static str =
                format!("<html><body>{above}<div>{html}</div></body></html>").leak();
            let case = Case {
                name: "taps",
                past: "",
                cites: Cites::Ours,
                subject: "Re: [m]",
                body,
            };
            let letter = case.letter(&scene);
            let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
            assert!(
                outcome.done.is_empty(),
                "{order} {above}: {}\n{letter}",
                outcome.log
            );
        }
    }
}

/// Went wrong: in a match that had changed hands, the other player counted as the one who had
/// sent our mails, so that a copy of one without marks was ours, and the word below it Anna's.
#[test]
fn a_match_that_changed_hands_gives_nobody_the_words_below_a_quotation_without_marks() {
    let (before, now) = (Desk::new(), Desk::at("ref@club.test"));
    let past = PASTS.iter().find(|(name, _)| *name == "mid-game");
    let past = past.expect("a past");
    let mut rng = Rng::with_seed(25);
    let scene = Scene::after(&before, past, Color::White, &mut rng).expect("a match");
    let case = Case {
        name: "below another's name",
        past: "mid-game",
        cites: Cites::Ours,
        subject: "Re: Friday",
        body: "Friday is fine!\n\n-----Original Message-----\nFrom: Ben <ben@black.test>\nSent: Friday, 20 November 2026 03:00\nTo: Anna\nSubject: Re: [m]\n\n{mail}\nresign\n",
    };
    let letter = case.letter(&scene);
    let outcome = now.hear(Policy::Address, &scene.game, scene.side, &letter);
    assert!(outcome.done.is_empty(), "{}", outcome.log);
    // From us it is answered as ever.
    let letter = letter.replace("Ben <ben@black.test>", "Ref <ref@club.test>");
    let outcome = now.hear(Policy::Address, &scene.game, scene.side, &letter);
    assert_eq!(outcome.done, ["resign"], "{}", outcome.log);
}

#[test]
#[ignore = "takes long"]
fn letters_that_were_unheard_once_are_asked_about() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(25);
    for case in UNHEARD {
        let past = PASTS
            .iter()
            .find(|(name, _)| *name == case.past)
            .expect("a past");
        let scene = Scene::after(&desk, past, Color::White, &mut rng).expect("a match");
        let letter = case.letter(&scene);
        let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
        let name = case.name;
        assert!(outcome.done.is_empty(), "{name}: {:?}", outcome.done);
        assert!(
            ["confirm", "refused"].contains(&outcome.word.as_str()),
            "{name}: {}",
            outcome.word
        );
        assert!(outcome.is_answered, "{name}");
        // The same words once more are answered, too, also directly above the quotation.
        let again = letter.replacen("Message-ID: <", "Message-ID: <2.", 1);
        let again = again.replacen(ITALIAN, "", 1);
        let game: Match = outcome.game.parse().expect("a match");
        let second = desk.hear(Policy::Address, &game, scene.side, &again);
        assert!(
            second.is_answered || !second.done.is_empty(),
            "{name}, again: {}",
            second.log
        );
    }
}

#[test]
#[ignore = "takes long"]
fn letters_that_were_faulty_once_are_not() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(25);
    let mut faults = Vec::new();
    let sides = Color::ALL.into_iter();
    for (case, side) in CASES
        .iter()
        .flat_map(|case| sides.clone().map(move |side| (case, side)))
    {
        let past = PASTS
            .iter()
            .find(|(name, _)| *name == case.past)
            .expect("a past");
        let Some(scene) = Scene::after(&desk, past, side, &mut rng) else {
            continue;
        };
        let letter = case.letter(&scene);
        for policy in [Policy::Address, Policy::Token] {
            let outcome = desk.hear(policy, &scene.game, scene.side, &letter);
            if !outcome.done.is_empty() {
                faults.push(format!(
                    "{}, {side:?}, {}: {:?}",
                    case.name,
                    policy.name(),
                    outcome.done
                ));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} are faulty\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// The program's help has the two commands one below the other.
#[test]
fn an_order_above_a_quotation_that_begins_with_another_is_carried_out() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(25);
    let helped = [('A', "{m}"), ('B', "{m}"), ('A', "help")];
    let scene = Scene::of_words(&desk, "helped", &helped, Color::White, &mut rng).expect("a match");
    for (cites, head) in [
        (Cites::Ben, ""),
        (Cites::Ben, "Ben wrote:\n"),
        (Cites::Nothing, ""),
    ] {
        for (above, below) in [("resign", "offer draw"), ("offer draw", "resign")] {
            let body = format!("{above}\n\n{head}> {below}\n> Hi\n");
            let case = Case {
                name: above,
                past: "",
                cites,
                subject: "Re: [m]",
                body: Box::leak(body.into_boxed_str()),
            };
            let letter = case.letter(&scene);
            let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &letter);
            assert_eq!(outcome.done.len(), 1, "{letter}\n{:?}", outcome.done);
        }
    }
}

/// An opponent's note must not swallow what stands below the quotation of it.
#[test]
#[ignore = "takes long"]
fn what_stands_below_a_note_of_armour_is_heard() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(5);
    for armour in [
        "-----BEGIN PGP MESSAGE-----",
        "-----BEGIN PGP PUBLIC KEY BLOCK-----",
        "-----BEGIN PGP SIGNED MESSAGE-----",
        "-----BEGIN PGP SIGNATURE-----",
    ] {
        let note = format!("{{m}}\n\nnote {armour}");
        let past = ("noted", [('A', "{m}"), ('B', note.as_str())]);
        let scene =
            Scene::of_words(&desk, past.0, &past.1, Color::White, &mut rng).expect("a match");
        let case = Case {
            name: armour,
            past: "",
            cites: Cites::Ours,
            subject: "Re: [m]",
            body: "{quoted}\n{m}\n",
        };
        let mut game: Match = scene.game.clone();
        for turn in 0..3 {
            let letter = case
                .letter(&scene)
                .replace("<anna@", &format!("<anna.{turn}@"));
            let letter = letter.replace(
                &format!("<anna.{turn}@white.test>\nTo"),
                &format!("<{ANNA}>\nTo"),
            );
            let outcome = desk.hear(Policy::Address, &game, scene.side, &letter);
            assert!(
                outcome.is_answered || !outcome.done.is_empty(),
                "{armour}, letter {turn}"
            );
            if !outcome.done.is_empty() {
                break;
            }
            game = outcome.game.parse().expect("a match");
        }
    }
}

/// Went wrong: who wrote the lines again that a question had repeated was not heard.
#[test]
fn lines_that_we_asked_about_are_heard_again() {
    let desk = Desk::new();
    let mut rng = Rng::with_seed(25);
    let past = PASTS.iter().find(|(name, _)| *name == "mid-game");
    let past = past.expect("a past");
    let scene = Scene::after(&desk, past, Color::Black, &mut rng).expect("a match");
    let case = Case {
        name: "two lists",
        past: "",
        cites: Cites::Own,
        subject: "Re: Friday",
        body: "{o}\n",
    };
    let [one, other] = [&scene.moves[0], &scene.moves[1]].map(|text| scene.list_with(text));
    let head = "Mnamo tarehe 20 Novemba 2026 Anna <ben@black.test> aliandika";
    let lists = format!("{one}\n{head}\n\n{other}{}", scene.foot(true));
    let letter = case.letter_with(&scene, &lists);
    let mut game: Match = scene.game.clone();
    for turn in 0..3 {
        let id = format!("Message-ID: <anna.{turn}@");
        let letter = letter.replace("Message-ID: <anna@", &id);
        let outcome = desk.hear(Policy::Address, &game, scene.side, &letter);
        assert!(outcome.is_answered, "letter {turn}: {}", outcome.log);
        game = outcome.game.parse().expect("a match");
    }
}

impl Case {
    fn letter(&self, scene: &Scene) -> String {
        self.letter_with(scene, "")
    }

    fn letter_with(&self, scene: &Scene, words: &str) -> String {
        let ours = &scene.mails[scene.current()].mail;
        let older = &scene.older().mail.id;
        let ben = "<friday@black.test>";
        let cites = match self.cites {
            Cites::Ours => format!("In-Reply-To: {}\n", ours.id),
            Cites::Older => format!("In-Reply-To: {older}\n"),
            Cites::Disclosed => {
                let mail = &scene.mails[scene.disclosed - 1].mail;
                format!("In-Reply-To: {}\n", mail.id)
            }
            Cites::Ben => format!("In-Reply-To: {ben}\nReferences: {}\n {ben}\n", ours.id),
            Cites::Odd(id) => {
                let id = id.replace("{our}", &ours.id);
                format!("In-Reply-To: {id}\nReferences: {} {id}\n", ours.id)
            }
            Cites::Both => format!("In-Reply-To: {ben}\nReferences: {}\n", ours.id),
            Cites::Words => format!(
                "In-Reply-To: Your message of Fri, 20 Nov 2026 03:00:00 +0000\nReferences: {}\n",
                ours.id
            ),
            Cites::Unknown => "In-Reply-To: <relay@known.test>\n".to_owned(),
            Cites::Own => format!("In-Reply-To: {}\n", scene.letters[0]),
            Cites::Nothing => String::new(),
        };
        let text = &scene.moves[1];
        let list = scene.list_with(text);
        let row = list.lines().last().unwrap_or_default();
        let first = &scene.game.record().steps()[0].text;
        let end: Vec<&str> = ours
            .text
            .lines()
            .skip_while(|line| !line.contains("PPPP"))
            .collect();
        let end = end.join("\n");
        let line = |line: &str| format!("> {line}\n");
        let marked = |text: &str| -> String { text.lines().map(line).collect() };
        // Below the line that explains how to answer.
        let how = ours.text.find("Alone on a line").expect("how to answer");
        let place = how + ours.text[how..].find('\n').expect("a line end") + 1;
        let (upper, lower) = ours.text.split_at(place);
        let so_far = scene.list().unwrap_or_default();
        let filled = ours.text.replacen(&so_far, list.trim_end(), 1);
        let disclosed = match scene.disclosed {
            0 => "",
            known => scene.mails[known - 1].mail.text.as_str(),
        };
        let half = disclosed.find("Alone on a line").unwrap_or_default();
        let halves = disclosed.split_at(half);
        let body = self
            .body
            .replace("{disclosed}", disclosed)
            .replace("{>disclosed}", &marked(disclosed))
            .replace("{>disclosed upper}", &marked(halves.0))
            .replace("{>disclosed lower}", &marked(halves.1))
            .replace(
                "{>disclosed filled}",
                &marked(&disclosed.replacen(&so_far, list.trim_end(), 1)),
            )
            .replace("{o}", words)
            .replace("{upper}", upper)
            .replace("{lower}", lower)
            .replace("{>upper}", &marked(upper))
            .replace("{>lower}", &marked(lower))
            .replace("{outlook}", OUTLOOK)
            .replace("{html}", HTML)
            .replace("{>filled}", &marked(&filled))
            .replace("{>list}", &marked(&list))
            .replace("{row}", row)
            .replace("{first}", &format!("> 1. {first}"))
            .replace("{foot}", &scene.foot(true))
            .replace("{long}", LONG)
            .replace("{mail}", &ours.text)
            .replace("{end}", &end)
            .replace("{quoted}", &marked(&ours.text))
            .replace("{m}", text)
            .replace("{n}", &scene.number());
        let kind = if body.starts_with('<') {
            "html"
        } else {
            "plain"
        };
        format!(
            "From: Anna <{ANNA}>\nTo: {REFEREE}\nSubject: {}\nMessage-ID: <anna@white.test>\n{cites}MIME-Version: 1.0\nContent-Type: text/{kind}; charset=utf-8\n\n{body}",
            self.subject
        )
    }
}
