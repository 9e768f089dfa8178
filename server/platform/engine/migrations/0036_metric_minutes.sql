-- What a server answered in a minute (decision 0068). Kept for 48 hours; holds no organisation, user or address.
create table metric_minutes (
  -- when the minute began
  at timestamptz not null,
  -- a name that a server makes up at its start
  process text not null,
  -- of the API
  requests int not null,
  -- of these, answered with 5xx
  errors int not null,
  -- pages of the report by how long they took: one count for each border of REPORT_TIMES_MS, and one for all that took longer
  report_times int[] not null,
  -- jobs that were due or at work at its end; null: the database was away then
  jobs_due int,
  -- p99 of how late the event loop was
  loop_lag_ms real not null,
  memory_mb int not null,
  primary key (at, process)
);
create index mails_settled on mails (settled_at) where settled_at is not null;
