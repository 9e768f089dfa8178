-- 0130 replaces them.
drop index if exists projects_stale_forms;
drop index if exists project_texts_stale_forms;
