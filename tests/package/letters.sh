# What the scripts beside this file send to a referee. Read by them, and no program.

# A referee's configuration, whose mail goes to a folder.
referee_config() {
  printf '[me]\nname = "Referee"\naddress = "chess@games.example.org"\nrole = "referee"\n'
}

# The match that they play, as arguments of `new`.
begin=(--id club --game chess --white 'Anna <anna@example.org>' --black 'Ben <ben@example.test>')

letters=0
# Writes what somebody answers with any mail program: outbox, address, move, and the match where
# there are several.
letter() {
  local outbox=$1 address=$2 move=$3 id=${4:-} asked
  # The names of mails are in the order of their events.
  asked=$outbox/$(cd "$outbox" && grep -l "^To: .*<$address>" -- "${id:+$id.}"*.eml | sort -t. -k2,2n | tail -n 1)
  printf 'From: %s\nTo: chess@games.example.org\nSubject: Re: a move\n' "$address"
  printf 'Date: %s\nMessage-ID: <letter%s@example.org>\n' "$(LC_ALL=C date -R -d "${PARAPOST_NOW:-now}")" "$letters"
  printf 'In-Reply-To: %s\n\n%s\n' "$(sed -n 's/^Message-ID: //p' "$asked" | head -n 1)" "$move"
}

# Delivers that by LMTP to a port of loopback, and writes the replies: port, outbox, address, move.
# It waits for the two mails that a move calls for, which go out beside the reply.
deliver() {
  local port=$1 mails
  shift
  mails=$(ls "$1" | wc -l)
  exec 3<>"/dev/tcp/127.0.0.1/$port"
  {
    printf 'LHLO mail.example.org\nMAIL FROM:<%s>\nRCPT TO:<chess@games.example.org>\nDATA\n' "$2"
    letter "$@"
    printf '.\nQUIT\n'
  } | sed 's/$/\r/' >&3
  timeout 30 cat <&3
  exec 3>&-
  for ((i = 0; i < 100; i++)); do
    (($(ls "$1" | wc -l) < mails + 2)) || return 0
    sleep 0.1
  done
  echo "no mail went out"
  return 1
}

# Returns true once somebody listens at a port of loopback, and false after ten seconds.
listens() {
  local port=$1
  for ((i = 0; i < 100; i++)); do
    ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}
