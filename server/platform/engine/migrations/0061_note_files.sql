-- Files at notes (decision 0094). The file lies in the store of documents under its hash, where rows of several organisations and of `documents` may stand for the same one.
create table note_files (
  organisation_id int not null references organisations (id) on delete cascade,
  -- made by the client
  id text not null,
  project_id text not null,
  -- null: no note holds it (yet)
  note_id text,
  -- its place among the files of the note
  place int not null default 0,
  user_id int references users (id) on delete set null,
  -- SHA-256 of the file
  hash text not null,
  -- told by its content
  type text not null,
  name text not null,
  bytes bigint not null,
  added_at timestamptz not null,
  -- null while a note holds it; else when the collector takes it away
  goes_at timestamptz check ((note_id is null) = (goes_at is not null)),
  primary key (organisation_id, id)
);
create index note_files_by_hash on note_files (hash);
create index note_files_by_note on note_files (organisation_id, project_id, note_id);
create index note_files_by_user on note_files (user_id);
create index note_files_to_go on note_files (goes_at) where goes_at is not null;

-- The second wall (decision 0025).
alter table note_files enable row level security;
create policy tenant on note_files to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select, insert, update (note_id, place, goes_at) on note_files to tamngan_tenant;
