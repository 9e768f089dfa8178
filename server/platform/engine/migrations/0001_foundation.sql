-- Organisations, users, sessions -------------------------------------------------------------------------------------
create table organisations (
  id int generated always as identity primary key,
  code text not null unique,
  name text not null,
  package text not null,
  customer_config jsonb not null,
  -- { region: [province name, ...] }; what the organisation may see, and what its report opens with
  areas_with_provinces jsonb not null,
  areas_filter_report jsonb,
  is_access_budget_year_only boolean not null default false,
  is_access_budget_year boolean not null default false,
  allow_access_budget_year text not null default '',
  is_company_compare boolean not null default false,
  is_access_company_comparison boolean not null default false,
  is_register_completed boolean not null default true,
  is_watchlist_completed boolean not null default true,
  is_disabled boolean not null default false,
  -- newest movement of a project that everything but the report window lets in; kept by matching, shown when a report is empty
  newest_outside_window date,
  created_at timestamptz not null default now()
);

create table users (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  email text not null,
  -- lower-cased, trimmed: what login looks up and what must be unique
  email_key text not null unique,
  password_hash text not null,
  first_name text,
  last_name text,
  role text not null default 'member_user',
  is_send_report_email boolean not null default true,
  is_noti_e_bidding boolean not null default false,
  is_access_budget_year boolean,
  customize_report_table jsonb not null default '[]',
  max_labels int not null default 20,
  is_disabled boolean not null default false,
  created_at timestamptz not null default now()
);
create index users_by_organisation on users (organisation_id);

-- One row a login. Tokens are kept as SHA-256 only; a family is all refresh tokens of one login.
create table sessions (
  id text primary key,
  user_id int not null references users (id) on delete cascade,
  refresh_hash text unique,
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_user on sessions (user_id);

-- Failed logins by account key, kept in the database so that a restart forgives nothing (R5).
create table login_failures (
  email_key text primary key,
  failures int not null,
  first_failed_at timestamptz not null,
  blocked_until timestamptz
);

-- Who did what (R59): append-only, no secrets.
create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  kind text not null,
  organisation_id int,
  user_id int,
  address text,
  request_id text,
  detail jsonb not null default '{}'
);

-- Watch lists --------------------------------------------------------------------------------------------------------
create table keywords (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  list text not null check (list in ('ai_include', 'ai_exclude', 'include', 'exclude', 'deptsub_include')),
  word text not null,
  group_id int,
  approved boolean not null default true,
  created_at timestamptz not null default now(),
  unique (organisation_id, list, word)
);

-- Loads: one row each time data came in ------------------------------------------------------------------------------
create table loads (
  id bigint generated always as identity primary key,
  source text not null,
  -- what was read: file name or address, and a fingerprint by which an interrupted import finds itself again
  origin text not null,
  fingerprint text,
  state text not null check (state in ('staging', 'publishing', 'published', 'failed')),
  started_at timestamptz not null default now(),
  published_at timestamptz,
  read_rows int not null default 0,
  staged_rows int not null default 0,
  quarantined_rows int not null default 0,
  new_projects int not null default 0,
  updated_projects int not null default 0,
  unchanged_projects int not null default 0,
  failure text
);

-- The load that New and Updated speak of (D3): the one published last.
create index loads_by_publication on loads (published_at desc nulls last, id desc) where state = 'published';

-- Records waiting to be published, in chunks; emptied by the transaction that publishes them.
create table staged_chunks (
  load_id bigint not null references loads (id) on delete cascade,
  chunk int not null,
  -- last line of the source that this chunk covers: where an interrupted load goes on
  last_line int not null,
  -- json, not jsonb, and not compressed: written once, read once, never looked into by the database
  records json not null,
  primary key (load_id, chunk)
);
alter table staged_chunks alter column records set storage external;

create table quarantined_rows (
  load_id bigint not null references loads (id) on delete cascade,
  line int not null,
  reason text not null,
  raw text not null,
  primary key (load_id, line)
);

-- Departments and projects -------------------------------------------------------------------------------------------
create table departments (
  id int generated always as identity primary key,
  name text not null,
  sub_name text not null,
  province smallint,
  -- Local bodies of one name stand in several provinces, and a department without a named unit buys in many: each is its own row.
  unique nulls not distinct (name, sub_name, province)
);

