<?php
// Messages composed by PHPMailer, and by PEAR's Mail_Mime, which Roundcube uses.
//   php php.php phpmailer|mailmime
set_include_path('/usr/share/php' . PATH_SEPARATOR . get_include_path());

function shape(string $name): string
{
    return file_get_contents(__DIR__ . '/shapes/' . $name);
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAACklEQVR4nGNgAAAAAgAB4iG8MwAAAABJRU5ErkJggg==';

function phpmailer(string $name, array $has): string
{
    require_once 'libphp-phpmailer/autoload.php';
    $mail = new PHPMailer\PHPMailer\PHPMailer(true);
    $mail->CharSet = 'utf-8';
    $mail->setFrom('black@example.test', 'Björn Black');
    $mail->addAddress('white@example.test', 'Anna White');
    $mail->Subject = 'Re: [game 7] 1. P>e3';
    $mail->MessageDate = 'Fri, 20 Nov 2026 03:30:00 +0000';
    $mail->MessageID = "<$name@black.example.test>";
    $mail->addCustomHeader('In-Reply-To', '<g7.m1@mail.example.test>');
    $mail->addCustomHeader('References', '<g7.m1@mail.example.test>');
    if (isset($has['encoding'])) {
        $mail->Encoding = $has['encoding'];
    }
    if (isset($has['html'])) {
        $mail->isHTML(true);
        $mail->Body = shape($has['html']);
    } else {
        $mail->Body = shape($has['text']);
    }
    if (isset($has['inline'])) {
        $mail->addStringEmbeddedImage(base64_decode(PNG), 'logo@black.example.test', 'logo.png', 'base64', 'image/png');
    }
    $mail->preSend();
    return $mail->getSentMIMEMessage();
}

function mailmime(string $name, array $has): string
{
    require_once 'Mail/mime.php';
    $charset = $has['charset'] ?? 'utf-8';
    $mime = new Mail_mime(['eol' => "\n", 'text_charset' => $charset, 'head_charset' => 'utf-8', 'text_encoding' => 'quoted-printable']);
    $mime->setTXTBody(iconv('utf-8', $charset, shape($has['text'])));
    $body = $mime->get();
    $headers = $mime->txtHeaders([
        'Date' => 'Fri, 20 Nov 2026 03:30:00 +0000',
        'From' => 'Björn Black <black@example.test>',
        'To' => 'Anna White <white@example.test>',
        'Subject' => 'Re: [game 7] 1. P>e3',
        'In-Reply-To' => '<g7.m1@mail.example.test>',
        'References' => '<g7.m1@mail.example.test>',
        'Message-ID' => "<$name@black.example.test>",
    ]);
    return $headers . "\n" . $body;
}

while (($row = fgets(STDIN)) !== false) {
    [$name, $parts] = explode("\t", rtrim($row, "\n"));
    $has = [];
    foreach (explode(' ', $parts) as $part) {
        [$key, $value] = explode('=', $part, 2);
        $has[$key] = $value;
    }
    file_put_contents(getenv('OUT') . "/$name.eml", $argv[1]($name, $has));
}
