import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REFERENCE_PRICE_BANDS } from '#contract/catalogue/discount.ts'
import {
  type CompanyDetail,
  type CompanyProject,
  companyDetailSchema,
  companyProjectsSchema,
  companySuggestionsSchema,
} from '#contract/market/company.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { inventProjects } from '../../../test/world/invented-wins.ts'
import { addLoad } from '../../../test/world/report-world.ts'
import { putWonProjects } from '../../../test/world/won-projects.ts'
import { updateCompanyFacts } from './update-company-facts.ts'

type Figure = { readonly rows: string; readonly total: number; readonly value?: number | null }

function figuresOf(detail: CompanyDetail): Figure[] {
  const { figures, scope } = detail
  const sliced = (kind: string, name: string | null, { wins, value }: { wins: number; value: number | null }) => ({
    rows: `${kind}:${name ?? ''}`,
    total: wins,
    value,
  })
  return [
    { rows: 'all', total: scope.n },
    { rows: 'wins', total: figures.wins, value: figures.value },
    { rows: 'bids', total: figures.bids?.bids ?? 0 },
    { rows: 'bids_won', total: figures.bids?.won ?? 0 },
    { rows: 'lost', total: (figures.bids?.bids ?? 0) - (figures.bids?.won ?? 0) },
    { rows: 'against_budget', total: figures.discount.against_budget.n },
    ...detail.by_year.map((row) => sliced('year', String(row.year), row)),
    ...detail.by_department.map((row) =>
      row.department === null
        ? { ...sliced('', null, row), rows: 'other_departments' }
        : sliced('department', row.department, row),
    ),
    ...detail.by_method.map((row) => sliced('method', row.method, row)),
    ...detail.by_type.map((row) => sliced('type', row.method_type, row)),
    ...detail.by_criteria.map((row) => sliced('criteria', row.criteria, row)),
    ...detail.by_province.map((row) => sliced('province', row.province, row)),
    ...detail.discount_bins.map(({ from, count }) => ({ rows: `discount:${from}`, total: count })),
    ...detail.discount_by_size.map(({ discount }, i) => ({
      rows: `size:${REFERENCE_PRICE_BANDS[i]!.from ?? ''}-${REFERENCE_PRICE_BANDS[i]!.to ?? ''}`,
      total: discount.n,
    })),
    ...detail.competitors.flatMap(({ company, met, we_won, they_won, others_won }) => [
      { rows: `with:${company.id}`, total: met },
      { rows: `with:${company.id}:we_won`, total: we_won },
      { rows: `with:${company.id}:they_won`, total: they_won },
      { rows: `with:${company.id}:others_won`, total: others_won },
    ]),
  ]
}

const sumOf = (values: readonly (number | null)[]): number | null => {
  const knownValues = values.filter((value) => value !== null)
  return knownValues.length === 0 ? null : Math.round(knownValues.reduce((sum, value) => sum + value, 0) * 100) / 100
}

const SCOPES: readonly Readonly<Record<string, string>>[] = [
  {},
  { scope: 'watch' },
  { year_from: '2568', year_to: '2569' },
  { project_method__in: 'e_bidding', project_province__in: 'เชียงใหม่||กรุงเทพมหานคร' },
  { project_dept_sub__in: 'กรม 1||กอง 2', project_method_type__in: 'buy' },
]

