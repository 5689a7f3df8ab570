#!/usr/bin/env bash
# slrn and tin, driven by their keys, at a news server that keeps what they post.
source "$(dirname "$0")/lib"
s="slrn $(version slrn)"
t="tin $(version tin)"
"$make/newsserver" "$parent" "$SENT" "$WORK/port" &
server=$!
trap 'kill "$server"; rm -rf "$WORK"' EXIT
until [ -s "$WORK/port" ]; do sleep 0.1; done
port=$(<"$WORK/port")

# editor HOW TEXT: what the programs run, with the file behind what else they say
editor() {
  printf '#!/bin/sh\nfor file; do :; done\nexec %s %s '"'%s'"' "$file"\n' "$make/edit" "$1" "$2" >"$WORK/editor"
  chmod +x "$WORK/editor"
}

# What a program says of the machine that it runs on is nobody's business.
settled() {
  sed -E -i 's/^(User-Agent: .*) \(Linux.*\)/\1 (Linux)/; s/^Sender: .*/Sender: black <black@black.example.test>/' "$SENT"
}

# slrn HOW TEXT SETTINGS… : the group, its article, a follow-up; yes, post it
slrn() {
  editor "$1" "$2"
  shift 2
  {
    printf 'charset config utf8\ncharset display utf8\ncharset outgoing utf-8\n'
    printf 'set username "black"\nset hostname "example.test"\nset realname "Björn Black"\n'
    printf 'set editor_command "%s %%s"\n' "$WORK/editor"
    printf '%s\n' "$@"
  } >"$WORK/slrnrc"
  printf 'rec.games.abstract:\n' >"$WORK/newsrc"
  printf '%s\t%s\n' SPC:Select $'\r' game f 'want to followup' y 'Post the message' y done. qq 'want to quit' y |
    EXPECT=yes "$make/terminal" 30 slrn -n -i "$WORK/slrnrc" -f "$WORK/newsrc" -h 127.0.0.1 -p "$port"
  settled
}

# tin HOW TEXT SETTINGS… : the same. It posts nothing from a machine without a whole name.
tin() {
  editor "$1" "$2"
  shift 2
  rm -rf "$WORK/.tin" && mkdir "$WORK/.tin"
  printf '%s\n' 'mail_address=Björn Black <black@example.test>' 'beginner_level=OFF' 'sigfile=--none' "$@" >"$WORK/.tin/tinrc"
  printf 'rec.games.abstract: \n' >"$WORK/.newsrc"
  printf '%s\t%s\n' 'End of groups' $'\r' 'End of articles' $'\r' 'Last response' f 'p=post' p 'Last response' q 'articles' q 'groups' q 'want to quit' y |
    VISUAL=$WORK/editor EXPECT=yes "$make/terminal" 40 \
      unshare -r -u sh -c "hostname black.example.test && exec tin -r -n -g 127.0.0.1 -p $port"
  settled
}

slrn top 'n>g5'
keep 131-slrn-top move "$s" 'the move above a full quotation'
slrn fill '1... n>g5' 'set quote_string "| "'
keep 132-slrn-fill-bar move "$s" 'quotes by "| ", the move filled into the list'
slrn below '1... n>g5' 'set followup_string "In article %m, %r writes:"'
keep 133-slrn-message-id move "$s" 'an attribution with the Message-ID, the move right below the quotation'
slrn top 'Why not n>g5, or n>f6? I shall sleep over it.'
keep 134-slrn-prose confirm "$s" 'two moves weighed in prose'

tin top 'n>g5'
keep 135-tin-top move "$t" 'the move above a full quotation'
tin fill '1... n>g5' 'quote_chars=: '
keep 136-tin-fill-colon move "$t" 'quotes by ": ", the move filled into the list'
tin trim 'n>g5' 'quote_chars=%I> ' 'news_quote_format=%F wrote in article %M:'
keep 137-tin-initials-trim move "$t" 'quotes by initials, all cut but the list'
tin bottom 'Why not n>g5? I shall sleep over it.'
keep 138-tin-prose confirm "$t" 'a move in prose below the quotation'
