#!/usr/bin/env bash
# What answers by itself: procmail's formail, as the vacation recipes of its
# manual use it.
source "$(dirname "$0")/lib"
f="procmail's formail $(version procmail)"

# reply FIELDS… : the header of an answer, and the body from stdin
reply() {
  { at formail -rt -I 'From: Björn Black <black@example.test>' "$@" <"$parent"; cat; } | "$make/sendmail"
}
reply -A 'Precedence: junk' -A 'X-Loop: black@example.test' <<'T'
I am on vacation until 1 December and will read your mail when I am back.
T
keep 129-formail-vacation ignore "$f" 'the classical vacation recipe: Precedence: junk'
{ printf 'I am away. Your message was:\n\n'; tail -n 12 "$parent" | sed 's/^/> /'; printf '\nn>g5\n'; } |
  reply -A 'Auto-Submitted: auto-replied'
keep 130-formail-auto ignore "$f" 'Auto-Submitted, with a move in it'