onEachEngineInTurn('figures of a company and the rows behind them', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let me: SignedIn
  let names: readonly string[]

  const json = async (url: string) => {
    const answer = await app.inject({ url: `/api/v2/${url}`, headers: me.headers })
    expect([url, answer.statusCode]).toEqual([url, 200])
    return answer.json()
  }
  const path = (name: string) => `companies/${encodeURIComponent(name)}`
  const detailOf = async (name: string, scope: Readonly<Record<string, string>>) =>
    companyDetailSchema.parse(await json(`${path(name)}?${new URLSearchParams(scope)}`))
  const rowsOf = async (name: string, query: Readonly<Record<string, string>>) => {
    const parameters = new URLSearchParams({ ...query, page_size: '50' })
    const first = companyProjectsSchema.parse(await json(`${path(name)}/projects?${parameters}`))
    const results: CompanyProject[] = [...first.results]
    for (let next = first.links.next; next !== null; ) {
      const page = companyProjectsSchema.parse(await json(next.replace('/api/v2/', '')))
      results.push(...page.results)
      next = page.links.next
    }
    return { ...first, results }
  }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const load = await addLoad(db)
    await putWonProjects(db, load, inventProjects(20))
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await updateCompanyFacts(db)
    app = await appOn(db, { now: () => new Date('2026-11-21T02:00:00Z') })
    me = await signIn(app, 'sales@tharamek.example')
    const suggestions = companySuggestionsSchema.parse(
      await json(`company-suggestions?q=${encodeURIComponent('ทดลอง')}`),
    )
    names = suggestions.results.slice(0, 2).map(({ name }) => name)
  })
  afterAll(() => app.close())

  describe.each(SCOPES)('in the scope %o', (scope) => {
    test('every figure equals the number of its rows, and the value their sum', async () => {
      const name = names[0]!
      const detail = await detailOf(name, scope)
      for (const { rows, total, value } of figuresOf(detail)) {
        const behind = await rowsOf(name, { ...scope, rows })
        const ids = new Set(behind.results.map(({ project_id }) => project_id))
        expect([rows, behind.total, ids.size]).toEqual([rows, total, total])
        expect([rows, behind.totals.value]).toEqual([rows, sumOf(behind.results.map((row) => row.value))])
        expect([rows, behind.totals.wins]).toEqual([rows, behind.results.filter((row) => row.is_winner).length])
        if (value !== undefined) expect([rows, behind.totals.value]).toEqual([rows, value])
      }
    })

    test('years, departments, methods, types, criteria and provinces each add up to the whole', async () => {
      for (const name of names) {
        const { figures, discount_bins, discount_by_size, ...blocks } = await detailOf(name, scope)
        for (const block of [
          'by_year',
          'by_department',
          'by_method',
          'by_type',
          'by_criteria',
          'by_province',
        ] as const) {
          const rows: readonly { wins: number; value: number | null }[] = blocks[block]
          expect([block, rows.reduce((sum, { wins }) => sum + wins, 0)]).toEqual([block, figures.wins])
          expect([block, sumOf(rows.map(({ value }) => value))]).toEqual([block, figures.value])
        }
        expect(discount_bins.reduce((sum, { count }) => sum + count, 0)).toBe(figures.discount.n)
        expect(discount_by_size.reduce((sum, { discount }) => sum + discount.n, 0)).toBe(figures.discount.n)
        expect(blocks.by_criteria.reduce((sum, row) => sum + row.n_discount, 0)).toBe(figures.discount.n)
        const { full, names: listed, winner } = blocks.scope.coverage
        expect(full + listed + winner).toBe(blocks.scope.n)
      }
    })

    test('the discount equals that of its rows: weighted by value, and the median', async () => {
      for (const name of names) {
        const { figures } = await detailOf(name, scope)
        const { results } = await rowsOf(name, { ...scope, rows: 'wins' })
        for (const [against, { n, weighted, median }] of [
          ['reference', figures.discount],
          ['budget', figures.discount.against_budget],
        ] as const) {
          const priced = results.filter((row) => row.discount?.against === against)
          const base = (row: CompanyProject) => (against === 'budget' ? row.budget! : row.estimate_budget!)
          const total = priced.reduce((sum, row) => sum + base(row), 0)
          const saved = priced.reduce((sum, row) => sum + base(row) - row.value!, 0)
          expect(n).toBe(priced.length)
          if (n === 0) expect([weighted, median]).toEqual([null, null])
          else {
            const rates = priced.map((row) => (base(row) - row.value!) / base(row)).sort((a, b) => a - b)
            const middle = (rates[Math.floor((n - 1) / 2)]! + rates[Math.ceil((n - 1) / 2)]!) / 2
            expect(weighted).toBeCloseTo(saved / total, 3)
            expect(median).toBeCloseTo(middle, 3)
          }
        }
      }
    })
  })

  test('the test data contains every case of the rules', async () => {
    const detail = await detailOf(names[0]!, {})
    expect(detail.figures.wins).toBeGreaterThan(30)
    expect(detail.figures.bids!.win_rate).not.toBeNull()
    expect(detail.by_department.at(-1)).toMatchObject({ department: null })
    expect(detail.by_year[0]!.year).toBe(0)
    expect(detail.by_province.some(({ province }) => province === null)).toBe(true)
    expect(detail.discount_bins[0]!.from).toBe(-0.1)
    expect(detail.figures.discount.against_budget.n).toBeGreaterThan(0)
    expect(detail.competitors.length).toBeGreaterThan(3)
    expect(detail.competitors.some(({ others_won }) => others_won > 0)).toBe(true)
    expect((await db.query(sql`select 1 from company_projects where not is_decided`)).length).toBeGreaterThan(0)
  })

  test('gaps and results agree from both sides', async () => {
    const [first, second] = [await detailOf(names[0]!, {}), await detailOf(names[1]!, {})]
    const seenByFirst = first.competitors.find(({ company }) => company.id === second.company.id)!
    const seenBySecond = second.competitors.find(({ company }) => company.id === first.company.id)!
    expect({
      ...seenBySecond,
      company: null,
      we_won: seenBySecond.they_won,
      they_won: seenBySecond.we_won,
      mean_gap: -seenBySecond.mean_gap!,
    }).toEqual({ ...seenByFirst, company: null })
  })
})
