-- The saved filter with which the menu and the login open the report: one for each user at most.
alter table saved_filters add column is_start boolean not null default false;
create unique index saved_filters_start on saved_filters (user_id) where is_start;
