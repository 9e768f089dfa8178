-- Text that was read from pictures of pages (decision 0096). It is searched as other text, and states no number and no date by itself.
alter table document_pages add column is_from_picture boolean not null default false;

-- How far it is. null: nobody asked · waiting: a job is at it or will be · done · failed: picture_reason says why
alter table documents add column picture_state text check (picture_state in ('waiting', 'done', 'failed'));
-- why no page could be read, or `day-limit`: it goes on tomorrow
alter table documents add column picture_reason text;
-- pages without text of their own, those of them that were looked at, and those among these that could not be read
alter table documents add column picture_total int not null default 0;
alter table documents add column picture_done int not null default 0;
alter table documents add column picture_failed int not null default 0;
update documents set picture_total = greatest(page_count, 1) where state = 'scan';
-- Who asks for it asks as a tenant.
grant update (picture_state, picture_reason, picture_done, picture_failed) on documents to tamngan_tenant;
create index documents_with_pictures on documents (added_at desc) where picture_total > 0 and picture_state is null;

-- Pages that were read for an organisation on a day of Bangkok: so many a day are paid for.
create table picture_days (
  organisation_id int not null references organisations (id) on delete cascade,
  day date not null,
  pages int not null,
  primary key (organisation_id, day)
);
create index picture_days_by_day on picture_days (day);
