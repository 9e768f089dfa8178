-- Whether the feed response that stated the announcement was invalid XML and repaired, so that the load counts it.
alter table intake_announcements add column is_xml_repaired boolean not null default false;
