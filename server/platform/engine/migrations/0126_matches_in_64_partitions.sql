-- A vacuum or an index build takes one partition at a time, about 10 GB at most: 64 of them are 640 GB of matches. Nobody sees half of it: the whole table is held until
-- it is moved, 3 million rows a minute. A table that was divided into 64 before stays as it is.
do $$
declare
  old record;
  its_index record;
begin
  if (select count(*) from pg_inherits where inhparent = 'project_matches'::regclass) >= 64 then
    return;
  end if;
  -- The rows stay the same, so nobody is told of a change.
  alter table project_matches disable trigger user;
  for old in
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'project_matches'::regclass
  loop
    execute format('alter table project_matches detach partition %I', old.name);
    execute format('alter table %I rename to %I', old.name, 'moving_' || old.name);
    -- Indexes of the new partitions take these names.
    for its_index in
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = ('moving_' || old.name)::regclass
    loop
      execute format('alter index %I rename to %I', its_index.name, 'moving_' || its_index.name);
    end loop;
  end loop;
  for i in 0..63 loop
    execute format('create table project_matches_%s partition of project_matches for values with (modulus 64, remainder %s)', i, i);
  end loop;
  for old in
    select c.relname as name from pg_class c where c.relname like 'moving\_project\_matches\_%' and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  loop
    execute format('insert into project_matches (organisation_id, filters_id, words_id, first_load, changed_load, project_id)
      select organisation_id, filters_id, words_id, first_load, changed_load, project_id from %I order by organisation_id, project_id', old.name);
    execute format('drop table %I', old.name);
  end loop;
  alter table project_matches enable always trigger note_insert;
  alter table project_matches enable always trigger note_update;
  alter table project_matches enable always trigger note_delete;
  alter table project_matches enable trigger note_truncate;
end $$;
