import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { findPastPurchases } from './purchase-queries.ts'
import { findRelatedProjects } from './queries.ts'
import { findDecidedProjects } from './similar-project-queries.ts'

type Plan = {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const PROJECTS = 40_000
/** Tokens of a unit and of a word that only the 30 oldest projects have. */
const [UNIT, WORD] = [71, -71]
/**
 * An eighth of all projects has the unit and another eighth the word, but only the 30 oldest have both. The planner
 * expects 625 such projects, so walking back until it has found 400 looks cheap.
 */
const [LARGE_UNIT, COMMON_WORD] = [72, -72]

const isOverTraits = (plan: Plan) => plan['Index Name']?.startsWith('project_traits') ?? false
const scans = (plan: Plan): Plan[] => [...(isOverTraits(plan) ? [plan] : []), ...(plan.Plans ?? []).flatMap(scans)]
const rowsRead = (plan: Plan): number =>
  ((plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0)) * (plan['Actual Loops'] ?? 1) +
  (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0)

onEachEngine('searches by tokens of project traits', (makeDb) => {
  let db: OpenDb

  const planOf = async (search: (db: Db) => Promise<unknown>): Promise<Plan> => {
    const statements: Sql[] = []
    await search({
      ...db,
      query: (statement: Sql) => {
        statements.push(statement)
        return db.query(statement)
      },
    } as Db)
    expect(statements).toHaveLength(1)
    const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      sql`explain (analyze, timing off, format json) ${statements[0]!}`,
    )
    return row!['QUERY PLAN'][0].Plan
  }

  beforeAll(async () => {
    db = await makeDb()
    await db.execute(sql`
      insert into project_traits (project_id, size_satang, winner_satang, decided_on, tokens)
      select to_char(n, 'FM00000000000'), 1000, 1000, date '2026-01-01' + n % 300,
        array[1000 + n % 900, -1000 - n % 700] || case when n <= 30 then array[${UNIT}::int, ${WORD}::int] else '{}'::int[] end
          || case when n <= 30 or n % 8 = 0 then array[${LARGE_UNIT}::int] else '{}'::int[] end
          || case when n <= 30 or n % 8 = 1 then array[${COMMON_WORD}::int] else '{}'::int[] end
      from generate_series(1, ${PROJECTS}::int) n`)
    await db.query(sql`select gin_clean_pending_list('project_traits_by_token')`)
    await db.script('analyze project_traits')
  })

  const scope = { organisationId: 1 }
  const related = { ...scope, except: 'none', limit: 400 }
  const decided = { kinds: [UNIT], word: WORD, sizes: undefined, except: 'none', limit: 2_000 }
  const purchases = (unit: number, word: number) => [
    { index: 0, unit, word, department: 1, exceptProjectId: '00000000001' },
  ]

  test.each<[string, (db: Db) => Promise<unknown>]>([
    ['earlier purchases of a unit', (on) => findPastPurchases(on, purchases(UNIT, WORD), scope)],
    ['earlier purchases of a large unit', (on) => findPastPurchases(on, purchases(LARGE_UNIT, COMMON_WORD), scope)],
    ['related projects of a unit', (on) => findRelatedProjects(on, { ...related, tokens: [UNIT, WORD] })],
    [
      'related projects of a large unit',
      (on) => findRelatedProjects(on, { ...related, tokens: [LARGE_UNIT, COMMON_WORD] }),
    ],
    ['twins', (on) => findRelatedProjects(on, { ...related, tokens: [COMMON_WORD], anyOf: [UNIT, LARGE_UNIT] })],
    ['decided projects', (on) => findDecidedProjects(on, decided)],
  ])('%s use the token index', async (_, search) => {
    const plan = await planOf(search)
    expect(scans(plan).map((scan) => scan['Index Name'])).toEqual(['project_traits_by_token'])
    expect(rowsRead(plan)).toBeLessThan(PROJECTS / 10)
  })
})
