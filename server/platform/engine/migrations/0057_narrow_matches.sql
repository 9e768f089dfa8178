-- What the report filters, sorts and counts by stands once a project, and no longer in each match (decision 0092). Filled and put in force by 0058.

-- One row for each project that an organisation has matched, written by matching. The int is what matches name it by: finding 20,000 rows by it takes a
-- third of what finding them by the text of the project's number takes. No reference to projects: the demo keeps its matches when the sample leaves.
create table project_filters (
  id int generated always as identity primary key,
  -- the load as of which the row is: matching writes it anew when the project was written since
  written_load int not null,
  department_id int not null,
  movement_on date,
  budget_satang bigint,
  estimate_satang bigint,
  winner_satang bigint,
  draft_published_on date,
  draft_discussion_ends_on date,
  bidding_invited_on date,
  submission_ends_on date,
  winner_announced_on date,
  project_province smallint,
  dept_province smallint,
  -- numbers of match_values
  status smallint not null,
  movement smallint not null,
  criteria smallint not null,
  method smallint not null,
  method_type smallint not null,
  is_sme boolean not null,
  is_archived boolean not null,
  project_id text not null unique,
  -- All that the facets count, as 24 bytes that one string_agg hands over for all rows at once. Layout: server/features/report/packed-row.ts.
  packed bytea not null generated always as (
    int2send(status) || int2send(movement) || int2send(criteria) || int2send(method) || int2send(method_type)
    || int2send((
      (case when is_sme then 16384 else 0 end) | (coalesce(project_province, 0)::int << 7) | coalesce(dept_province, 0)::int
    )::smallint)
    -- bins of MONEY_BINS (contract/report/report.ts), upper bound included; 31 = unknown
    || int2send((
      case when budget_satang is null then 31 else width_bucket(budget_satang - 1, '{10000000,18000000,32000000,56000000,100000000,180000000,320000000,560000000,1000000000,1800000000,3200000000,5600000000,10000000000,18000000000,32000000000,56000000000,100000000000}'::bigint[]) end
      | (case when estimate_satang is null then 31 else width_bucket(estimate_satang - 1, '{10000000,18000000,32000000,56000000,100000000,180000000,320000000,560000000,1000000000,1800000000,3200000000,5600000000,10000000000,18000000000,32000000000,56000000000,100000000000}'::bigint[]) end << 5)
      | (case when winner_satang is null then 31 else width_bucket(winner_satang - 1, '{10000000,18000000,32000000,56000000,100000000,180000000,320000000,560000000,1000000000,1800000000,3200000000,5600000000,10000000000,18000000000,32000000000,56000000000,100000000000}'::bigint[]) end << 10)
    )::smallint)
    -- days since 2000-01-01; -32768 = unknown
    || int2send(case when draft_published_on is null then -32768 else greatest(-32767, least(32767, draft_published_on - date '2000-01-01')) end::smallint)
    || int2send(case when draft_discussion_ends_on is null then -32768 else greatest(-32767, least(32767, draft_discussion_ends_on - date '2000-01-01')) end::smallint)
    || int2send(case when bidding_invited_on is null then -32768 else greatest(-32767, least(32767, bidding_invited_on - date '2000-01-01')) end::smallint)
    || int2send(case when submission_ends_on is null then -32768 else greatest(-32767, least(32767, submission_ends_on - date '2000-01-01')) end::smallint)
    || int2send(case when winner_announced_on is null then -32768 else greatest(-32767, least(32767, winner_announced_on - date '2000-01-01')) end::smallint)
  ) stored
);

-- Texts that the report searches, apart: filters on numbers and days then read a third of the pages. searchForm of name and winner
-- (contract/thai/thai-text.ts); winner_spaced keeps its blanks for "quoted" terms, those of the name stand with the project.
create table project_texts (
  filters_id int primary key,
  name_search text collate "C" not null,
  winner_search text collate "C",
  winner_spaced text collate "C"
);

-- The same of "department, unit", once a department. No reference: the demo keeps its own when the sample leaves.
create table department_texts (
  department_id int primary key,
  dept_search text collate "C" not null,
  dept_spaced text collate "C" not null
);

-- What let projects into an organisation's report, once for all of its matches that say the same.
create function match_words_key(matched_by text[], matched_words text[], reasons jsonb) returns uuid immutable parallel safe language sql as
  $$ select md5(array_to_json(matched_by)::text || array_to_json(matched_words)::text || reasons::text)::uuid $$;
create table match_words (
  organisation_id int not null references organisations (id) on delete cascade,
  id int generated always as identity,
  matched_by text[] not null,
  matched_words text[] not null,
  -- [{"keyword": id, "terms": [..]}], docs/matching.md
  reasons jsonb not null default '[]',
  key uuid not null generated always as (match_words_key(matched_by, matched_words, reasons)) stored,
  primary key (organisation_id, id),
  unique (organisation_id, key)
);
alter table match_words enable row level security;
create policy tenant on match_words to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);

grant select on project_filters, project_texts, department_texts, match_words to tamngan_tenant;
