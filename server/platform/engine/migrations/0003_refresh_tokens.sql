-- Every refresh token of a session, one exchanged for the next (R9, R10). Kept as SHA-256; a child is derived from its parent, so
-- that several tabs that exchange the same token in the same moment get the same child without it being stored.
create table refresh_tokens (
  hash text primary key,
  session_id text not null references sessions (id) on delete cascade,
  -- one child at most, whoever asks
  parent_hash text unique,
  created_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_by_session on refresh_tokens (session_id);

insert into refresh_tokens (hash, session_id, created_at)
select refresh_hash, id, created_at from sessions where refresh_hash is not null;
alter table sessions drop column refresh_hash;
