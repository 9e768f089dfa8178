-- Since when colleagues may see which projects a user looks at; null: not at all (decision 0122). Who agrees sees the same of those who agree too.
alter table users add column shares_looks_since timestamptz;
grant update (shares_looks_since) on users to tamngan_tenant;
-- Beside one's own looks: those of members of the organisation since they agreed, for who has agreed as well. The policy of `users` shows the organisation alone.
create policy tenant_sees_shared on project_views for select to tamngan_tenant using (
  exists (
    select from users me join users colleague on colleague.organisation_id = me.organisation_id
    where me.id = current_setting('app.user')::int and me.shares_looks_since is not null
      and colleague.id = project_views.user_id and colleague.shares_looks_since <= project_views.looked_at
  )
);
