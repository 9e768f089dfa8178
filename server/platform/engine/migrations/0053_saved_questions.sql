-- Questions of the view ใครชนะ that somebody keeps: the address under a name, what is told of it, and what was known when it was last looked at.
create table saved_questions (
  user_id int not null references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  -- made by the client, so that taking back a deletion gives the same
  id text not null,
  name text not null,
  -- parameters of the report's address that make the question, as they are printed
  address jsonb not null,
  monthly boolean not null,
  on_change boolean not null,
  created_at timestamptz not null,
  -- first day of the month of its last monthly mail, or of the month from which on it is sent
  mailed_month date not null,
  -- why it is not asked any more; null: it is
  problem text,
  -- Bangkok day of the last look; null: not looked at yet, and the first look tells nothing
  looked_on date,
  -- ids of the companies that ever won in it; null: too many to be kept
  winners int[],
  -- ids of the first three
  leaders int[] not null default '{}',
  -- of these, those that no mail has told; and the first three as the last mail knew them, while they are others now
  new_winners int[] not null default '{}',
  leaders_before int[],
  primary key (user_id, id)
);
create index saved_questions_by_organisation on saved_questions (organisation_id);

-- Whether news of them reach the bell and the mail; without a row both do. `mailed_on`: Bangkok day of the last mail, of which there is one a day.
create table saved_question_settings (
  user_id int primary key references users (id) on delete cascade,
  organisation_id int not null references organisations (id) on delete cascade,
  bell boolean not null default true,
  mail boolean not null default true,
  mailed_on date
);
create index saved_question_settings_by_organisation on saved_question_settings (organisation_id);

do $$
declare name text;
begin
  foreach name in array array['saved_questions', 'saved_question_settings'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy tenant on %I to tamngan_tenant
      using (organisation_id = current_setting(''app.organisation'')::int and user_id = current_setting(''app.user'')::int)
      with check (organisation_id = current_setting(''app.organisation'')::int and user_id = current_setting(''app.user'')::int)', name);
  end loop;
end $$;
-- What was found is the jobs' to write.
grant select, delete, insert (user_id, organisation_id, id, name, address, monthly, on_change, created_at, mailed_month),
  update (name, monthly, on_change, mailed_month, problem) on saved_questions to tamngan_tenant;
grant select, insert (user_id, organisation_id, bell, mail), update (bell, mail) on saved_question_settings to tamngan_tenant;
