-- Invitations by day and agency, for good. `counted` is the feed's own count and arrives with each answer. The other columns are stored when the day leaves the feed's reach: what it listed, what the product had, and by which morning.
create table coverage_counts (
  day date not null,
  agency text not null,
  counted int not null default 0,
  kind text,
  -- of local bodies only
  province int,
  listed int,
  had int,
  by_first_morning int,
  by_second_morning int,
  primary key (day, agency)
);

-- Days that left the feed's reach, with the agencies that had not answered for them.
create table coverage_days (
  day date primary key,
  unknown_agencies text[] not null
);

insert into coverage_counts (day, agency, counted) select day, agency, expected from intake_gaps where type = 'D0';

-- Weekly queries for agencies whose kind of code is not queried otherwise: whether the feed lists anything for them.
create table coverage_probes (
  agency text not null,
  probed_on date not null,
  outcome text not null check (outcome in ('listed', 'empty', 'silent')),
  primary key (agency, probed_on)
);
