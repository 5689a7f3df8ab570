#!/usr/bin/env ruby
# Messages composed by Ruby's mail library.
require 'mail'

def shape(name) = File.read(File.join(__dir__, 'shapes', name), encoding: 'utf-8')

$stdin.each_line(chomp: true) do |row|
  name, parts = row.force_encoding('utf-8').split("\t")
  has = parts.split(' ').to_h { |part| part.split('=', 2) }
  message = Mail.new do
    from 'Björn Black <black@example.test>'
    to 'Anna White <white@example.test>'
    subject 'Re: [game 7] 1. P>e3'
    date 'Fri, 20 Nov 2026 03:30:00 +0000'
    message_id "<#{name}@black.example.test>"
    in_reply_to '<g7.m1@mail.example.test>'
    references '<g7.m1@mail.example.test>'
  end
  message.charset = 'utf-8'
  if has['text'] && has['html']
    message.text_part = Mail::Part.new { body shape(has['text']); content_type 'text/plain; charset=utf-8' }
    message.html_part = Mail::Part.new { body shape(has['html']); content_type 'text/html; charset=utf-8' }
  elsif has['html']
    message.content_type = 'text/html; charset=utf-8'
    message.body = shape(has['html'])
  else
    message.body = shape(has['text'])
  end
  File.binwrite(File.join(ENV.fetch('OUT'), "#{name}.eml"), message.to_s)
end
