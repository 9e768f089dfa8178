-- Super users get a monthly mail about how complete the announcements are, unless they switch it off.
alter table users add column is_send_coverage_email boolean not null default true;
grant update (is_send_coverage_email) on users to tamngan_tenant;
