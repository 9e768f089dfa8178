import sql from 'sql-template-tag'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Rows for tests of matching and the report, as the feed would write them. Money in satang, provinces as DOPA codes,
 * dates ISO.
 */
export type ProjectInput = {
  readonly id: string
  readonly name: string
  readonly dept: string
  readonly unit: string
  readonly deptProvince: number | null
  readonly province: number | null
  readonly status: string
  readonly movement: string
  readonly movementOn: string | null
  readonly criteria: string
  readonly method: string
  readonly methodType: string
  readonly budget: number | null
  readonly estimate: number | null
  readonly winning: number | null
  readonly winner: string | null
  /** Names of the winners other than `winner`. */
  readonly otherWinners: readonly string[]
  readonly draftPublishedOn: string | null
  readonly discussionEndsOn: string | null
  readonly invitedOn: string | null
  readonly submissionEndsOn: string | null
  readonly winnerAnnouncedOn: string | null
  readonly isSme: boolean
  readonly isArchived: boolean
}

const PROJECT: ProjectInput = {
  id: '67000000001',
  name: 'ประกวดราคาซื้อกล้องวงจรปิด',
  dept: 'เทศบาลเมืองตัวอย่าง',
  unit: 'กองช่าง',
  deptProvince: 10,
  province: 10,
  status: 'in_progress',
  movement: 'invited',
  movementOn: '2026-11-10',
  criteria: 'price',
  method: 'e_bidding',
  methodType: 'buy',
  budget: 100_000_000,
  estimate: null,
  winning: null,
  winner: null,
  otherWinners: [],
  draftPublishedOn: null,
  discussionEndsOn: null,
  invitedOn: null,
  submissionEndsOn: null,
  winnerAnnouncedOn: null,
  isSme: false,
  isArchived: false,
}

export type OrganisationInput = {
  readonly code: string
  readonly config: Readonly<Record<string, unknown>>
  readonly areas: Readonly<Record<string, readonly string[]>>
  /** List → words. A leading `?` marks a word that is not approved yet. */
  readonly words: Readonly<Record<string, readonly string[]>>
}

const ALL_AREAS = { all: PROVINCES.map((province) => province.th) }
const OPEN_CONFIG = {
  report_start_date: null,
  start_date_report: null,
  end_date_report: null,
  min_project_budget: '0',
  max_project_budget: '0',
  search_by_name: true,
  search_by_ai: false,
  search_by_deptsub: true,
}

export async function addLoad(db: Db): Promise<number> {
  const [load] = await db.query<{ id: number }>(sql`
    insert into loads (source, origin, state, published_at) values ('test', 'test', 'published', clock_timestamp()) returning id`)
  return load!.id
}

export async function addOrganisation(db: Db, input: Partial<OrganisationInput> = {}): Promise<number> {
  const code = input.code ?? `org-${Math.random().toString(36).slice(2)}`
  const [organisation] = await db.query<{ id: number }>(sql`
    insert into organisations (code, name, package, customer_config, areas_with_provinces)
    values (${code}, ${code}, 'standard', ${JSON.stringify({ ...OPEN_CONFIG, ...input.config })}::jsonb, ${JSON.stringify(input.areas ?? ALL_AREAS)}::jsonb)
    returning id`)
  await setWords(db, organisation!.id, input.words ?? { include: ['กล้อง'] })
  return organisation!.id
}

export async function setWords(db: Db, organisationId: number, words: OrganisationInput['words']): Promise<void> {
  await db.execute(sql`delete from keywords where organisation_id = ${organisationId}::int`)
  for (const [list, listed] of Object.entries(words)) {
    for (const word of listed) {
      await db.execute(sql`
        insert into keywords (organisation_id, list, word, word_key, approved)
        values (${organisationId}::int, ${list}, ${word.replace(/^\?/, '')}, ${toKeywordKey(word.replace(/^\?/, ''))}, ${!word.startsWith('?')}::boolean)`)
    }
  }
}

export async function setConfig(
  db: Db,
  organisationId: number,
  config: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.execute(sql`
    update organisations set customer_config = ${JSON.stringify({ ...OPEN_CONFIG, ...config })}::jsonb where id = ${organisationId}::int`)
}

