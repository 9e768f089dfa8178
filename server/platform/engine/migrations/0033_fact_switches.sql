-- Which kinds of facts are believed (decision 0065). What fetched documents state, as it was read: public, so operators may check it by hand.
create table fetched_facts (
  hash text not null,
  fact text not null,
  -- clear or unsure
  state text not null,
  -- as read: value, sentence, page
  told jsonb not null,
  -- number of the rule that read it
  rule int not null,
  project_id text not null,
  name text not null,
  read_at timestamptz not null,
  primary key (hash, fact)
);
create index fetched_facts_by_fact on fetched_facts (fact, read_at desc);

-- What a person said of a reading, document beside it.
create table fact_checks (
  hash text not null,
  fact text not null,
  rule int not null,
  is_right boolean not null,
  checked_at timestamptz not null,
  primary key (hash, fact, rule)
);
create index fact_checks_by_fact on fact_checks (fact, rule);

-- A kind of fact without a row is told as its sentence.
create table fact_switches (
  fact text primary key,
  is_on boolean not null,
  rule int not null,
  switched_at timestamptz not null,
  -- operator, or unsure: undone by itself
  switched_by text not null check (switched_by in ('operator', 'unsure')),
  -- part of unsure readings when it was switched on, 0 to 1
  unsure_share real not null
);
grant select on fact_switches to tamngan_tenant;
