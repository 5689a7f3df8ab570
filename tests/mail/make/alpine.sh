#!/usr/bin/env bash
# Alpine, by its keys.
source "$(dirname "$0")/lib"
a="alpine $(version alpine)"

# pine HOW TEXT SETTINGS… : opens the folder, answers the first message
pine() {
  local how=$1 text=$2
  shift 2
  printf '#!/bin/sh\nexec %s %s '"'%s'"' "$1"\n' "$make/edit" "$how" "$text" >"$WORK/editor"
  chmod +x "$WORK/editor"
  mkdir -p "$WORK/mail"
  {
    printf 'personal-name=Björn Black\nuser-domain=example.test\ninbox-path=%s/mbox\n' "$WORK"
    printf 'customized-hdrs=From: Björn Black <black@example.test>\nallow-changing-from\n'
    printf 'sendmail-path=%s\nsmtp-server=\neditor=%s\nuser-id=black\n' "$make/sendmail" "$WORK/editor"
    printf 'feature-list=enable-alternate-editor-implicitly,enable-alternate-editor-cmd,no-send-without-confirm,no-fcc-without-confirm,quit-without-confirm,include-text-in-reply,no-expose-hidden-config,allow-changing-from,send-without-confirm,fcc-without-confirm,include-header-in-message\n'
    printf 'default-fcc=""\ncharacter-set=UTF-8\nlast-version-used=6.26\n'
    printf '%s\n' "$@"
  } >"$WORK/.pinerc"
  # The index, an answer that includes the text; once edited, ^X sends it.
  printf '%s\n' $'\030' y q y | KEYS=yes "$make/terminal" 20 faketime -f "$now" alpine -p "$WORK/.pinerc" -I i,r,y
}
pine bottom 'n>g5'
keep 126-alpine-bottom move "$a" 'format=flowed, the move below'
pine fill 'n>g5'
keep 127-alpine-fill move "$a" 'format=flowed, filled in; Alpine takes a blank off some lines of the board'
pine top 'I wonder: n>g5 or n>f6? Give me a day.'
keep 128-alpine-prose confirm "$a" 'two moves weighed in prose'
