-- Sources whose data comes as files (decision 0051): what is asked of them, their key, and each file with what became of it.
-- packages or fiscal years, separated by commas; empty: the default of the program
alter table intake_sources add column parts text not null default '';
-- AES-256-GCM under a key that the database does not hold
alter table intake_sources add column sealed_key text;
-- the night for which everything that there is has been listed
alter table intake_sources add column listed_night date;

create table intake_files (
  id bigint generated always as identity primary key,
  source text not null references intake_sources (source) on delete cascade,
  -- address, path in the folder, or place in a list of pages; never holds a key
  address text not null,
  name text not null,
  -- differs when the file does (hash or day as the other side says it, size and time in a folder); empty: it says nothing
  version text not null default '',
  -- waiting: to be fetched · fetched: lies here whole · imported · known: content that was imported before · failed
  state text not null default 'waiting' check (state in ('waiting', 'fetched', 'imported', 'known', 'failed')),
  -- what the other side needs to hear to go on in the middle, or to say that nothing changed (ETag or Last-Modified)
  validator text,
  -- SHA-256 of the content, once all of it is here
  hash text,
  bytes bigint,
  tries int not null default 0,
  rows_read int not null default 0,
  rows_quarantined int not null default 0,
  new_projects int not null default 0,
  updated_projects int not null default 0,
  reason text,
  found_at timestamptz not null,
  finished_at timestamptz,
  unique (source, address, version)
);
create index intake_files_open on intake_files (source, id) where state in ('waiting', 'fetched');
create index intake_files_by_hash on intake_files (hash) where hash is not null;
