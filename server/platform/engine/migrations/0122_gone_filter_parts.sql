-- Saved filters name labels, stages and colleagues by their ids. Where one is gone, the filter finds nothing and its mails and feeds are empty without a word. Its owner
-- is notified while the name is still known: once for each filter and thing. A filter that asks for the opposite ("not this label") finds the same as before.
-- Filters are their owners' alone, so the functions run as the owner of the tables; `whose` null: of the whole organisation. The user's row first, as everywhere.
-- When a report mail has said it as well.
alter table notifications add column mailed_at timestamptz;

create function notify_filter_owners(organisation int, whose int, key text, gone text, what text) returns void
language sql security definer set search_path from current
begin atomic
  with broken as (
    select f.user_id, f.id, u.organisation_id from saved_filters f join users u on u.id = f.user_id
    where not u.is_disabled and not u.is_demo_visitor and (whose is null or u.id = whose) and (organisation is null or u.organisation_id = organisation)
      and coalesce(f.filter_data -> 'filter' -> key ? gone, false) and not coalesce(f.filter_data -> 'filter' -> 'negated' ? key, false)
  ), told as (
    update users set notifications_click_read = true where id in (select user_id from broken) returning id
  )
  insert into notifications (user_id, organisation_id, type, export_id, version, file_name, created_at)
  select b.user_id, b.organisation_id, 'Filter_part_gone', key || ' ' || gone, b.id, what, now() from broken b join told on told.id = b.user_id order by b.user_id, b.id
  on conflict do nothing;
end;
revoke execute on function notify_filter_owners(int, int, text, text, text) from public;

-- A stage goes with the settings of the board, whose default stages only the application knows.
create function notify_stage_gone(stage text, name text) returns void
language sql security definer set search_path from current
begin atomic
  select notify_filter_owners(current_setting('app.organisation')::int, null, 'pursuitStage', stage, 'ขั้น “' || name || '” ไม่มีบนบอร์ดแล้ว');
end;
revoke execute on function notify_stage_gone(text, text) from public;
grant execute on function notify_stage_gone(text, text) to tamngan_tenant;

create function notify_label_gone() returns trigger language plpgsql security definer set search_path from current as $$
begin
  if tg_table_name = 'labels' then
    perform notify_filter_owners(null, old.user_id, 'projectLabel', old.id, 'ป้ายกำกับ “' || old.name || '” ถูกลบแล้ว');
  else
    perform notify_filter_owners(old.organisation_id, null, 'teamLabel', old.id, 'ป้ายทีม “' || old.name || '” ถูกลบแล้ว');
  end if;
  return null;
end $$;
revoke execute on function notify_label_gone() from public;
create trigger notify_gone after delete on labels for each row execute function notify_label_gone();
create trigger notify_gone after delete on team_labels for each row execute function notify_label_gone();

create function notify_member_gone() returns trigger language plpgsql security definer set search_path from current as $$
begin
  perform notify_filter_owners(new.organisation_id, null, 'pursuitOwner', new.id::text,
    '“' || coalesce(nullif(concat_ws(' ', new.first_name, new.last_name), ''), new.email) || '” ไม่ได้อยู่ในทีมแล้ว');
  return null;
end $$;
revoke execute on function notify_member_gone() from public;
create trigger notify_gone after update of is_disabled on users for each row when (new.is_disabled and not old.is_disabled)
  execute function notify_member_gone();