create table projects (
  project_id text primary key,
  name text not null,
  -- name as the search compares it: normalised, blanks beside Thai removed (contract/thai/thai-text.ts)
  name_search text not null,
  -- the same with blanks kept, for "quoted" terms
  name_spaced text not null,
  department_id int not null references departments (id),
  project_province smallint,
  district text,
  subdistrict text,
  latitude double precision,
  longitude double precision,
  fiscal_year smallint,
  status text not null,
  movement text not null,
  movement_on date,
  criteria text not null default 'no_data',
  method text not null,
  method_type text not null,
  budget_satang bigint,
  estimate_satang bigint,
  -- from the contracts: sum of amounts, name of the winner with the largest one, number of winners
  winner_satang bigint,
  winner_name text,
  winner_count smallint not null default 0,
  draft_published_on date,
  draft_discussion_ends_on date,
  bidding_invited_on date,
  submission_ends_on date,
  submission_time text,
  winner_announced_on date,
  contract_signed_on date,
  remark text,
  is_sme boolean not null default false,
  is_archived boolean not null default false,
  source text not null,
  first_load bigint not null references loads (id),
  -- the last load in which a tracked field changed (D3); equals first_load for a new project. No reference: the check costs each
  -- new row 7 µs and load rows are never deleted
  changed_load bigint not null,
  -- the last load that wrote the row for whatever reason, untracked fields and is_archived included: what matching must look at again
  written_load bigint not null
);
create index projects_by_changed_load on projects (changed_load);
create index projects_by_written_load on projects (written_load, project_id);

create table contracts (
  project_id text not null references projects (project_id) on delete cascade,
  contract_no text not null,
  winner_tin text,
  winner_name text,
  amount_satang bigint,
  signed_on date,
  ends_on date,
  status text,
  primary key (project_id, contract_no)
);

create table bidders (
  project_id text not null references projects (project_id) on delete cascade,
  position smallint not null,
  tin text,
  name text not null,
  price_satang bigint,
  is_winner boolean not null default false,
  is_sme boolean,
  primary key (project_id, position)
);

create table attachments (
  project_id text not null references projects (project_id) on delete cascade,
  url text not null,
  name text not null,
  step text not null,
  published_on date,
  first_load bigint not null references loads (id),
  primary key (project_id, url)
);

create table announcements (
  project_id text not null references projects (project_id) on delete cascade,
  movement text not null,
  announced_on date not null,
  load_id bigint not null references loads (id),
  primary key (project_id, movement, announced_on)
);

-- Field-level history of tracked fields: what changed, from what to what, and the load that saw it. `field` is the property of a
-- report row ('budget', 'submission_end_date', …) or 'contract_signed_date'; values are its wire form as text (baht, ISO date, code).
create table project_changes (
  project_id text not null references projects (project_id) on delete cascade,
  load_id bigint not null references loads (id),
  field text not null,
  old_value text,
  new_value text,
  primary key (project_id, load_id, field)
);
create index project_changes_by_load on project_changes (load_id);

-- Matches: one row for each organisation and project, carrying all that the report filters and sorts by ---------------

-- Numbers for the values of status, movement, criteria, method and method type. Open vocabularies, so a table and not an
-- enum: a method that e-GP invents tomorrow gets the next number. Two bytes each keep the match row and its index narrow.
create table match_values (
  id smallint generated always as identity primary key,
  kind text not null,
  value text not null,
  unique (kind, value)
);

