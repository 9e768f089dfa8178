-- Projects that a user has put out of view: neither list, mail nor notification shows them.
create table hidden_projects (
  user_id int not null references users (id) on delete cascade,
  project_id text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, project_id)
);

-- Who enters the demo gets a user of their own, copied from the demo's first one, which goes when their session has ended (C6).
alter table users add column is_demo_visitor boolean not null default false;
