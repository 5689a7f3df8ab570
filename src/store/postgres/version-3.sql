alter table match add column if not exists above text not null default '';
alter table match add column if not exists tail text not null default '';
create table if not exists match_part (
    id text not null,
    number bigint not null,
    body text not null,
    primary key (id, number));
