-- Watch lists as people edit them.

-- `keywordKey` of the word (contract/keyword/keyword.ts): one list holds a word once, however it is spelled. Rows that exist already get it from
-- SQL, which folds less; of two that fold alike the later keeps its id in it.
alter table keywords add column word_key text;
update keywords k set word_key = d.key || case when d.place > 1 then ' ' || k.id else '' end
from (
  select id, key, row_number() over (partition by organisation_id, list, key order by id) as place
  from (select id, organisation_id, list, lower(regexp_replace(normalize(word, NFC), '\s', '', 'g')) as key from keywords) named
) d
where d.id = k.id;
alter table keywords alter column word_key set not null;
alter table keywords drop constraint keywords_organisation_id_list_word_key;
create unique index keywords_by_word on keywords (organisation_id, list, word_key);
alter table keywords add column created_by int references users (id) on delete set null;

-- Named topics (D10), shared by the five lists of an organisation. The sample's numbers become groups named after their first word.
create table keyword_groups (
  id int generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  name text not null,
  unique (organisation_id, name)
);
insert into keyword_groups (organisation_id, name)
select distinct organisation_id, name from (
  select distinct on (organisation_id, list, group_id) organisation_id, word as name from keywords
  where group_id is not null order by organisation_id, list, group_id, id
) first_words;
update keywords k set group_id = g.id
from (
  select distinct on (organisation_id, list, group_id) organisation_id, list, group_id, word from keywords
  where group_id is not null order by organisation_id, list, group_id, id
) f join keyword_groups g on g.organisation_id = f.organisation_id and g.name = f.word
where k.organisation_id = f.organisation_id and k.list = f.list and k.group_id = f.group_id;
alter table keywords add foreign key (group_id) references keyword_groups (id) on delete set null;

-- What an AI keyword stands for (contract/keyword/keyword-term.ts).
create table keyword_terms (
  keyword_id int not null references keywords (id) on delete cascade,
  -- searchForm of the term
  term_key text not null,
  term text not null,
  source text not null check (source in ('literal', 'learned', 'dictionary', 'provider', 'user')),
  state text not null check (state in ('auto', 'approved', 'suggested', 'rejected')),
  similarity real not null,
  -- 0: alone a hit; from 1: a side of the keyword, of which each must be found
  facet smallint not null default 0,
  title_count int,
  position smallint not null,
  primary key (keyword_id, facet, term_key)
);

-- Deleted words with their terms, kept a day so that a deletion can be taken back whole. Apart from the living, so that no query can forget to leave them out.
create table deleted_keywords (
  id int primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  keyword jsonb not null,
  terms jsonb not null,
  deleted_at timestamptz not null,
  deleted_by int references users (id) on delete set null
);
create index deleted_keywords_by_time on deleted_keywords (deleted_at);

-- Words that nobody may watch: they would bring in everything. `word_key` as above.
create table keyword_blacklist (
  word_key text primary key,
  word text not null,
  created_at timestamptz not null default now()
);
-- To begin with: words of the procedure, of counting and of addresses. Nearly all stand in more than 20 % of 53,736 competitive or of 120,000
-- other titles of 2568 (`การ` in 66 %, `วิธี` in all); words for something that is bought are left to the check for broad words.
insert into keyword_blacklist (word_key, word) select word, word from unnest(array[
  'จ้าง', 'ซื้อ', 'จัดซื้อ', 'จัดจ้าง', 'จัดซื้อจัดจ้าง', 'โครงการ', 'รายการ', 'จำนวน', 'งาน', 'การ', 'ราคา', 'วิธี', 'โดยวิธี', 'ด้วยวิธี',
  'ประกวดราคา', 'ประกวดราคาซื้อ', 'ประกวดราคาจ้าง', 'ประกวดราคาอิเล็กทรอนิกส์', 'อิเล็กทรอนิกส์', 'e-bidding', 'วิธีเฉพาะเจาะจง', 'เฉพาะเจาะจง',
  'และ', 'ที่', 'โดย', 'ด้วย', 'ตำบล', 'อำเภอ', 'จังหวัด', 'หมู่ที่', 'บ้าน'
]) word;

-- Grows with every change of an organisation's rules: what was computed from older rules is stale.
alter table organisations add column rules_version int not null default 1;

-- Projects let in although an exclusion word keeps them out (N1), with the word as it was then.
create table match_rescues (
  organisation_id int not null references organisations (id) on delete cascade,
  project_id text not null,
  list text not null,
  word text not null,
  created_at timestamptz not null default now(),
  created_by int references users (id) on delete set null,
  primary key (organisation_id, project_id)
);

-- Matching anew that a change of the rules asked for: one row each change, worked off in order, one organisation at a time.
create table match_requests (
  id bigint generated always as identity primary key,
  organisation_id int not null references organisations (id) on delete cascade,
  -- what the change touches: {"all": true}, or {"expressions": [..], "terms": [..], "units": [..], "projects": [..]}
  scope jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  requested_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  done int not null default 0,
  total int not null default 0,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  -- of the worker that is at it: one that dies stops renewing
  holder text,
  lease_until timestamptz,
  failure text
);
create index match_requests_due on match_requests (next_at) where state in ('waiting', 'running');
create index match_requests_by_organisation on match_requests (organisation_id, id desc);

-- Why a row matched: [{"keyword": id, "terms": [..]}] by words, meaning and department, for the report to explain.
alter table project_matches add column reasons jsonb not null default '[]';

-- "Since my last visit" (D4): when the present visit began or went on, and when the one before it ended.
alter table users add column last_seen_at timestamptz;
alter table users add column previous_visit_at timestamptz;

-- Agencies of the public directory (`--source egp-agencies`), with what stands above them in the tree of departments and with
-- those that have no project yet. Replaced as a whole by each import.
create table agency_directory (
  -- searchForm of the name: a keyword knows names only, so agencies of one name are one entry
  name_key text primary key,
  name text not null,
  ministry text not null,
  -- null where agencies of that name stand in several
  province smallint,
  imported_at timestamptz not null
);

-- The projects that moved last, newest first: what previews and word statistics look at.
create index projects_by_movement on projects (movement_on desc, project_id desc);
