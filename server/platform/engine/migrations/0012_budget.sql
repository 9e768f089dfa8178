-- The annual budget (decision 0023): items that parliament gave money for, the organisations' words in them, and the projects that they became.

-- One row for each file of a year that came in; the last one is what the year shows.
create table budget_loads (
  id bigint generated always as identity primary key,
  fiscal_year smallint not null,
  origin text not null,
  loaded_at timestamptz not null,
  read_rows int not null,
  items int not null,
  quarantined_rows int not null,
  -- projects have been looked for since; false: links of the year are older than its items
  is_linked boolean not null default false
);

create table budget_quarantined_rows (
  load_id bigint not null references budget_loads (id) on delete cascade,
  line int not null,
  reason text not null,
  raw text not null,
  primary key (load_id, line)
);

create table budget_years (
  fiscal_year smallint primary key,
  load_id bigint not null references budget_loads (id),
  items int not null,
  sources text[] not null
);

-- Ministries, units, plans, outputs, projects, categories and documents by number: what every figure is made of stays narrow.
create table budget_names (
  id int generated always as identity primary key,
  name text collate "C" not null unique
);

create table budget_items (
  id int generated always as identity primary key,
  fiscal_year smallint not null,
  -- numbers of budget_names; `project` is the layout's PROJECT, or its OUTPUT where an item has none
  ministry int not null,
  unit int not null,
  plan int not null,
  project int not null,
  -- level 1 of `categories`
  category int not null,
  categories int[] not null,
  amount_satang bigint,
  province smallint,
  is_multi_year boolean not null,
  is_cross_function boolean not null,
  -- Of its sure links, whatever organisations decided: 0 none, 1 all cancelled, 2 draft, 3 invitation, 4 award; how many, and how many guesses.
  state smallint not null default 0,
  links smallint not null default 0,
  guesses smallint not null default 0
);
create index budget_items_by_year on budget_items (fiscal_year, ministry, unit);
create index budget_items_by_unit on budget_items (unit);

-- What is read for the items of one page and by searches alone.
create table budget_item_texts (
  item_id int primary key references budget_items (id) on delete cascade,
  source_id text not null,
  description text collate "C" not null,
  output text,
  project text,
  -- description, unit, output and project, each on a line, as the search compares them
  search_compact text collate "C" not null,
  search_spaced text collate "C" not null,
  document int not null,
  page int,
  -- words of the description (server/features/project/name-words.ts) of this version; 0: not yet cut
  words int[] not null default '{}',
  words_version smallint not null default 0
);
create index budget_item_texts_by_description on budget_item_texts using hash (description);

-- Items that an organisation's words find, excluded ones too. Made anew for a year when its rules or the year's items have moved on.
create table budget_matches (
  organisation_id int not null references organisations (id) on delete cascade,
  item_id int not null references budget_items (id) on delete cascade,
  -- ids of the entries that let it in, and what of them stands in it
  keywords int[] not null,
  words text[] not null,
  -- the word that keeps it out
  excluded_by text,
  primary key (organisation_id, item_id)
);
create index budget_matches_by_item on budget_matches (item_id);
create table budget_match_runs (
  organisation_id int not null references organisations (id) on delete cascade,
  fiscal_year smallint not null,
  rules_version int not null,
  load_id bigint not null,
  matched_at timestamptz not null,
  primary key (organisation_id, fiscal_year)
);

-- Projects that an item may have become, the same for everybody. What counts of the project is copied, so that figures need not read it.
create table budget_links (
  item_id int not null references budget_items (id) on delete cascade,
  project_id text not null references projects (project_id) on delete cascade,
  -- 0: nothing speaks for it any more, but somebody decided about it
  confidence real not null,
  reasons text[] not null,
  -- as in budget_items, from 1
  state smallint not null,
  announced_on date,
  estimate_satang bigint,
  winner_satang bigint,
  primary key (item_id, project_id)
);
create index budget_links_by_project on budget_links (project_id);

create table budget_link_decisions (
  organisation_id int not null references organisations (id) on delete cascade,
  item_id int not null references budget_items (id) on delete cascade,
  project_id text not null,
  decision text not null check (decision in ('confirmed', 'rejected')),
  decided_by int references users (id) on delete set null,
  decided_at timestamptz not null,
  primary key (organisation_id, item_id, project_id)
);
create index budget_link_decisions_by_item on budget_link_decisions (item_id, project_id);

-- Whether a load's projects have been held against the budget; 0: not yet. A load that is done counts for the items of its day.
alter table loads add column budget_version smallint not null default 0;

-- The budget's items counted by all levels and states, whatever organisations decided: what the drill through all items is answered from. Kept by
-- everything that writes items or their states, in the same transaction.
create table budget_totals (
  fiscal_year smallint not null,
  ministry int not null,
  unit int not null,
  plan int not null,
  project int not null,
  category int not null,
  state smallint not null,
  n int not null,
  -- of these, items whose amount is known, and its sum
  known int not null,
  satang bigint not null,
  primary key (fiscal_year, ministry, unit, plan, project, category, state)
);
