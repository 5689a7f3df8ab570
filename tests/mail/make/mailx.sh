#!/usr/bin/env bash
# The mailx family: s-nail, bsd-mailx and GNU mailutils, by their tilde escapes.
source "$(dirname "$0")/lib"

s="s-nail v$(version s-nail | cut -d- -f1)"
b="bsd-mailx $(version bsd-mailx)"
u="GNU mailutils $(version mailutils)"

# nail HOW TEXT SETTINGS… : s-nail answers
nail() {
  local how=$1 text=$2
  shift 2
  {
    printf 'set from="Björn Black <black@example.test>" mta=%s hostname=black.example.test\n' "$make/sendmail"
    printf 'set editalong quote sendwait ttycharset=utf-8 sendcharsets=utf-8 v15-compat\n'
    printf 'set EDITOR="%s"\n' "$WORK/editor"
    printf '%s\n' "$@"
  } >"$WORK/rc"
  printf '#!/bin/sh\nexec %s %s '"'%s'"' "$1"\n' "$make/edit" "$how" "$text" >"$WORK/editor"
  chmod +x "$WORK/editor"
  printf 'reply 1\n~e\n~.\nquit\n' |
    MAILRC="$WORK/rc" at s-nail -# -~ -:u -f "$WORK/mbox" >/dev/null 2>&1
}
nail top 'n>g5' 'set indentprefix="BB> "'
keep 57-s-nail-initials-top move "$s" 'quotes by "BB> "'
nail fill 'n>g5' 'set indentprefix="| "' 'set quote-inject-head="%f hat geschrieben:\n"'
keep 58-s-nail-bar-fill move "$s" '"| " and an attribution of its own, filled in'
nail bottom 'I had “n>g5” in mind…' 'set mime-encoding=quoted-printable'
keep 59-s-nail-smart confirm "$s" 'smart quotes around a move in prose, quoted-printable'
nail bottom 'offer draw' 'set mime-encoding=base64'
keep 60-s-nail-draw command "$s" 'a command instead of a move, base64'

# mailx TEXT… : bsd-mailx answers with these lines typed, tilde escapes among them
mailx() {
  printf 'set sendmail=%s\nset from=black@example.test\nset indentprefix="%s"\nset dot\nunset askcc asksub\n' \
    "$make/sendmail" "${INDENT-	}" >"$WORK/rc"
  { printf 'reply 1\n'; printf '%s\n' "$@"; printf '.\nx\n'; } |
    MAILRC="$WORK/rc" at bsd-mailx -I -n -f "$WORK/mbox" >/dev/null
}
mailx '~m 1' '' 'n>g5'
keep 61-bsd-mailx-tab-bottom move "$b" 'the message quoted by a tab, headers included, the move below'
mailx 'n>g5' '' '~f 1'
keep 62-bsd-mailx-unquoted-below move "$b" 'the message put in without any mark, headers included, below the move'
mailx '~f 1' '' 'n>g5'
keep 63-bsd-mailx-unquoted-above move "$b" 'the same with the move below its list: nothing in it but the blank line parts them'
INDENT='  ' mailx 'Björn here.' '~m 1' '1... n>g5, I am afraid'
keep 64-bsd-mailx-blanks move "$b" 'quotes by two blanks below a line of its own'

# mail TEXT… : mailutils answers
mail() {
  printf 'set indentprefix="%s" charset=utf-8 sendmail="sendmail:%s" sendwait dot\nunset asksub askcc\n' \
    "${INDENT-> }" "$make/sendmail" >"$WORK/.mailrc"
  { printf 'reply 1\n'; printf '%s\n' "$@"; printf '.\nexit\n'; } |
    "$make/terminal" 20 faketime -f "$now" mail.mailutils -n -E 'source ~/.mailrc' -f "$WORK/mbox"
}
mail '~m 1' '' 'n>g5'
keep 65-mailutils-bottom move "$u" 'headers quoted into the text, the move below'
