-- What users are told (D16, D17): each thing once, made by the transaction that brings it about.
create table notifications (
  -- Ids of one user grow in the order in which they become visible: whoever adds some first locks the user's row (`click_read` below), so that
  -- "read all up to this one" never reads one that was not there yet.
  id bigint generated always as identity primary key,
  user_id int not null references users (id) on delete cascade,
  organisation_id int not null,
  -- contract/user/notification.ts; open, so that an older process passes over what a newer one made
  type text not null,
  project_id text,
  -- warnings: the date that they are about; the same date is never warned of twice
  due_on date,
  -- Updated: the load that changed the project
  load_id bigint,
  export_id text,
  -- name of the exported file; a project's name is read from the project
  file_name text,
  created_at timestamptz not null,
  read_at timestamptz,
  -- once for each project, type and date, once for each project and load, once for each export (R52)
  unique nulls not distinct (user_id, project_id, type, due_on, load_id, export_id)
);
create index notifications_newest on notifications (user_id, id desc);
create index notifications_by_time on notifications (created_at);

-- The specification's clickRead: set with what is new, cleared when the popover opens.
alter table users add column notifications_click_read boolean not null default false;

-- Projects with a date still to come, among those still open: a few of all, found each night. Nothing else may stand in the index:
-- each load writes it with every row.
create index projects_by_last_due on projects (greatest(draft_discussion_ends_on, submission_ends_on)) where not is_archived;
-- A load asks who marked the projects that it changed.
create index bookmarks_by_project on bookmarks (project_id);
create index label_assignments_by_project on label_assignments (project_id);
