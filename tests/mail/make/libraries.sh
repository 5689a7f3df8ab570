#!/usr/bin/env bash
# Mail libraries: each composes the rows of shapes.tsv that name it, from bodies
# (shapes/) that follow what well-known mail programs write.
source "$(dirname "$0")/lib"

# Where npm keeps what it fetches is nobody's business here.
nodemailer=${NODE_MODULES:-$WORK/node_modules}
[ -d "$nodemailer/nodemailer" ] || npm install --silent --no-audit --no-fund --prefix "$WORK" nodemailer@10.6.0 >/dev/null
export NODE_PATH=$nodemailer

declare -A program=(
  [python]="Python $(python3 -c 'import platform; print(platform.python_version())') email"
  [nodemailer]="nodemailer $(node -p 'require("nodemailer/package.json").version') (npm)"
  [phpmailer]="PHPMailer $(version libphp-phpmailer)"
  [mailmime]="PEAR Mail_Mime $(version php-mail-mime)"
  [mimelite]="MIME::Lite $(version libmime-lite-perl)"
  [emailmime]="Email::MIME $(version libemail-mime-perl)"
  [ruby]="Ruby mail $(version ruby-mail)"
)
declare -A command=(
  [python]="python3 $make/python.py" [nodemailer]="node $make/nodemailer.js"
  [phpmailer]="php $make/php.php phpmailer" [mailmime]="php $make/php.php mailmime"
  [mimelite]="perl $make/perl.pl mimelite" [emailmime]="perl $make/perl.pl emailmime"
  [ruby]="/usr/bin/ruby $make/ruby.rb"
)
mkdir "$WORK/out"
for library in "${!program[@]}"; do
  tail -n +2 "$make/shapes.tsv" | awk -F'\t' -v OFS='\t' -v library="$library" '$3 == library { print $1, $4 }' |
    OUT=$WORK/out ${command[$library]}
done
tail -n +2 "$make/shapes.tsv" | while IFS=$'\t' read -r name expected library parts what; do
  cp "$WORK/out/$name.eml" "$SENT"
  keep "$name" "$expected" "${program[$library]}" "$what"
done
