-- What a large load is about to show, for the servers that hold the columns of the report (decision 0161): stored while the load is under way, so that they have read it when
-- it becomes visible. The server's own: nothing here is anybody's before the load is published, and no tenant may read it. No reference to `loads`: the load holds its row until
-- it is published, and whoever refers to it would wait for that.
create table ahead_parts (
  load_id bigint not null,
  -- one run of the load: what another run of it left behind is not part of this one
  attempt text not null,
  part int not null,
  bytes bytea not null,
  primary key (load_id, attempt, part)
);
-- packed by who writes it
alter table ahead_parts alter column bytes set storage external;

-- Written by the transaction that publishes the load: there exactly when the load is.
create table ahead_loads (
  load_id bigint primary key,
  attempt text not null,
  parts int not null,
  projects int not null,
  -- projects of this load that are not in its parts as they stand now
  rewritten text[] not null
);
