import sql from 'sql-template-tag'
import { DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { OPERATOR_ORGANISATION_CODE, OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { createAccessTokens } from '#server/account/session/create-sessions.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { BENCH_SECRET } from '../server/load-database.ts'

export type Examples = {
  readonly organisation: string
  /** Codes or names: the largest agencies, and some medium-sized ones. */
  readonly agencies: readonly string[]
  readonly companies: readonly { readonly id: number; readonly name: string; readonly tin: string | null }[]
  /** A project with a winner and bidders; `others` are further projects of the organisation's report. */
  readonly project: string
  readonly projects: readonly string[]
  readonly pursued: string
  readonly keyword: string
  readonly aiKeyword: string | null
  readonly ministry: string
  readonly department: string
  readonly budgetYear: string
  readonly budgetItem: string | null
  readonly filter: string
  readonly feed: string
  readonly shortLink: string
  readonly document: string
  readonly export: string
}
export type StoredExamples = Omit<Examples, 'feed' | 'shortLink' | 'document' | 'export'>

export type Caller = { readonly userId: number; readonly organisationId: number; readonly bearer: string }

const MARKED = { pursuits: 6_000, stars: 2_000, labelled: 1_000, hidden: 500 }
const FILTER = 'bench-routes'
const SAVED_SEARCH = { project_name__in: 'ซ่อม', is_archived: true } as const

/**
 * Creates sessions for a super user of the organisation and for an operator, and adds marks for the former. Idempotent.
 */
export async function createBenchSessions(
  db: Db,
  code: string,
): Promise<{ readonly user: Caller; readonly operator: Caller }> {
  const user = await signIn(db, code, 'super_user')
  await db.execute(sql`
    insert into organisations (code, name, package, customer_config, areas_with_provinces)
    select ${OPERATOR_ORGANISATION_CODE}::text, 'bench', '-', o.customer_config, o.areas_with_provinces from organisations o where o.id = ${user.organisationId}::int
    on conflict do nothing`)
  const operator = await signIn(db, OPERATOR_ORGANISATION_CODE, OPERATOR_ROLE)
  await addMarks(db, user)
  return { user, operator }
}

async function signIn(db: Db, code: string, role: string): Promise<Caller> {
  const email = `bench-routes-${role}`
  const [user] = await db.query<{ userId: number; organisationId: number }>(sql`
    insert into users (organisation_id, email, email_key, password_hash, role)
    select o.id, ${email}::text, ${email}::text, '-', ${role}::text from organisations o where o.code = ${code}::text
    on conflict (email_key) do update set role = excluded.role
    returning id as "userId", organisation_id as "organisationId"`)
  if (!user) throw new Error(`there is no organisation ${code}`)
  const sessionId = email
  await db.execute(sql`delete from sessions where id = ${sessionId}::text`)
  // The identity proof lasts a day too, because the rounds take longer than a real proof.
  await db.execute(sql`
    insert into sessions (id, user_id, is_demo, created_at, last_seen_at, expires_at, proved_at, is_factor_trusted)
    values (${sessionId}::text, ${user.userId}::int, false, now(), now(), now() + interval '1 day', now() + interval '1 day', true)`)
  return { ...user, bearer: await createAccessTokens([BENCH_SECRET]).sign({ ...user, sessionId }, new Date()) }
}

async function addMarks(db: Db, { userId, organisationId }: Caller): Promise<void> {
  const stages = DEFAULT_PURSUIT_STAGES.map(({ id }) => id)
  // Takes every 101st match, so that the marks are spread over the year.
  const matches = (count: number) => sql`
    select x.project_id, x.place from (
      select m.project_id, row_number() over (order by m.project_id)::int as place from project_matches m where m.organisation_id = ${organisationId}::int
    ) x where x.place % 101 = 0 order by x.place limit ${count}::int`
  await db.execute(sql`
    insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, created_by, created_at, changed_at)
    select ${organisationId}::int, x.project_id, (${stages}::text[])[1 + x.place / 101 % ${stages.length}::int], now(), ${userId}::int, ${userId}::int,
      now() - make_interval(hours => x.place / 101), now()
    from (${matches(MARKED.pursuits)}) x on conflict do nothing`)
  await db.execute(sql`
    insert into bookmarks (user_id, project_id) select ${userId}::int, x.project_id from (${matches(MARKED.stars)}) x on conflict do nothing`)
  await db.execute(sql`
    insert into hidden_projects (user_id, project_id) select ${userId}::int, x.project_id from (${matches(MARKED.hidden)}) x on conflict do nothing`)
  await db.execute(sql`
    insert into labels (user_id, id, name, color) select ${userId}::int, 'l' || n, 'ป้าย ' || n, 'red' from generate_series(1, 5) n on conflict do nothing`)
  await db.execute(sql`
    insert into label_assignments (user_id, project_id, label_id)
    select ${userId}::int, x.project_id, 'l' || (1 + x.place / 101 % 5) from (${matches(MARKED.labelled)}) x on conflict do nothing`)
  await db.execute(sql`
    insert into saved_filters (user_id, id, name, filter_data)
    values (${userId}::int, ${FILTER}::text, 'ซ่อม', ${JSON.stringify(toFilterCriteria(SAVED_SEARCH))}::jsonb)
    on conflict (user_id, id) do update set filter_data = excluded.filter_data`)
  // A user may have at most ten secret feed URLs, and each run creates one.
  await db.execute(sql`delete from calendar_feeds where user_id = ${userId}::int`)
  await db.script('analyze pursuits, bookmarks, hidden_projects, labels, label_assignments, saved_filters, users')
}

export async function drawExamples(db: Db, code: string, { organisationId }: Caller): Promise<StoredExamples> {
  const agencies = await db.query<{ name: string; code: string | null }>(sql`
    select x.name, (select min(c.code) from agency_codes c where c.name = x.name having count(*) = 1) as code from (
      select d.name, row_number() over (order by count(*) desc, d.name)::int as place
      from projects p join departments d on d.id = p.department_id group by d.name
    ) x where x.place in (1, 2, 3, 50, 1000) order by x.place`)
  const companies = await db.query<{ id: number; name: string; tin: string | null }>(sql`
    select c.id, c.name, c.tax_id as tin from company_figures f join companies c on c.id = f.company_id
    where f.fiscal_year = 0 and f.company_id in (
      (select f.company_id from company_figures f where f.fiscal_year = 0 order by f.value_satang desc nulls last, f.company_id limit 3)
      union (select f.company_id from company_figures f where f.fiscal_year = 0 order by f.wins desc, f.company_id limit 3)
      union (select min(f.company_id) from company_figures f where f.fiscal_year = 0 and f.wins = 20)
    ) order by f.value_satang desc nulls last`)
  const [row] = await db.query<Omit<StoredExamples, 'agencies' | 'companies' | 'organisation' | 'filter'>>(sql`
    select (select f.project_id from company_projects f join project_matches m on m.project_id = f.project_id
        where m.organisation_id = ${organisationId}::int and f.is_winner order by f.value_satang desc nulls last, f.project_id limit 1) as project,
      (select array_agg(x.project_id order by x.project_id) from (
        select m.project_id from project_matches m where m.organisation_id = ${organisationId}::int order by md5(m.project_id) limit 5) x) as projects,
      (select min(c.project_id) from pursuits c where c.organisation_id = ${organisationId}::int) as pursued,
      coalesce((select min(k.id) from keywords k where k.organisation_id = ${organisationId}::int), 0)::text as keyword,
      (select min(k.id) from keywords k where k.organisation_id = ${organisationId}::int and k.list = 'ai_include')::text as "aiKeyword",
      coalesce((select min(a.ministry) from agency_directory a), 'กระทรวงคมนาคม') as ministry,
      (select d.name from departments d order by d.id limit 1) as department,
      coalesce((select max(b.fiscal_year) from budget_items b), 2570)::text as "budgetYear",
      (select min(b.id) from budget_items b)::text as "budgetItem"`)
  return {
    ...row!,
    ...{ organisation: code, filter: FILTER, companies },
    agencies: agencies.map(({ name, code: ofDirectory }) => ofDirectory ?? name),
  }
}
