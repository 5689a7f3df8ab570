#!/usr/bin/env python3
"""Messages composed by Python's own email package."""
import email.policy
import os
import sys
from email.message import EmailMessage, MIMEPart
from email.utils import format_datetime
import datetime

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080600000"
    "01f15c4890000000a49444154789c6360000000020001e221bc330000000049454e44ae426082"
)


def read(name):
    with open(os.path.join(os.path.dirname(__file__), "shapes", name), encoding="utf-8") as file:
        return file.read()


def compose(name, parts):
    options, files = {}, []
    for part in parts.split():
        key, value = part.split("=", 1)
        if key == "attach":
            files.append(value)
        else:
            options[key] = value
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = "Björn Black <black@example.test>"
    message["To"] = "Anna White <white@example.test>"
    message["Subject"] = "Re: [game 7] 1. P>e3"
    message["In-Reply-To"] = "<g7.m1@mail.example.test>"
    message["References"] = "<g7.m1@mail.example.test>"
    date = datetime.datetime(2026, 11, 20, 3, 30, tzinfo=datetime.timezone.utc)
    message["Date"] = format_datetime(date)
    message["Message-ID"] = f"<{name}@black.example.test>"
    how = {key: options[key] for key in ("charset",) if key in options}
    if "encoding" in options:
        how["cte"] = options["encoding"]
    if options.get("flowed"):
        how["params"] = {"format": "flowed"}
    if "text" in options:
        message.set_content(read(options["text"]), **how)
    if "html" in options:
        html = read(options["html"])
        if "text" in options:
            message.add_alternative(html, subtype="html")
            part = message.get_payload()[1]
        else:
            message.set_content(html, subtype="html", **how)
            part = message
        if options.get("inline"):
            part.add_related(PNG, "image", "png", cid="<logo@black.example.test>", filename="logo.png")
    for file in files:
        message.add_attachment(read(file), filename=file)
    if "digest" in options:
        inner = EmailMessage(policy=email.policy.SMTP)
        inner["From"] = message["From"]
        inner["Subject"] = "[game 7]"
        inner.set_content(read(options["digest"]))
        digest = MIMEPart(policy=email.policy.SMTP)
        digest["Content-Type"] = "multipart/digest"
        wrapped = MIMEPart(policy=email.policy.SMTP)
        wrapped["Content-Type"] = "message/rfc822"
        wrapped.set_payload([inner])
        digest.set_payload([wrapped])
        message.make_mixed()
        message.attach(digest)
    return message.as_bytes()


for row in sys.stdin:
    name, parts = row.rstrip("\n").split("\t")
    with open(os.path.join(os.environ["OUT"], name + ".eml"), "wb") as file:
        file.write(compose(name, parts))
