#!/usr/bin/env perl
# Messages composed by MIME::Lite and by Email::MIME.
#   perl perl.pl mimelite|emailmime
use strict;
use warnings;
use FindBin;
use Encode qw(decode encode);

sub shape {
    my ($name) = @_;
    open my $file, '<:raw', "$FindBin::Bin/shapes/$name" or die "$name: $!";
    local $/;
    return decode('utf-8', <$file>);
}

my %head = (
    From          => '=?utf-8?B?QmrDtnJuIEJsYWNr?= <black@example.test>',
    To            => 'Anna White <white@example.test>',
    Subject       => 'Re: [game 7] 1. P>e3',
    Date          => 'Fri, 20 Nov 2026 03:30:00 +0000',
    'In-Reply-To' => '<g7.m1@mail.example.test>',
    References    => '<g7.m1@mail.example.test>',
);

sub mimelite {
    my ($name, %has) = @_;
    require MIME::Lite;
    my $charset = $has{charset} // 'us-ascii';
    my $message = MIME::Lite->new(
        %head,
        'Message-ID' => "<$name\@black.example.test>",
        Type         => 'TEXT',
        Encoding     => $has{encoding} // '7bit',
        Data         => encode($charset, shape($has{text})),
    );
    $message->attr('content-type.charset' => $charset);
    return $message->as_string;
}

sub emailmime {
    my ($name, %has) = @_;
    require Email::MIME;
    my $part = sub {
        my ($file, $type) = @_;
        return Email::MIME->create(
            attributes => {
                content_type => $type,
                charset      => $has{charset} // 'utf-8',
                encoding     => $has{encoding} // 'quoted-printable',
            },
            body => encode($has{charset} // 'utf-8', shape($file)),
        );
    };
    my @parts;
    push @parts, $part->($has{text}, 'text/plain') if $has{text};
    push @parts, $part->($has{html}, 'text/html')  if $has{html};
    my $message;
    if (@parts > 1) {
        $message = Email::MIME->create(attributes => { content_type => 'multipart/alternative' }, parts => \@parts);
    } else {
        $message = $parts[0];
    }
    $message->header_raw_set($_ => $head{$_}) for sort keys %head;
    $message->header_raw_set('Message-ID' => "<$name\@black.example.test>");
    return $message->as_string;
}

my $compose = { mimelite => \&mimelite, emailmime => \&emailmime }->{ $ARGV[0] };
while (my $row = <STDIN>) {
    chomp $row;
    my ($name, $parts) = split /\t/, $row;
    my $text = $compose->($name, map { split /=/, $_, 2 } split / /, $parts);
    open my $out, '>:raw', "$ENV{OUT}/$name.eml" or die "$name: $!";
    print $out $text;
}
