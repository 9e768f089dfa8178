-- What a user has decided about in the morning queue: it does not come again until there is a reason to look anew. One row a load, so that
-- taking a decision back leaves those of earlier loads. Kept for 30 days.
create table queue_decisions (
  user_id int not null references users (id) on delete cascade,
  project_id text not null,
  load_id bigint not null,
  -- the day in Bangkok
  decided_on date not null,
  primary key (user_id, project_id, load_id)
);
