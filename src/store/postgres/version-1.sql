create table if not exists match (
    id text primary key,
    rev bigint not null,
    body text not null,
    is_open boolean not null,
    owes boolean not null,
    damaged boolean not null);
create index if not exists match_is_open on match (is_open, id);
create index if not exists match_owes on match (owes, id);
create index if not exists match_damaged on match (damaged, id);
create table if not exists match_address (
    address text not null,
    id text not null,
    primary key (address, id));
create index if not exists match_address_id on match_address (id);
create table if not exists match_mail (
    id text primary key,
    rev bigint not null,
    owner text not null,
    expires timestamptz not null,
    body text not null);
create table if not exists match_kept (
    id text not null,
    number bigint not null,
    body text not null,
    primary key (id, number));
