import type { CompanyDetail, CompanyList, CompanyProjects, CompanyRow } from '#contract/market/company.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { ExpectedCompany, ExpectedDiscount } from './company-figures.ts'
import { appOn, signIn } from './server/http-app.ts'

/** A figure computed from the file, and the same figure from the API. */
export type Compared = { readonly what: string; readonly expected: unknown; readonly answered: unknown }

const TODAY = '2026-11-21'
const TOP = 20

/**
 * Imports the file as in production, queries the real API and pairs its figures with those computed from the file
 * alone.
 */
export async function compareWithApi(
  db: OpenDb,
  feed: { readonly source: FeedSource; readonly fingerprint: string },
  expected: readonly ExpectedCompany[],
): Promise<Compared[]> {
  await seedSampleOrganisations(db, TODAY)
  await withDataLoadLease(db, (lease) => runDataLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }))
  const app = await appOn(db)
  try {
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const get = async <T>(address: string): Promise<T> => {
      const answer = await app.inject({ url: `/api/v2${address}`, headers })
      if (answer.statusCode !== 200) throw new Error(`${address}: ${answer.statusCode} ${answer.body}`)
      return answer.json<T>()
    }
    const lines: Compared[] = []
    for (const field of ['value', 'wins'] as const) {
      const list = await get<CompanyList>(`/companies?ordering=-${field}&page_size=20`)
      lines.push(...compareList(field, list, expected))
    }
    const top = expected.toSorted((a, b) => b.value - a.value)[0]!
    const company = `/companies/${encodeURIComponent(top.name)}`
    const taxIdQuery = top.taxId === undefined ? '' : `?tin=${top.taxId}`
    lines.push(...compareDetail(await get<CompanyDetail>(`${company}${taxIdQuery}`), top))
    const [department, sum] = [...top.departments].sort((a, b) => b[1].value - a[1].value)[0]!
    const rows = await get<CompanyProjects>(
      `${company}/projects?${new URLSearchParams({ ...(top.taxId && { tin: top.taxId }), rows: `department:${department}` })}`,
    )
    lines.push({ what: `rows behind ${department}`, expected: sum.wins, answered: rows.total })
    return lines
  } finally {
    await app.close()
  }
}

const satang = (baht: number | null) => (baht === null ? null : Math.round(baht * 100))

function compareList(field: 'value' | 'wins', list: CompanyList, expected: readonly ExpectedCompany[]): Compared[] {
  const byTaxId = new Map(expected.map((company) => [company.taxId, company]))
  const order = expected.toSorted((a, b) => b[field] - a[field])
  return [
    { what: 'companies', expected: expected.length, answered: list.total },
    { what: 'wins of all', expected: expected.reduce((sum, { wins }) => sum + wins, 0), answered: list.totals.wins },
    {
      what: 'value of all',
      expected: expected.reduce((sum, { value }) => sum + value, 0),
      answered: satang(list.totals.value),
    },
    { what: 'companies on the page', expected: TOP, answered: list.results.length },
    ...list.results.flatMap((row, index) => {
      const rank = `by ${field} ${index + 1}`
      const same = byTaxId.get(row.tax_id ?? undefined)
      // Companies with equal figures may appear in any order, so the figures at each rank are compared, not the
      // companies.
      const ranked = field === 'value' ? satang(row.value) : row.wins
      return [
        { what: `${rank} in place`, expected: order[index]![field], answered: ranked },
        ...(same ? compareRow(rank, row, same) : [{ what: `${rank} exists`, expected: undefined, answered: row.name }]),
      ]
    }),
  ]
}

const compareRow = (label: string, row: CompanyRow, expected: ExpectedCompany): Compared[] => [
  { what: `${label} name`, expected: expected.name, answered: row.name },
  { what: `${label} wins`, expected: expected.wins, answered: row.wins },
  { what: `${label} value`, expected: expected.value, answered: satang(row.value) },
  { what: `${label} departments`, expected: expected.departments.size, answered: row.departments },
  ...compareDiscount(label, row.discount, expected.discount, expected.againstBudget),
]

function compareDiscount(
  label: string,
  { against_budget, ...reference }: CompanyRow['discount'],
  expected: ExpectedDiscount,
  expectedAgainstBudget: ExpectedDiscount,
): Compared[] {
  return (['n', 'weighted', 'median'] as const).flatMap((name) => [
    { what: `${label} discount ${name}`, expected: expected[name], answered: reference[name] },
    {
      what: `${label} discount against budget ${name}`,
      expected: expectedAgainstBudget[name],
      answered: against_budget[name],
    },
  ])
}

function compareDetail(detail: CompanyDetail, expected: ExpectedCompany): Compared[] {
  const years = [...expected.years].sort(([a], [b]) => a - b)
  const departments = [...expected.departments].sort((a, b) => b[1].value - a[1].value)
  const listedDepartments = detail.by_department.filter(({ department }) => department !== null)
  return [
    { what: 'detail name', expected: expected.name, answered: detail.company.name },
    { what: 'detail wins', expected: expected.wins, answered: detail.figures.wins },
    { what: 'detail value', expected: expected.value, answered: satang(detail.figures.value) },
    ...compareDiscount('detail', detail.figures.discount, expected.discount, expected.againstBudget),
    { what: 'years', expected: years.length, answered: detail.by_year.filter(({ wins }) => wins > 0).length },
    ...years.flatMap(([year, sum]) => {
      const answered = detail.by_year.find((row) => row.year === year)
      return [
        { what: `year ${year} wins`, expected: sum.wins, answered: answered?.wins },
        { what: `year ${year} value`, expected: sum.value, answered: satang(answered?.value ?? null) },
      ]
    }),
    { what: 'departments shown', expected: Math.min(15, departments.length), answered: listedDepartments.length },
    {
      what: 'departments in all',
      expected: departments.length,
      answered: detail.by_department.reduce((sum, row) => sum + row.departments, 0),
    },
    ...listedDepartments.flatMap((row) => {
      const sum = expected.departments.get(row.department!)
      return [
        { what: `${row.department} wins`, expected: sum?.wins, answered: row.wins },
        { what: `${row.department} value`, expected: sum?.value, answered: satang(row.value) },
      ]
    }),
    {
      what: 'value of all departments',
      expected: expected.value,
      answered: detail.by_department.reduce((sum, row) => sum + (satang(row.value) ?? 0), 0),
    },
  ]
}
