-- Keys of changes that a device may send again because it never heard the answer (decision 0131): the second one changes nothing. Kept for seven days.
create table change_keys (
  user_id int not null references users (id) on delete cascade,
  key text not null check (length(key) between 1 and 100),
  made_at timestamptz not null,
  primary key (user_id, key)
);
create index change_keys_by_time on change_keys (user_id, made_at);

alter table change_keys enable row level security;
create policy tenant on change_keys to tamngan_tenant
  using (user_id = current_setting('app.user')::int) with check (user_id = current_setting('app.user')::int);
grant select, insert, delete on change_keys to tamngan_tenant;
