create table if not exists match_worker (
    id bigint primary key,
    rev bigint not null);
