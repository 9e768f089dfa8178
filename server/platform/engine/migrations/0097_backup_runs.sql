-- When something of which everything could be restored was made last, and when a restore was tried last (decision 0135): alarms ask for it.
create table backup_runs (
  id int generated always as identity primary key,
  -- file: `npm run backup`; base: of the whole server, to which archived log is added; drill: one of these was restored aside and looked at
  kind text not null check (kind in ('file', 'base', 'drill')),
  ended_at timestamptz not null default now(),
  seconds real not null,
  -- unknown of a drill
  bytes bigint
);
create index backup_runs_by_kind on backup_runs (kind, ended_at);
