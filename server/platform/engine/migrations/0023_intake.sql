-- Where the product fetches data by itself (decision 0045). A source has a row once an operator has touched it; what nobody set is its default in the program.
create table intake_sources (
  source text primary key,
  is_on boolean not null default false,
  address text not null,
  -- goes into the user agent of every request; nothing is asked without one
  contact text,
  -- HH:mm in Bangkok
  opens_at text not null,
  closes_at text not null,
  -- once a day outside the window one request learns whether the other side answers then
  probe_at text,
  pace_ms int not null,
  -- the night that was begun last, by the day of its evening
  night date,
  timeouts_in_row int not null default 0,
  -- stops after 429 or a refusal, in this night
  stops int not null default 0,
  resume_at timestamptz,
  last_request_at timestamptz,
  last_answer_at timestamptz,
  next_run_at timestamptz,
  probed_at timestamptz,
  probe_answered boolean,
  -- the other side said no: nothing more is asked until an operator switches it on again
  halted_at timestamptz,
  halted_reason text
);

create table intake_nights (
  source text not null references intake_sources (source) on delete cascade,
  night date not null,
  begun_at timestamptz not null,
  ended_at timestamptz,
  planned int not null default 0,
  requests int not null default 0,
  answers int not null default 0,
  items int not null default 0,
  new_items int not null default 0,
  changed_items int not null default 0,
  unreadable_items int not null default 0,
  timeouts int not null default 0,
  refusals int not null default 0,
  full_answers int not null default 0,
  -- null: it goes on
  outcome text check (outcome in ('complete', 'cut_short', 'refused', 'closed', 'halted')),
  primary key (source, night)
);

-- Agencies that the feed is asked for: departments with four digits, local bodies with seven.
create table intake_agencies (
  code text primary key,
  name text not null,
  name_key text not null,
  tier text not null default 'C' check (tier in ('A', 'B', 'C')),
  is_watched boolean not null default false,
  -- drafts and invitations, of which half are forgotten in 14 days: as it was on rate_on
  rate real not null default 0,
  rate_on date,
  last_notice_on date,
  -- nights in a row in which it never answered
  hung_nights int not null default 0,
  answered_at timestamptz
);
create index intake_agencies_by_name on intake_agencies (name_key);

-- Purchasing units of agencies that publish more in a day than one answer holds.
create table intake_units (
  agency text not null,
  code text not null,
  primary key (agency, code)
);

-- One row for each question that is asked again and again, and for each day of one that was answered with a full list: a restart goes on at the next.
create table intake_queries (
  agency text not null references intake_agencies (code) on delete cascade,
  type text not null,
  -- ISO day of a question about one day; empty: the latest
  day text not null default '',
  unit text not null default '',
  due date not null,
  asked_on date,
  asked_at timestamptz,
  is_planned boolean not null default false,
  -- how often it went to the end of the queue in this night
  deferred smallint not null default 0,
  priority smallint not null default 9,
  tries int not null default 0,
  hash text,
  items int,
  day_count int,
  primary key (agency, type, day, unit)
);
create index intake_queries_planned on intake_queries (deferred, priority, due, agency, type, day, unit) where is_planned;

-- Days on which an agency published more than could be had.
create table intake_gaps (
  agency text not null references intake_agencies (code) on delete cascade,
  type text not null,
  day date not null,
  expected int not null,
  found int not null,
  primary key (agency, type, day)
);

-- What the feed handed out, as it came.
create table intake_announcements (
  id bigint generated always as identity primary key,
  source text not null,
  -- number of the project, or of the plan (type P0)
  project_id text not null,
  -- code that the feed was asked with (D0, W0 ...)
  type text not null,
  -- as handed out; empty where the item has none
  link text not null,
  title text not null,
  -- text of the feed for method and kind
  method text not null,
  label text not null,
  published_on date not null,
  -- code that the feed was asked with
  agency text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- another title, day or method under the same link
  changed_at timestamptz,
  -- when its project was told; null: waits for the end of the night
  applied_at timestamptz,
  hash text not null,
  unique (project_id, type, link)
);
create index intake_announcements_waiting on intake_announcements (id) where applied_at is null;
create index intake_announcements_by_day on intake_announcements (agency, type, published_on);
