-- What the feed of e-GP calls an agency by: its announcements name none, only the query's code does (decision 0046).
create table agency_codes (
  code text primary key,
  name text not null,
  -- of local bodies, which lie in one; null for others, whose units buy everywhere
  province smallint
);

-- Purchasing plans (announcement type P0). A plan has a number of its own and no project number; the project that comes of it is found by its agency
-- and its exact title.
create table purchase_plans (
  plan_id text primary key,
  agency_code text not null,
  title text not null,
  -- the title without its method, as the search compares texts
  title_key text not null,
  link text,
  published_on date not null,
  project_id text references projects (project_id) on delete set null
);
create index purchase_plans_by_title on purchase_plans (agency_code, title_key) where project_id is null;
create index purchase_plans_by_project on purchase_plans (project_id);

-- The same for everybody: read by requests, written by loads and commands alone.
grant select on agency_codes, purchase_plans to tamngan_tenant;
