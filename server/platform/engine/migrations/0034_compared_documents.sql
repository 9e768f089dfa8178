-- Document_compared: a newer file of a project that somebody starred says other things than the one before it (decision 0066). `version` is the id of that file, so that each is
-- told once.
alter table notifications add column change_count int;
