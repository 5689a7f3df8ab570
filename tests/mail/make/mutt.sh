#!/usr/bin/env bash
# Mutt and NeoMutt, driven by the keys of their own macros.
source "$(dirname "$0")/lib"

# mutt PROGRAM HOW TEXT SETTINGS… : answers (or, where KEYS says so, forwards)
mutt() {
  local program=$1 how=$2 text=$3
  shift 3
  {
    printf 'set from="Björn Black <black@example.test>" realname="Björn Black" use_from=yes hostname=black.example.test\n'
    printf 'set sendmail="%s" sendmail_wait=0 copy=no quit=yes mbox_type=mbox abort_unmodified=no abort_noattach=no\n' "$make/sendmail"
    printf 'set editor="%s %s %s" include=yes fast_reply=yes charset=utf-8 send_charset="us-ascii:iso-8859-1:utf-8"\n' \
      "$make/edit" "$how" "'$text'"
    printf 'set delete=no mark_old=no forward_edit=yes mime_forward=no fcc_clear=no crypt_use_gpgme=no\n'
    printf '%s\n' "$@"
  } >"$WORK/rc"
  "$make/terminal" 15 </dev/null faketime -f "$now" "$program" -n -F "$WORK/rc" -f "$WORK/mbox" \
    -e "push '${KEYS:-<reply>}<send-message><quit>'"
}

m="Mutt $(version mutt)"
n="NeoMutt $(version neomutt)"

mutt mutt fill 'n>g5' 'set indent_string=": "'
keep 40-mutt-colon-fill move "$m" 'indent_string=": ", the move filled into the list'
mutt mutt bottom '1... n>g5' 'set attribution="Am %d schrieb %n:"' 'set date_format="%d.%m.%Y"'
keep 41-mutt-german move "$m" 'German attribution, numbered move below'
mutt mutt top 'n>g5' 'set attribution="* %n [%d]:"' 'set indent_string="    "'
keep 42-mutt-blanks-top move "$m" 'quotes by four blanks under an attribution of its own'
mutt mutt below '1. ... n>g5' 'set indent_string="| "'
keep 43-mutt-below move "$m" 'the move right below the last quoted line, without an empty one'
mutt mutt keep '' 'set signature=~/sig'
keep 44-mutt-unchanged refused "$m" 'the quotation sent back as it was'
printf 'Bj\xc3\xb6rn\nn>g5 is the best move there is\nn>g5\n' >"$WORK/sig"
mutt mutt top 'I need more time.' 'set signature=~/sig sig_on_top=no'
keep 45-mutt-signature note "$m" 'a move alone on a line, but in the signature'
mutt mutt top '1... n>g5 – schönen Gruß' 'set send_charset="us-ascii:iso-8859-1:utf-8"'
keep 46-mutt-qp-dash move "$m" 'typographic dash and umlauts, so UTF-8 in quoted-printable or 8bit'
mutt mutt top 'Ich dachte an n>g5, aber ich weiß es noch nicht.' 'set send_charset="us-ascii:iso-8859-1"'
keep 47-mutt-latin1-prose confirm "$m" 'iso-8859-1, a move in prose'
KEYS='<forward-message>white@example.test<enter>' mutt mutt top 'n>g5' 'set fast_reply=yes'
keep 48-mutt-forward-top move "$m" 'a forward instead of an answer: no In-Reply-To, the move above "Forwarded message"'
KEYS='<forward-message>white@example.test<enter>' mutt mutt keep ''
keep 49-mutt-forward refused "$m" 'the message forwarded without a word'

gpg=(faketime -f "2026-11-19 03:00:00" gpg --homedir "$WORK/gpg" --batch --quiet --pinentry-mode loopback --passphrase '')
mkdir -m 700 "$WORK/gpg"
"${gpg[@]}" --quick-generate-key 'Björn Black <black@example.test>' default default never 2>/dev/null
sign='set crypt_autosign=yes pgp_sign_as="black@example.test" pgp_use_gpg_agent=yes
set pgp_clearsign_command="gpg --homedir '"$WORK/gpg"' --batch --quiet --textmode --armor --output - --clearsign %f"
set pgp_sign_command="gpg --homedir '"$WORK/gpg"' --batch --quiet --textmode --armor --output - --detach-sign %f"'
mutt mutt bottom '1... n>g5' "$sign" 'set pgp_autoinline=yes'
keep 50-mutt-pgp-inline move "$m" 'clear-signed by GnuPG within the text: dash escapes in the diagram'
mutt mutt top 'n>g5' "$sign" 'set pgp_autoinline=no'
keep 51-mutt-pgp-mime move "$m" 'multipart/signed'
gpgconf --homedir "$WORK/gpg" --kill gpg-agent

mutt neomutt top 'n>g5' 'set text_flowed=yes indent_string=">"'
keep 52-neomutt-flowed move "$n" 'format=flowed, quotes by ">" without a blank'
mutt neomutt trim 'n>g5' 'set attribution="%n a écrit :"'
keep 53-neomutt-trim move "$n" 'French attribution cut away, one quoted line left'
mutt neomutt fill 'n>g5  (at last!)' 'set text_flowed=yes'
keep 54-neomutt-flowed-fill move "$n" 'format=flowed, the list filled in with a comment in brackets'
mutt neomutt bottom 'n>g5\nn>f6'
keep 55-neomutt-two refused "$n" 'two different moves'
mutt neomutt bottom '2... n>g5'
keep 56-neomutt-number refused "$n" 'a number that is not the next one'
