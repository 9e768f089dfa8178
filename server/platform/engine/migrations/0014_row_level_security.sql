-- The second wall between tenants (decision 0025): what a signed-in request sends is sent as this role, and the database itself shows and takes only
-- what belongs to the organisation and to the user that the connection was told (server/engine/tenant.ts). Jobs and commands are the owner, to whom no
-- policy applies. A connection that was told nothing fails.

-- A role belongs to the whole server: another database, perhaps in this very moment, may have made it already.
do $$
declare
  ask constant text := format(
    'the database user %I may not make the role tamngan_tenant: an administrator runs  create role tamngan_tenant nologin;  and  grant tamngan_tenant to %I;  once for the server',
    current_user, current_user
  );
begin
  if not exists (select from pg_roles where rolname = 'tamngan_tenant') then
    begin
      create role tamngan_tenant nologin;
    exception
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then raise insufficient_privilege using message = ask;
    end;
  end if;
  begin
    -- Whether we may become it, tried: what that takes differs between versions of PostgreSQL.
    perform set_config('role', 'tamngan_tenant', true);
    perform set_config('role', 'none', true);
  exception when insufficient_privilege then
    begin
      execute format('grant tamngan_tenant to %I', current_user);
    exception
      when unique_violation then null;
      when insufficient_privilege then raise insufficient_privilege using message = ask;
    end;
  end;
  if not has_schema_privilege('tamngan_tenant', current_schema(), 'usage') then
    execute format('grant usage on schema %I to tamngan_tenant', current_schema());
  end if;
end $$;

-- The same for everybody: read by requests, written by loads and jobs alone. What is named neither here nor below is closed to requests.
grant select on
  loads, departments, projects, contracts, bidders, attachments, announcements, project_changes, project_traits, match_values, keyword_blacklist,
  agency_directory, companies, company_names, company_projects, company_figures, company_slices, project_spending, department_spending,
  budget_loads, budget_years, budget_names, budget_items, budget_item_texts, budget_links, budget_totals
to tamngan_tenant;

-- A bare comparison with the setting: the planner folds it with the query's own `organisation_id = $1` into one condition of the index and one
-- question for the whole statement, so that no row is compared twice. A function around it, or `is not distinct from`, would lose the index.
do $$
declare
  own_organisation constant text := 'organisation_id = current_setting(''app.organisation'')::int';
  own_user constant text := 'user_id = current_setting(''app.user'')::int';
  -- The policy of `keywords` holds in there, too. `in` and not `exists`: read once for a statement, not once for each term.
  own_keyword constant text := 'keyword_id in (select k.id from keywords k)';
  name text;
  condition text;
begin
  for name, condition in
    select t, own_organisation from unnest(array[
      'project_matches', 'match_exclusions', 'match_rescues', 'match_requests', 'keywords', 'keyword_groups', 'deleted_keywords',
      'budget_matches', 'budget_match_runs', 'budget_link_decisions'
    ]) t
    union all select t, own_user from unnest(array[
      'bookmarks', 'labels', 'label_assignments', 'saved_filters', 'hidden_projects', 'project_views', 'queue_decisions', 'notifications',
      'report_mails', 'sessions', 'password_resets'
    ]) t
    union all values ('keyword_terms', own_keyword)
    union all values ('mails', own_organisation || ' and ' || own_user)
    -- Of who knows the right password at last.
    union all values ('login_failures', 'email_key = (select u.email_key from users u where u.id = current_setting(''app.user'')::int)')
  loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy tenant on %I to tamngan_tenant using (%s) with check (%s)', name, condition, condition);
  end loop;
end $$;

grant select on
  project_matches, match_exclusions, match_rescues, match_requests, keywords, keyword_groups, keyword_terms, deleted_keywords,
  budget_matches, budget_match_runs, budget_link_decisions,
  bookmarks, labels, label_assignments, saved_filters, hidden_projects, project_views, queue_decisions, notifications, report_mails, sessions
to tamngan_tenant;
grant insert, update, delete on
  keywords, keyword_groups, keyword_terms, deleted_keywords, match_rescues, budget_link_decisions,
  bookmarks, labels, label_assignments, saved_filters, hidden_projects, project_views, queue_decisions
to tamngan_tenant;
grant insert on match_requests to tamngan_tenant;
grant update (read_at) on notifications to tamngan_tenant;
grant update (revoked_at) on sessions to tamngan_tenant;
grant select (user_id, used_at, replaced_at), update (replaced_at) on password_resets to tamngan_tenant;
grant select (email_key), delete on login_failures to tamngan_tenant;
-- Whether the same mail waits already is all that may be asked.
grant select (dedupe_key), insert on mails to tamngan_tenant;

-- What is seen in the organisation, and changed by its owner alone.
alter table organisations enable row level security;
create policy tenant on organisations to tamngan_tenant
  using (id = current_setting('app.organisation')::int) with check (id = current_setting('app.organisation')::int);
grant select, update (customer_config, is_watchlist_completed, rules_version) on organisations to tamngan_tenant;

alter table users enable row level security;
create policy tenant_sees on users for select to tamngan_tenant using (organisation_id = current_setting('app.organisation')::int);
create policy tenant_changes on users for update to tamngan_tenant
  using (id = current_setting('app.user')::int) with check (id = current_setting('app.user')::int);
grant select, update (
  first_name, last_name, password_hash, is_send_report_email, is_noti_e_bidding, customize_report_table, last_seen_at, previous_visit_at,
  notifications_click_read
) on users to tamngan_tenant;

-- The limits of exports are the organisation's, the file is its owner's.
alter table report_exports enable row level security;
create policy tenant_sees on report_exports for select to tamngan_tenant using (organisation_id = current_setting('app.organisation')::int);
create policy tenant_asks on report_exports for insert to tamngan_tenant
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
create policy tenant_changes on report_exports for update to tamngan_tenant
  using (user_id = current_setting('app.user')::int) with check (user_id = current_setting('app.user')::int);
grant select, insert, update on report_exports to tamngan_tenant;
alter table report_export_parts enable row level security;
create policy tenant on report_export_parts to tamngan_tenant
  using (exists (select from report_exports e where e.id = export_id and e.user_id = current_setting('app.user')::int));
grant select, delete on report_export_parts to tamngan_tenant;

-- Written for ever: the log is read by the organisation, the trail by nobody in it.
alter table usage_events enable row level security;
create policy tenant_sees on usage_events for select to tamngan_tenant using (organisation_id = current_setting('app.organisation')::int);
create policy tenant_adds on usage_events for insert to tamngan_tenant
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
grant select, insert on usage_events to tamngan_tenant;
alter table audit_events enable row level security;
create policy tenant_adds on audit_events for insert to tamngan_tenant
  with check (organisation_id = current_setting('app.organisation')::int and user_id = current_setting('app.user')::int);
grant insert on audit_events to tamngan_tenant;
