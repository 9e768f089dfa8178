-- online
-- When an organisation was served last by a kind of job, and for how long within an hour.
create index concurrently jobs_served on jobs (kind, coalesce(organisation_id, 0), started_at);
