#!/usr/bin/env bash
# nmh, mblaze and notmuch: an answer is a draft in a file, an editor, and sendmail.
source "$(dirname "$0")/lib"

h="nmh $(version nmh)"
z="mblaze $(version mblaze)"
k="notmuch $(version notmuch)"
from='Björn Black <black@example.test>'

# A command edits a draft: edit HOW TEXT as a program of its own.
editor() {
  printf '#!/bin/sh\nexec %s %s '"'%s'"' "$1"\n' "$make/edit" "$1" "$2" >"$WORK/editor"
  chmod +x "$WORK/editor"
}

PATH=$PATH:/usr/bin/mh
mkdir -p "$WORK/Mail/inbox"
cp "$parent" "$WORK/Mail/inbox/1"
printf 'Path: Mail\nLocal-Mailbox: %s\n' "$from" >"$WORK/.mh_profile"
cat >"$WORK/gt.filter" <<'F'
body:component="> ",overflowtext="> ",overflowoffset=0
F

# mh COMMAND… : makes the draft, edits it, sends it
mh() {
  local draft
  at "$@" -build </dev/null
  draft=$(find "$WORK/Mail" -maxdepth 1 -name draft -o -maxdepth 1 -name reply)
  sed -i 's/^To:$/To: white@example.test/; /^Fcc:/d' "$draft"
  "$make/edit" "$HOW" "$TEXT" "$draft"
  at send -mts sendmail/pipe -sendmail "$make/sendmail" "$draft"
  rm -f "$WORK"/Mail/*reply* "$WORK"/Mail/*draft*
}
HOW=bottom TEXT='n>g5' mh repl +inbox 1 -filter "$WORK/gt.filter"
keep 66-nmh-repl move "$h" 'repl with a filter that quotes by "> "'
HOW=top TEXT='n>g5' mh repl +inbox 1
keep 67-nmh-plain move "$h" 'repl as it comes: nothing is quoted'
HOW=top TEXT='1... n>g5' mh forw +inbox 1
keep 68-nmh-forw move "$h" 'forw: below "------- Forwarded Message", dash-escaped'

# mblaze
mkdir -p "$WORK/.mblaze"
printf 'Local-Mailbox: %s\nSendmail: %s\nSendmail-Args: -t\n' "$from" "$make/sendmail" >"$WORK/.mblaze/profile"
# blaze HOW TEXT: mrep asks what now; "send" is the answer
blaze() {
  editor "$1" "$2"
  export MBLAZE=$WORK/.mblaze
  echo "$WORK/Mail/inbox/1" | mseq -S >/dev/null
  printf 'send\n' | (cd "$WORK" && EDITOR="$WORK/editor" at mrep 1 >/dev/null)
}
blaze fill 'n>g5'
keep 69-mblaze-fill move "$z" 'the list filled in'
blaze top 'n>g5 would be silly, no?'
keep 70-mblaze-prose confirm "$z" 'talk about the move'

# notmuch
mkdir -p "$WORK/Maildir/cur" "$WORK/Maildir/new" "$WORK/Maildir/tmp"
cp "$parent" "$WORK/Maildir/cur/1:2,S"
export NOTMUCH_CONFIG=$WORK/.notmuch-config
printf '[database]\npath=%s/Maildir\n[user]\nname=Björn Black\nprimary_email=black@example.test\n' "$WORK" >"$NOTMUCH_CONFIG"
notmuch new --quiet >/dev/null
# reply HOW TEXT
reply() {
  at notmuch reply --reply-to=sender '*' >"$WORK/draft"
  "$make/edit" "$1" "$2" "$WORK/draft"
  # The draft has neither Date nor MIME fields: what sends it adds them.
  { printf 'Date: Fri, 20 Nov 2026 03:30:00 +0000\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n'; cat "$WORK/draft"; } |
    "$make/sendmail"
}
reply bottom 'n>g5'
keep 71-notmuch-bottom move "$k" 'quoted by the program, the move below'
reply trim 'resign?'
keep 72-notmuch-resign-asked note "$k" 'a question about a command'
