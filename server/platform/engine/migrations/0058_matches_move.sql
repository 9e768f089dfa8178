-- Each match keeps what belongs to the match: whose, of which project, its loads, its words (decision 0092). All in one transaction; no column is lost: what was
-- copied into matches comes from them and not from the projects, whose searchable forms the database cannot make.
insert into project_filters (
  written_load, department_id, movement_on, budget_satang, estimate_satang, winner_satang, draft_published_on, draft_discussion_ends_on,
  bidding_invited_on, submission_ends_on, winner_announced_on, project_province, dept_province, status, movement, criteria, method, method_type,
  is_sme, is_archived, project_id
)
-- A match whose project has gone (there should be none) keeps its row; 0: no department, no load.
select coalesce(p.written_load, 0), coalesce(p.department_id, 0), m.movement_on, m.budget_satang, m.estimate_satang, m.winner_satang, m.draft_published_on,
  m.draft_discussion_ends_on, m.bidding_invited_on, m.submission_ends_on, m.winner_announced_on, m.project_province, m.dept_province, m.status, m.movement,
  m.criteria, m.method, m.method_type, m.is_sme, m.is_archived, m.project_id
from (
  select distinct on (w.project_id) w.project_id, w.movement_on, w.budget_satang, w.estimate_satang, w.winner_satang, w.draft_published_on, w.draft_discussion_ends_on,
    w.bidding_invited_on, w.submission_ends_on, w.winner_announced_on, w.project_province, w.dept_province, w.status, w.movement, w.criteria, w.method,
    w.method_type, w.is_sme, w.is_archived
  from project_matches w order by w.project_id, w.organisation_id
) m
left join projects p on p.project_id = m.project_id
order by m.project_id;

insert into project_texts (filters_id, name_search, winner_search, winner_spaced)
select distinct on (f.id) f.id, w.name_search, w.winner_search, w.winner_spaced
from project_matches w join project_filters f on f.project_id = w.project_id
order by f.id, w.organisation_id;

insert into department_texts (department_id, dept_search, dept_spaced)
select distinct on (f.department_id) f.department_id, w.dept_search, w.dept_spaced
from project_matches w join project_filters f on f.project_id = w.project_id
order by f.department_id, w.project_id, w.organisation_id;

-- An organisation that is gone leaves its matches behind; nobody sees them.
insert into match_words (organisation_id, matched_by, matched_words, reasons)
select distinct w.organisation_id, w.matched_by, w.matched_words, w.reasons
from project_matches w where w.organisation_id in (select o.id from organisations o);

create temporary table moved_matches on commit drop as
select w.organisation_id, f.id as filters_id, w.first_load::int as first_load, w.changed_load::int as changed_load, s.id as words_id, w.project_id
from project_matches w
join project_filters f on f.project_id = w.project_id
join match_words s on s.organisation_id = w.organisation_id and s.key = match_words_key(w.matched_by, w.matched_words, w.reasons);

drop table project_matches;
create table project_matches (
  organisation_id int not null,
  -- of project_filters, and of match_words
  filters_id int not null,
  words_id int not null,
  first_load int not null,
  changed_load int,
  project_id text not null,
  primary key (organisation_id, project_id)
) partition by hash (organisation_id);
do $$
begin
  for i in 0..15 loop
    execute format('create table project_matches_%s partition of project_matches for values with (modulus 16, remainder %s)', i, i);
  end loop;
end $$;
insert into project_matches (organisation_id, filters_id, words_id, first_load, changed_load, project_id)
select t.organisation_id, t.filters_id, t.words_id, t.first_load, t.changed_load, t.project_id
from moved_matches t order by t.organisation_id, t.project_id;
-- Matching takes back the rows of a project that changed, whoever they belong to. Equal keys share one entry, so what a thousand organisations watch costs six bytes each.
create index project_matches_by_project on project_matches (project_id);

alter table project_matches enable row level security;
create policy tenant on project_matches to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int) with check (organisation_id = current_setting('app.organisation')::int);
grant select on project_matches to tamngan_tenant;

-- As 0019 and 0020 made them.
create trigger note_insert after insert on project_matches
  referencing new table as changed for each statement execute function note_match_write();
create trigger note_update after update on project_matches
  referencing new table as changed for each statement execute function note_match_write();
create trigger note_delete after delete on project_matches
  referencing old table as changed for each statement execute function note_match_write();
create trigger note_truncate after truncate on project_matches for each statement execute function note_match_truncate();
alter table project_matches enable always trigger note_insert;
alter table project_matches enable always trigger note_update;
alter table project_matches enable always trigger note_delete;

-- A match with what the report filters, sorts and counts by. With the rights of who asks, so that row-level security holds. `offset 0` keeps the look-up by key: the planner would
-- read the filters of all projects instead, which costs more than the looks of half of them, and grows with every year.
create view report_matches with (security_invoker = true) as
select m.organisation_id, m.project_id, m.filters_id, m.words_id, m.first_load, m.changed_load, f.department_id, f.is_archived, f.is_sme, f.project_province,
  f.dept_province, f.status, f.movement, f.criteria, f.method, f.method_type, f.budget_satang, f.estimate_satang, f.winner_satang, f.movement_on,
  f.draft_published_on, f.draft_discussion_ends_on, f.bidding_invited_on, f.submission_ends_on, f.winner_announced_on, f.packed
from project_matches m
cross join lateral (select x.* from project_filters x where x.id = m.filters_id offset 0) f;

-- A match with what let it in.
create view worded_matches with (security_invoker = true) as
select m.organisation_id, m.project_id, m.first_load, m.changed_load, w.matched_by, w.matched_words, w.reasons
from project_matches m join match_words w on w.organisation_id = m.organisation_id and w.id = m.words_id;
grant select on report_matches, worded_matches to tamngan_tenant;
