-- The embedded database writes large parts without checking references, in a role in which triggers rest (server/engine/bulk-write.ts). The notes by
-- which the report's memory sees a write must be made in that role too: without them a first start showed what it held of the first part until the next load.
alter table projects enable always trigger note_write;
alter table project_matches enable always trigger note_insert;
alter table project_matches enable always trigger note_update;
alter table project_matches enable always trigger note_delete;
