-- Bundles (ZIP), and documents that are fetched by the links of announcements (decision 0064).
alter table documents drop constraint documents_type_check;
alter table documents add constraint documents_type_check check (type in ('pdf', 'jpeg', 'png', 'zip'));
-- the bundle that it was taken out of, with which it leaves
alter table documents add column bundle_id text references documents (id) on delete cascade;
-- of a bundle: name and reason of each file in it that became no document
alter table documents add column left_out jsonb not null default '[]';
-- link of the announcement that it was fetched by, and when; null: dropped in by hand
alter table documents add column link text;
alter table documents add column fetched_at timestamptz;
create index documents_by_bundle on documents (bundle_id) where bundle_id is not null;
create index documents_by_project on documents (project_id);

-- Links of announcements whose document is wanted: a row each, whatever becomes of it.
create table intake_links (
  id bigint generated always as identity primary key,
  project_id text not null,
  -- D0 invitation, B0 draft
  type text not null,
  link text not null,
  -- agency that was asked; its tier decides when
  agency text not null,
  published_on date not null,
  -- waiting: to be asked · had: something came of it · failed: reason says why
  state text not null default 'waiting' check (state in ('waiting', 'had', 'failed')),
  tries int not null default 0,
  reason text,
  found_at timestamptz not null,
  -- asked last, also where the same came
  asked_at timestamptz,
  unique (project_id, type, link)
);
create index intake_links_waiting on intake_links (tries, type desc, published_on desc, id) where state = 'waiting';

-- What came by a link, as evidence: other content by the same link is another row.
create table intake_versions (
  link_id bigint not null references intake_links (id) on delete cascade,
  -- from 1
  version int not null,
  -- SHA-256 of the file
  hash text not null,
  type text not null,
  bytes bigint not null,
  fetched_at timestamptz not null,
  primary key (link_id, version)
);
create index intake_versions_by_hash on intake_versions (hash);
create index intake_announcements_by_type on intake_announcements (type, published_on);

-- Document_changed: id of the link and number of the version, so that each is told once.
alter table notifications add column version text;
alter table notifications drop constraint notifications_user_id_project_id_type_due_on_load_id_export_key;
alter table notifications add constraint notifications_once
  unique nulls not distinct (user_id, project_id, type, due_on, load_id, export_id, version);
