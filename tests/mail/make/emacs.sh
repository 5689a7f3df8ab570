#!/usr/bin/env bash
# Emacs: message-mode in batch.
source "$(dirname "$0")/lib"
export MAKE=$make
g="GNU Emacs $(emacs -batch --eval '(princ emacs-version)') message-mode"

# emacs STYLE HOW TEXT
message() {
  cp "$parent" "$WORK/parent"
  at emacs -Q -batch -l "$make/emacs.el" "$WORK/parent" "$@" 2>"$WORK/log" >/dev/null || { cat "$WORK/log" >&2; exit 1; }
}
message supercite top 'n>g5'
keep 73-emacs-supercite-top move "$g" 'supercite: quotes by the initials of whom it quotes'
message supercite fill 'n>g5'
keep 74-emacs-supercite-fill move "$g" 'the same, filled in'
message gmail top 'n>g5'
keep 75-emacs-gmail-top move "$g" 'the style of Gmail'
message outlook top '1... n>g5'
keep 76-emacs-outlook-top move "$g" 'the style of Outlook: no marks below "Original Message"'
message thunderbird bottom 'After n>f6 I would be worse; n>g5 it is.'
keep 77-emacs-thunderbird-prose confirm "$g" 'two moves in prose'
message outlook fill 'n>g5'
keep 78-emacs-outlook-fill move "$g" 'no marks, filled in at the end of the list'
message outlook bottom 'n>g5'
keep 79-emacs-outlook-bottom move "$g" 'no marks, the move below the list that ends the message answered'
message gmail bottom '1. ... n>g5'
keep 80-emacs-gmail-bottom move "$g" 'quotes by four blanks under its attribution, the move below'
