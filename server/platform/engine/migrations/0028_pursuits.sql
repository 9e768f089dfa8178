-- What an organisation does about tenders (decision 0060).

-- One row for each organisation that has a pursuit or a note. Whoever changes something of its pursuits locks the row first, so that changes happen one
-- after the other and the numbers of the history are their order. What is null is as contract/pursuit/pursuit-settings.ts says.
create table pursuit_boards (
  organisation_id int primary key references organisations (id) on delete cascade,
  -- grows with every change: what open tabs ask for
  version bigint not null default 0,
  stages jsonb,
  template jsonb,
  price_roles text[]
);

create table pursuits (
  organisation_id int not null references organisations (id) on delete cascade,
  project_id text not null,
  -- id in the stages of the board
  stage text not null,
  stage_since timestamptz not null,
  owner_id int references users (id) on delete set null,
  decision text check (decision in ('bid', 'no_bid')),
  reason text,
  decided_by int references users (id) on delete set null,
  decided_at timestamptz,
  lost_reason text,
  price_satang bigint,
  checklist jsonb not null default '[]',
  created_by int references users (id) on delete set null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (organisation_id, project_id)
);
create index pursuits_by_owner on pursuits (owner_id);
create index pursuits_by_decider on pursuits (decided_by);
create index pursuits_by_creator on pursuits (created_by);

-- The history. Nobody changes it.
create table pursuit_events (
  organisation_id int not null references organisations (id) on delete cascade,
  -- the board's version that it made
  id bigint not null,
  project_id text not null,
  user_id int references users (id) on delete set null,
  at timestamptz not null,
  action text not null,
  was text,
  became text,
  primary key (organisation_id, id)
);
create index pursuit_events_by_project on pursuit_events (organisation_id, project_id, id desc);
create index pursuit_events_by_user on pursuit_events (user_id);

create table pursuit_notes (
  organisation_id int not null references organisations (id) on delete cascade,
  project_id text not null,
  -- made by the client
  id text not null,
  -- the board's version that it came with: the order of the thread
  place bigint not null,
  user_id int references users (id) on delete set null,
  -- empty when it was deleted
  text text not null,
  mentions int[] not null default '{}',
  is_pinned boolean not null default false,
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  primary key (organisation_id, project_id, id)
);
create index pursuit_notes_by_author on pursuit_notes (user_id);

-- The second wall (decision 0025).
do $$
declare name text;
begin
  foreach name in array array['pursuit_boards', 'pursuits', 'pursuit_events', 'pursuit_notes'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy tenant on %I to tamngan_tenant
      using (organisation_id = current_setting(''app.organisation'')::int)
      with check (organisation_id = current_setting(''app.organisation'')::int)', name);
  end loop;
end $$;
grant select, insert, update (version, stages, template, price_roles) on pursuit_boards to tamngan_tenant;
grant select, insert, update (stage, stage_since, owner_id, decision, reason, decided_by, decided_at, lost_reason, price_satang, checklist, changed_at), delete
  on pursuits to tamngan_tenant;
grant select, insert on pursuit_events to tamngan_tenant;
grant select, insert, update (text, mentions, is_pinned, edited_at, deleted_at) on pursuit_notes to tamngan_tenant;

-- A note calls a colleague: `export_id` is what a notification is about beside its project, a file or a note, and part of what makes it one.
-- Tells colleagues who are called by a note. The bell is theirs, so a tenant cannot write into it: the function is the owner's, and lets in members of the
-- organisation that asks alone, without the one who wrote. The user's row first, as everywhere.
create function tell_mentioned(called int[], project text, note text, told_at timestamptz) returns void
language sql security definer
begin atomic
  with told as (
    update users u set notifications_click_read = true
    where u.id = any (called) and u.organisation_id = current_setting('app.organisation')::int and u.id <> current_setting('app.user')::int
      and not u.is_disabled and not exists (
        select from notifications n where n.user_id = u.id and n.project_id = project and n.type = 'Mentioned' and n.export_id = note
      )
    returning u.id, u.organisation_id
  )
  insert into notifications (user_id, organisation_id, type, project_id, export_id, created_at)
  select told.id, told.organisation_id, 'Mentioned', project, note, told_at from told order by told.id
  on conflict do nothing;
end;
revoke execute on function tell_mentioned(int[], text, text, timestamptz) from public;
grant execute on function tell_mentioned(int[], text, text, timestamptz) to tamngan_tenant;
