-- Labels of the team beside those of each user (decision 0093): made, given and taken under the lock of the board, whose version grows with each change.
create table team_labels (
  organisation_id int not null references organisations (id) on delete cascade,
  -- made by the client
  id text not null,
  name text not null,
  color text not null,
  created_by int references users (id) on delete set null,
  created_at timestamptz not null,
  primary key (organisation_id, id)
);
create index team_labels_by_maker on team_labels (created_by);

create table team_label_assignments (
  organisation_id int not null,
  project_id text not null,
  label_id text not null,
  created_at timestamptz not null,
  primary key (organisation_id, project_id, label_id),
  foreign key (organisation_id, label_id) references team_labels (organisation_id, id) on delete cascade
);
create index team_label_assignments_by_label on team_label_assignments (organisation_id, label_id);

-- The second wall (decision 0025).
do $$
declare name text;
begin
  foreach name in array array['team_labels', 'team_label_assignments'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy tenant on %I to tamngan_tenant
      using (organisation_id = current_setting(''app.organisation'')::int)
      with check (organisation_id = current_setting(''app.organisation'')::int)', name);
  end loop;
end $$;
grant select, insert, update (name, color), delete on team_labels to tamngan_tenant;
grant select, insert, delete on team_label_assignments to tamngan_tenant;
