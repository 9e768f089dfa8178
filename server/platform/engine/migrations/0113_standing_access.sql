-- Access that survives a logout is ended with the account or the right it came from (server/features/standing-access).

-- The account that an invitation made, so that it can be found when the invitation turns out to be an intruder's.
alter table invitations add column accepted_by int references users (id) on delete set null;
create index invitations_by_account on invitations (accepted_by);

-- Signed links of mails are stored nowhere. Those issued before this moment open nothing any more.
alter table users add column mail_links_from timestamptz;

-- Invitations end with the right to invite from now on; these outlived it.
update invitations i set revoked_at = now()
where i.accepted_at is null and i.revoked_at is null and i.invited_by is not null
  and not exists (select from users u where u.id = i.invited_by and u.role = 'super_user' and not u.is_disabled);

-- When a webhook was last aimed at another address, by `made_by`. Null: when it was made.
alter table webhooks add column aimed_at timestamptz;
