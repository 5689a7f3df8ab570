// Messages composed by nodemailer.
const fs = require('fs');
const path = require('path');
const nodemailer = require('nodemailer');

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAACklEQVR4nGNgAAAAAgAB4iG8MwAAAABJRU5ErkJggg==', 'base64');
const read = (name) => fs.readFileSync(path.join(__dirname, 'shapes', name), 'utf8');
const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });

async function main() {
  const rows = fs.readFileSync(0, 'utf8').trimEnd().split('\n');
  for (const row of rows) {
    const [name, parts] = row.split('\t');
    const has = Object.fromEntries(parts.split(' ').map((part) => part.split('=', 2)));
    const message = {
      from: { name: 'Björn Black', address: 'black@example.test' },
      to: 'Anna White <white@example.test>',
      subject: 'Re: [game 7] 1. P>e3',
      inReplyTo: '<g7.m1@mail.example.test>',
      references: '<g7.m1@mail.example.test>',
      date: new Date('2026-11-20T03:30:00Z'),
      messageId: `<${name}@black.example.test>`,
    };
    if (has.text) message.text = read(has.text);
    if (has.html) message.html = read(has.html);
    if (has.encoding) message.textEncoding = has.encoding;
    if (has.inline) {
      message.html = message.html.replace('</body>', '<img src="cid:logo@black.example.test" alt="n&gt;h6"></body>');
      message.attachments = [{ filename: 'logo.png', content: png, cid: 'logo@black.example.test' }];
    }
    const sent = await transport.sendMail(message);
    fs.writeFileSync(path.join(process.env.OUT, `${name}.eml`), sent.message);
  }
}
main().catch((error) => { console.error(error); process.exit(1); });