export async function addUser(db: Db, organisationId: number): Promise<number> {
  const email = `${Math.random().toString(36).slice(2)}@example.org`
  const [user] = await db.query<{ id: number }>(sql`
    insert into users (organisation_id, email, email_key, password_hash) values (${organisationId}::int, ${email}, ${email}, '-') returning id`)
  return user!.id
}

async function putDepartment(db: Db, { dept, unit, deptProvince }: ProjectInput): Promise<number> {
  const [department] = await db.query<{ id: number }>(sql`
    insert into departments (name, sub_name, province) values (${dept}, ${unit}, ${deptProvince}::smallint)
    on conflict (name, sub_name, province) do update set province = excluded.province returning id`)
  return department!.id
}

/**
 * Writes projects as new in `load`, or as changed by it when they already exist. `tracked: false`: only `written_load`
 * advances (D3).
 */
export async function putProjects(
  db: Db,
  load: number,
  inputs: readonly Partial<ProjectInput>[],
  { tracked = true }: { tracked?: boolean } = {},
): Promise<void> {
  const departments = new Map<string, number>()
  for (const input of inputs) {
    const p: ProjectInput = { ...PROJECT, ...input }
    const key = JSON.stringify([p.dept, p.unit, p.deptProvince])
    const department = departments.get(key) ?? (await putDepartment(db, p))
    departments.set(key, department)
    await db.execute(sql`
      insert into projects (project_id, name, name_search, name_spaced, department_id, project_province, status, movement, movement_on, criteria, method,
        method_type, budget_satang, estimate_satang, winner_satang, winner_name, winner_count, other_winners, draft_published_on, draft_discussion_ends_on,
        bidding_invited_on, submission_ends_on, winner_announced_on, is_sme, is_archived, source, first_load, changed_load, written_load)
      values (${p.id}, ${p.name}, ${toNormalisedSearchText(p.name)}, ${normaliseThai(p.name)}, ${department}::int, ${p.province}::smallint, ${p.status}, ${p.movement},
        ${p.movementOn}::date, ${p.criteria}, ${p.method}, ${p.methodType}, ${p.budget}::bigint, ${p.estimate}::bigint, ${p.winning}::bigint, ${p.winner},
        ${p.winner === null ? 0 : 1 + p.otherWinners.length}::smallint, ${p.otherWinners.join('\n') || null}, ${p.draftPublishedOn}::date, ${p.discussionEndsOn}::date, ${p.invitedOn}::date, ${p.submissionEndsOn}::date,
        ${p.winnerAnnouncedOn}::date, ${p.isSme}::boolean, ${p.isArchived}::boolean, 'test', ${load}::bigint, ${load}::bigint, ${load}::bigint)
      on conflict (project_id) do update set
        name = excluded.name, name_search = excluded.name_search, name_spaced = excluded.name_spaced, department_id = excluded.department_id,
        project_province = excluded.project_province, status = excluded.status, movement = excluded.movement, movement_on = excluded.movement_on,
        criteria = excluded.criteria, method = excluded.method, method_type = excluded.method_type, budget_satang = excluded.budget_satang,
        estimate_satang = excluded.estimate_satang, winner_satang = excluded.winner_satang, winner_name = excluded.winner_name,
        winner_count = excluded.winner_count, other_winners = excluded.other_winners,
        draft_published_on = excluded.draft_published_on, draft_discussion_ends_on = excluded.draft_discussion_ends_on,
        bidding_invited_on = excluded.bidding_invited_on, submission_ends_on = excluded.submission_ends_on,
        winner_announced_on = excluded.winner_announced_on, is_sme = excluded.is_sme, is_archived = excluded.is_archived,
        changed_load = case when ${tracked}::boolean then excluded.changed_load else projects.changed_load end,
        written_load = excluded.written_load`)
  }
}

export async function copyProject(db: Db, id: string, count: number, firstId: number): Promise<void> {
  await db.execute(
    sql`
    insert into projects
    select (jsonb_populate_record(p, jsonb_build_object('project_id', (${firstId}::bigint + n)::text, 'name', p.name || ' ' || md5(n::text) || md5((n * 7)::text)))).*
    from projects p, generate_series(0, ${count}::int - 1) n where p.project_id = ${id}`,
    // The statement has no timeout, because the setup is not measured.
    { timeoutMs: 0 },
  )
}
