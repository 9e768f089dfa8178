-- What a push service answered when it refused a message for good (403, 401, 400 …), and when. Cleared by the next message that it takes and when the browser
-- subscribes again; until then one message a day is tried.
alter table push_devices add column refused_at timestamptz, add column refusal text;
grant update (refused_at, refusal) on push_devices to tamngan_tenant;
