-- When a user looked at a project: what was seen since is marked there. Rows that nobody renewed for a year are cleared away.
create table project_views (
  user_id int not null references users (id) on delete cascade,
  project_id text not null,
  -- the last look, and when the visit before the present one ended
  looked_at timestamptz not null,
  previous_at timestamptz,
  primary key (user_id, project_id)
);

-- What makes projects comparable: written after each load from the rows that it wrote, apart from `projects`, so that a load neither waits
-- for it nor pays for its index.
create table project_traits (
  project_id text primary key,
  -- budget, else reference price, else winning price
  size_satang bigint,
  -- only of decided projects: what was asked, what it was won for, and when
  estimate_satang bigint,
  winner_satang bigint,
  decided_on date,
  -- negative: words of the name in their order (hashes of server/features/project/name-words.ts); positive: unit, and of decided projects
  -- province, region and size with kind and method of purchase (trait-tokens.ts). One index serves every combination.
  tokens int[] not null
);
create index project_traits_by_token on project_traits using gin (tokens);
-- The version of the traits in which a load's projects are written; 0: not yet.
alter table loads add column traits_version smallint not null default 0;