-- The texts stand in front: filters on the narrow columns read the covering index, so the row itself is visited only to search
-- its texts, and a column behind twenty nullable ones costs as much to reach as to search.
create table project_matches (
  organisation_id int not null,
  is_archived boolean not null,
  -- searchForm of the project's name, of "department, unit" and of the winner (contract/thai/thai-text.ts); the *_spaced keep
  -- their blanks for "quoted" terms
  name_search text collate "C" not null,
  dept_search text collate "C" not null,
  winner_search text collate "C",
  project_id text not null,
  is_sme boolean not null,
  project_province smallint,
  dept_province smallint,
  -- numbers of match_values
  status smallint not null,
  movement smallint not null,
  criteria smallint not null,
  method smallint not null,
  method_type smallint not null,
  first_load bigint not null,
  changed_load bigint,
  budget_satang bigint,
  estimate_satang bigint,
  winner_satang bigint,
  movement_on date,
  draft_published_on date,
  draft_discussion_ends_on date,
  bidding_invited_on date,
  submission_ends_on date,
  winner_announced_on date,
  -- All that the facets count, as 24 bytes that one string_agg hands over for all rows at once: counting them outside is
  -- 3 x faster than GROUPING SETS (docs/performance.md). Layout: server/features/report/packed-row.ts.
  packed bytea not null generated always as (
    int2send(status) || int2send(movement) || int2send(criteria) || int2send(method) || int2send(method_type)
    || int2send(((coalesce(project_province, 0)::int << 7) | coalesce(dept_province, 0)::int)::smallint)
    -- bins of MONEY_BINS (contract/report/report.ts), upper bound included; 15 = unknown
    || int2send((
      case when budget_satang is null then 15 else width_bucket(budget_satang - 1, '{10000000,20000000,50000000,100000000,200000000,500000000,1000000000,2000000000,5000000000,10000000000,20000000000,50000000000,100000000000}'::bigint[]) end
      | (case when estimate_satang is null then 15 else width_bucket(estimate_satang - 1, '{10000000,20000000,50000000,100000000,200000000,500000000,1000000000,2000000000,5000000000,10000000000,20000000000,50000000000,100000000000}'::bigint[]) end << 4)
      | (case when winner_satang is null then 15 else width_bucket(winner_satang - 1, '{10000000,20000000,50000000,100000000,200000000,500000000,1000000000,2000000000,5000000000,10000000000,20000000000,50000000000,100000000000}'::bigint[]) end << 8)
      | case when is_sme then 4096 else 0 end
      | case when is_archived then 8192 else 0 end
    )::smallint)
    -- days since 2000-01-01; -32768 = unknown
    || int2send(case when draft_published_on is null then -32768 else greatest(-32767, least(32767, draft_published_on - date '2000-01-01')) end::smallint)
    || int2send(case when draft_discussion_ends_on is null then -32768 else greatest(-32767, least(32767, draft_discussion_ends_on - date '2000-01-01')) end::smallint)
    || int2send(case when bidding_invited_on is null then -32768 else greatest(-32767, least(32767, bidding_invited_on - date '2000-01-01')) end::smallint)
    || int2send(case when submission_ends_on is null then -32768 else greatest(-32767, least(32767, submission_ends_on - date '2000-01-01')) end::smallint)
    || int2send(case when winner_announced_on is null then -32768 else greatest(-32767, least(32767, winner_announced_on - date '2000-01-01')) end::smallint)
  ) stored,
  matched_by text[] not null,
  matched_words text[] not null,
  dept_spaced text collate "C" not null,
  winner_spaced text collate "C",
  primary key (organisation_id, project_id)
) partition by hash (organisation_id);

-- Matching takes back the rows of a project that changed, whoever they belong to; one organisation's row is found by both.
create index project_matches_by_project on project_matches (project_id, organisation_id);
-- The report's own order, carrying every filter column: page, total and facets are index-only scans of one organisation's
-- rows, wherever in the table the loads have scattered them.
create index project_matches_report on project_matches (organisation_id, is_archived, movement_on desc nulls last, project_id)
  include (
    is_sme, project_province, first_load, changed_load, budget_satang, estimate_satang, winner_satang, draft_published_on,
    draft_discussion_ends_on, bidding_invited_on, submission_ends_on, winner_announced_on, status, movement, criteria, method,
    method_type, dept_province, packed
  );

do $$
begin
  for i in 0..15 loop
    execute format('create table project_matches_%s partition of project_matches for values with (modulus 16, remainder %s)', i, i);
  end loop;
end $$;

-- What exclusion words kept out, kept for the ledger: never silently lost.
create table match_exclusions (
  organisation_id int not null,
  project_id text not null,
  list text not null,
  word text not null,
  -- the last load in which a tracked field of the project changed: what would otherwise be New or Updated there
  load_id bigint not null,
  primary key (organisation_id, project_id)
);
create index match_exclusions_by_project on match_exclusions (project_id);
create index match_exclusions_by_load on match_exclusions (organisation_id, load_id);

-- What each user marks ------------------------------------------------------------------------------------------------
create table bookmarks (
  user_id int not null references users (id) on delete cascade,
  project_id text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, project_id)
);

create table labels (
  user_id int not null references users (id) on delete cascade,
  id text not null,
  name text not null,
  color text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, id)
);

create table label_assignments (
  user_id int not null,
  project_id text not null,
  label_id text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, project_id, label_id),
  foreign key (user_id, label_id) references labels (user_id, id) on delete cascade
);

create table saved_filters (
  user_id int not null references users (id) on delete cascade,
  id text not null,
  name text not null,
  filter_data jsonb not null,
  is_send boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (user_id, id)
);

-- Work that only one process may do at a time, and work that is due once a day (01:00 in Bangkok) -----------------------
create table job_leases (
  name text primary key,
  holder text not null,
  -- a holder that dies stops renewing; after this moment anybody may take over
  expires_at timestamptz not null
);

create table job_runs (
  job text not null,
  -- the day in Bangkok
  day date not null,
  finished_at timestamptz not null default now(),
  primary key (job, day)
);
