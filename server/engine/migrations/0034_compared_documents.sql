-- Document_compared: a newer file of a project that somebody starred says other things than the one before it (decision 0066).
-- How many clauses are others.
alter table notifications add column change_count int;
-- What is told once besides date, load and export: the id of the document. Kinds that tell of other versions use the same column.
alter table notifications add column if not exists version text;
alter table notifications drop constraint if exists notifications_user_id_project_id_type_due_on_load_id_export_key;
alter table notifications drop constraint if exists notifications_once;
alter table notifications add constraint notifications_once
  unique nulls not distinct (user_id, project_id, type, due_on, load_id, export_id, version);
