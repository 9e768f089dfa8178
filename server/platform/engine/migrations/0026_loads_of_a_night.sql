-- What a night brings comes in many small loads that New and Updated count as one (decision 0059).
-- The night of which a load is a part, by the Bangkok day of its evening; null: it stands alone.
alter table loads add column night date;
-- Years that are over: they begin no New and send no mails.
alter table loads add column is_history boolean not null default false;
-- The Bangkok day as of which dates were worked out for all projects; null: for those that it wrote alone.
alter table loads add column day date;
-- Whether it wrote a project. A later load may have written all of them again. Null: published before this column was here.
alter table loads add column wrote_projects boolean;
create index loads_by_night on loads (night, id) where state = 'published' and night is not null;
create index loads_apart on loads (id) where state = 'published' and night is null;
create index loads_by_day on loads (day) where state = 'published';
