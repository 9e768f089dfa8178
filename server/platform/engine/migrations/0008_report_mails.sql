-- One row for each user who is to be told of a load, written in the transaction that publishes it. So no mail is forgotten and none comes
-- twice (R52): a row is settled in the transaction that queues the mail, and several rows of one user become one mail.
create table report_mails (
  user_id int not null references users (id) on delete cascade,
  load_id bigint not null references loads (id),
  organisation_id int not null,
  -- `queued`: part of a mail in `mails`. `empty`: there was nothing to say. `unwanted`: no longer wanted when it was due.
  state text not null default 'waiting' check (state in ('waiting', 'composing', 'queued', 'empty', 'unwanted', 'failed')),
  -- at once, or when the organisation's not-allowed window ends (C12); moves on when a try fails
  due_at timestamptz not null,
  attempts int not null default 0,
  -- of the worker that is composing: one that dies stops renewing
  holder text,
  lease_until timestamptz,
  settled_at timestamptz,
  failure text,
  primary key (user_id, load_id)
);
-- Users of one organisation stand together: what its users share is looked up once.
create index report_mails_due on report_mails (due_at, organisation_id, user_id) where state in ('waiting', 'composing');
create index report_mails_settled on report_mails (settled_at) where state not in ('waiting', 'composing');

-- Links of report mails that work once and were used (R21). The token itself is never stored; forgotten when it would have expired anyway.
create table used_mail_links (
  token_hash text primary key,
  used_at timestamptz not null,
  expires_at timestamptz not null
);
create index used_mail_links_by_expiry on used_mail_links (expires_at);
