-- Files made of the report, a row each: asked for, made by a worker, fetched for a day, then gone.
create table report_exports (
  -- random: no number tells how many there are
  id text primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  user_id int not null references users (id) on delete cascade,
  -- of the request, so that its repetition gets the same export and not a second one (R46)
  idempotency_key text,
  format text not null check (format in ('xlsx', 'csv')),
  -- the report's printed parameters, and the fields of the columns in their order
  query jsonb not null,
  columns text[] not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  requested_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- rows written; rows to write and projects found, null until they are counted; size of the file, null until it is done
  done int not null default 0,
  total int,
  found int,
  bytes bigint,
  attempts int not null default 0,
  next_at timestamptz not null,
  -- of the worker that is at it: one that dies stops renewing
  holder text,
  lease_until timestamptz,
  failure text,
  unique (user_id, idempotency_key)
);
create index report_exports_due on report_exports (next_at) where state in ('waiting', 'running');
create index report_exports_by_user on report_exports (user_id, requested_at desc);
create index report_exports_by_organisation on report_exports (organisation_id, requested_at desc);

-- The file in pieces, written and read one at a time, by whichever process.
create table report_export_parts (
  export_id text not null references report_exports (id) on delete cascade,
  place int not null,
  bytes bytea not null,
  primary key (export_id, place)
);
-- They are compressed already.
alter table report_export_parts alter column bytes set storage external;
