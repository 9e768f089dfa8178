-- Channels besides bell and mail (decision 0128): push to devices, LINE.

-- What of a user's news comes by a channel, and when. A row is there once something was connected.
create table channel_settings (
  user_id int not null references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  -- contract/user/channel.ts
  channel text not null,
  -- something is connected that messages go to
  is_on boolean not null,
  kinds text[] not null,
  -- Bangkok, HH:mm; equal: no quiet hours
  quiet_from text not null check (quiet_from ~ '^[0-2]\d:[0-5]\d$'),
  quiet_until text not null check (quiet_until ~ '^[0-2]\d:[0-5]\d$'),
  working_days_only boolean not null,
  -- ids of saved filters; null: the whole report
  filters text[],
  primary key (user_id, channel)
);
create index channel_settings_by_organisation on channel_settings (organisation_id);
create index channel_settings_on on channel_settings (channel, user_id) where is_on;

alter table channel_settings enable row level security;
create policy tenant on channel_settings to tamngan_tenant
  using (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int)
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
grant select, insert, update (is_on, kinds, quiet_from, quiet_until, working_days_only, filters) on channel_settings to tamngan_tenant;

-- The outbox: what is to be told by a channel, each thing once. Several that wait for a user become one message.
create table channel_messages (
  id bigint generated always as identity primary key,
  user_id int not null references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  channel text not null,
  kind text not null,
  -- the notification, or the day of a morning
  dedupe_key text not null,
  -- what it is about; a notification that is forgotten takes its message with it
  notification_id bigint references notifications (id) on delete cascade,
  created_at timestamptz not null,
  -- others may join it until then
  due_at timestamptz not null,
  -- dropped: not wanted any more, or of no use any more
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped', 'failed')),
  -- one grouped message, named before it is first sent: a worker that is killed sends it again by the same name
  batch uuid,
  settled_at timestamptz,
  -- answer code or kind of fault
  failure text,
  unique (user_id, channel, kind, dedupe_key)
);
create index channel_messages_waiting on channel_messages (channel, user_id, due_at) where state = 'waiting';
create index channel_messages_settled on channel_messages (channel, settled_at) where state <> 'waiting';
create index channel_messages_by_organisation on channel_messages (organisation_id);
create index channel_messages_by_notification on channel_messages (notification_id);
-- The server's own: nothing is granted, so no request reads or writes it.

-- Whoever writes a notification, in whatever role and of whatever version, writes its messages and asks for the job that sends them, all in one transaction.
-- A colleague's note calls somebody whose settings the colleague may not read: so it runs as the owner. News that somebody waits for are due at once, others after ten minutes
-- in which more may come: hundreds of small loads make a night.
create function tell_channels() returns trigger language plpgsql security definer set search_path from current as $$
begin
  if not exists (select from channel_settings where is_on) then return null; end if;
  with stored as (
    insert into channel_messages (user_id, organisation_id, channel, kind, dedupe_key, notification_id, created_at, due_at)
    select n.user_id, n.organisation_id, s.channel, k.kind, n.id::text, n.id, n.created_at,
      n.created_at + case when k.kind in ('Deadline_moved', 'Mentioned', 'Join_requested', 'Export_ready') then interval '0' else interval '10 minutes' end
    from told n
    join channel_settings s on s.user_id = n.user_id and s.is_on
    cross join lateral (
      select case when n.type = 'Updated' and 'Deadline_moved' = any (s.kinds)
        and exists (select from bookmarks b where b.user_id = n.user_id and b.project_id = n.project_id)
        and exists (
          select from project_changes c
          where c.project_id = n.project_id and c.load_id = n.load_id and c.old_value is not null
            and c.field in ('submission_end_date', 'submission_time', 'draft_discussion_end_date'))
        then 'Deadline_moved' else n.type end as kind
    ) k
    where k.kind = any (s.kinds) and (k.kind <> 'Document_found' or s.filters is null or n.version = any (s.filters))
    order by n.id
    on conflict do nothing
    returning user_id, organisation_id, channel, created_at, due_at
  )
  insert into jobs (kind, key, dedupe_key, payload, organisation_id, user_id, requested_at, run_at)
  select 'channel', s.channel || ':' || s.user_id, s.channel || ':' || s.user_id || case when s.due_at = s.created_at then ':now' else '' end,
    jsonb_build_object('channel', s.channel, 'user', s.user_id), s.organisation_id, s.user_id, min(s.created_at), min(s.due_at)
  from stored s
  group by s.channel, s.user_id, s.organisation_id, s.due_at = s.created_at
  on conflict (kind, dedupe_key) where dedupe_key is not null do nothing;
  return null;
end $$;
revoke execute on function tell_channels() from public;
create trigger tell_channels after insert on notifications referencing new table as told
  for each statement execute function tell_channels();
