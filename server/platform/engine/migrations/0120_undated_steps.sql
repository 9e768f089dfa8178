-- True where no source dates the step itself (a cancellation or a contract known by its status alone): movement_on is then the latest day on which it
-- can have happened.
alter table projects add column is_movement_undated boolean not null default false;
