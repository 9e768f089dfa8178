import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { FilterCriteria } from '#contract/account/filter-criteria.ts'
import { isLabelColor } from '#contract/account/label-palette.ts'
import { customerConfigSchema } from '#contract/account/organisation.ts'
import { loginRequestSchema } from '#contract/account/session.ts'
import { parseFilterCriteria } from '#contract/report/saved-filter-search.ts'
import type { KeywordExpander } from '#server/matching/meaning/keyword-expander.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import {
  SAMPLE_ACCOUNTS,
  SAMPLE_ORGANISATIONS,
  SAMPLE_PASSWORD,
  SAMPLE_TECHNOLOGY_KEYWORDS,
} from './sample-organisations.ts'
import { seedBookmarksAndLabels } from './seed-bookmarks-and-labels.ts'
import { seedSampleOrganisations } from './seed-sample.ts'

const [[AI_WORD]] = SAMPLE_TECHNOLOGY_KEYWORDS.ai_include as [[string]]

const expandTwice: KeywordExpander = async (word) => ({
  engine: 'test',
  known: true,
  terms: [
    { term: word, source: 'literal', state: 'auto', similarity: 1, facet: 0, title_count: null },
    { term: `${word}ใหญ่`, source: 'learned', state: 'suggested', similarity: 0.7, facet: 0, title_count: 3 },
  ],
})

test('the demo password meets the registration rules and the login form accepts every account', () => {
  expect(SAMPLE_PASSWORD).toMatch(/^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[@$!%*?&#]).{8,50}$/)
  for (const { email } of SAMPLE_ACCOUNTS)
    expect(loginRequestSchema.safeParse({ email, password: SAMPLE_PASSWORD }).success).toBe(true)
})

test('the accounts cover full flags with both roles, a trial, budget year only and no flags, without the demo', () => {
  const [first] = SAMPLE_ORGANISATIONS
  expect(Object.values(first!.flags).filter(Boolean)).toHaveLength(3)
  expect(new Set(first!.users.map((user) => user.role))).toEqual(new Set(['super_user', 'member_user']))
  expect(SAMPLE_ORGANISATIONS.some((organisation) => organisation.package.includes('ทดลอง'))).toBe(true)
  expect(SAMPLE_ORGANISATIONS.some(({ flags }) => flags.budgetYearOnly)).toBe(true)
  expect(SAMPLE_ORGANISATIONS.some(({ flags }) => Object.values(flags).every((flag) => !flag))).toBe(true)
  expect(SAMPLE_ACCOUNTS.some(({ email }) => email.startsWith('demo@'))).toBe(false)
})

onEachEngine('sample organisations', (makeDb) => {
  let db: OpenDb

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21', expandTwice)
  })

  const counts = () =>
    db.query(sql`
      select (select count(*) from organisations) as organisations, (select count(*) from users) as users,
             (select count(*) from keywords) as words`)

  test('seeding twice changes nothing', async () => {
    const before = await counts()
    await seedSampleOrganisations(db, '2027-11-21')
    expect(await counts()).toEqual(before)
    expect(before).toEqual([
      { organisations: SAMPLE_ORGANISATIONS.length, users: SAMPLE_ACCOUNTS.length + 1, words: expect.any(Number) },
    ])
  })

  test('the report window runs from the start of the fiscal year before last until after today', async () => {
    const rows = await db.query<{ customer_config: unknown; allow_access_budget_year: string }>(sql`
      select customer_config, allow_access_budget_year from organisations where code = 'tharamek'`)
    const config = customerConfigSchema.parse(rows[0]!.customer_config)
    // 21 November 2026 is in fiscal year 2570.
    expect(config).toMatchObject({
      report_start_date: '2024-10-01',
      start_date_report: '2024-10-01',
      end_date_report: '2028-11-21',
    })
    expect(rows[0]!.allow_access_budget_year).toBe('2569,2570')
  })

  test('the demo user has no password, and one word of the first list awaits approval', async () => {
    const demo = await db.query(sql`select password_hash from users where email_key = 'demo@demo.example'`)
    expect(demo).toEqual([{ password_hash: 'none' }])
    expect(await db.query(sql`select word from keywords where not approved`)).toEqual([{ word: 'โดรน' }])
  })

  test('the AI word of the first organisation is active with its seeded terms', async () => {
    const terms = await db.query(sql`
      select k.word, t.term, t.state from keyword_terms t join keywords k on k.id = t.keyword_id order by t.position`)
    expect(terms).toEqual([
      { word: AI_WORD, term: AI_WORD, state: 'auto' },
      { word: AI_WORD, term: `${AI_WORD}ใหญ่`, state: 'suggested' },
    ])
    const [config] = await db.query<{ on: boolean }>(sql`
      select (customer_config->>'search_by_ai')::boolean as on from organisations where code = 'tharamek'`)
    expect(config).toEqual({ on: true })
  })

  test('marks require matches; then each user of the first organisation gets different projects, once', async () => {
    await seedBookmarksAndLabels(db)
    expect(await db.query(sql`select from labels`)).toEqual([])
    await fakeMatches(db, 25)
    await seedBookmarksAndLabels(db)
    await seedBookmarksAndLabels(db)
    const rows = await db.query<{ email: string; bookmarks: number; labels: number; assigned: number }>(sql`
      select u.email, (select count(*) from bookmarks b where b.user_id = u.id) as bookmarks,
             (select count(*) from labels l where l.user_id = u.id) as labels,
             (select count(*) from label_assignments a where a.user_id = u.id) as assigned
      from users u join organisations o on o.id = u.organisation_id where o.code = 'tharamek' order by u.id`)
    expect(rows).toEqual(
      SAMPLE_ORGANISATIONS[0]!.users.map(({ email }) => ({ email, bookmarks: 6, labels: 3, assigned: 6 })),
    )
    for (const { filter_data: data } of await db.query<{ filter_data: FilterCriteria }>(
      sql`select filter_data from saved_filters`,
    ))
      expect(parseFilterCriteria(data).ignored).toEqual([])
    const names = await db.query(
      sql`select name from saved_filters where user_id = (select min(user_id) from saved_filters) order by created_at`,
    )
    expect(names).toEqual(['CCTV ภาคกลาง', 'งานระบบ > 5 ล้าน', 'ยื่นภายใน 7 วัน'].map((name) => ({ name })))
    const shared = await db.query(sql`select project_id from bookmarks group by project_id having count(*) > 1`)
    expect(shared).toEqual([])
    const colors = await db.query<{ color: string }>(sql`select distinct color from labels`)
    expect(colors.every(({ color }) => isLabelColor(color))).toBe(true)
  })
})

/** Inserts minimal match rows, because matching has its own tests. */
async function fakeMatches(db: OpenDb, count: number): Promise<void> {
  await db.execute(sql`
    with filters as (
        insert into project_filters (project_id, written_load, department_id, is_archived, is_sme, status, movement, criteria, method, method_type)
        select 'P' || n, 1, 1, false, false, 1, 1, 1, 1, 1 from generate_series(1, ${count}::int) n returning id, project_id
      )
    insert into project_matches (organisation_id, filters_id, words_id, first_load, project_id)
    select o.id, f.id, 0, 1, f.project_id from organisations o, filters f where o.code = 'tharamek'`)
}
