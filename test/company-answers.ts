import type { CompanyDetail, CompanyList, CompanyProjects, CompanyRow } from '#contract/market/company.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { asOnlyLoader, runLoad } from '#server/jobs/load/run-load.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { OwnCompany, OwnDiscount } from './company-figures.ts'
import { appOn, signIn } from './server/http-app.ts'

/** One figure as the file and as the API give it. */
export type Compared = { readonly what: string; readonly own: unknown; readonly answered: unknown }

const TODAY = '2026-11-21'
const TOP = 20

/** Takes the file in as the product does, asks the real API, and sets its figures beside those computed from the file alone. */
export async function compareWithAnswers(
  db: OpenDb,
  feed: { readonly source: FeedSource; readonly fingerprint: string },
  own: readonly OwnCompany[],
): Promise<Compared[]> {
  await seedSampleOrganisations(db, TODAY)
  await asOnlyLoader(db, (lease) => runLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }))
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
      lines.push(...compareList(field, list, own))
    }
    const top = own.toSorted((a, b) => b.value - a.value)[0]!
    const company = `/companies/${encodeURIComponent(top.name)}`
    const which = top.taxId === undefined ? '' : `?tin=${top.taxId}`
    lines.push(...compareDetail(await get<CompanyDetail>(`${company}${which}`), top))
    const [department, sum] = [...top.departments].sort((a, b) => b[1].value - a[1].value)[0]!
    const rows = await get<CompanyProjects>(
      `${company}/projects?${new URLSearchParams({ ...(top.taxId && { tin: top.taxId }), rows: `department:${department}` })}`,
    )
    lines.push({ what: `rows behind ${department}`, own: sum.wins, answered: rows.total })
    return lines
  } finally {
    await app.close()
  }
}

const satang = (baht: number | null) => (baht === null ? null : Math.round(baht * 100))

function compareList(field: 'value' | 'wins', list: CompanyList, own: readonly OwnCompany[]): Compared[] {
  const byTaxId = new Map(own.map((company) => [company.taxId, company]))
  const order = own.toSorted((a, b) => b[field] - a[field])
  return [
    { what: 'companies', own: own.length, answered: list.total },
    { what: 'wins of all', own: own.reduce((sum, { wins }) => sum + wins, 0), answered: list.totals.wins },
    {
      what: 'value of all',
      own: own.reduce((sum, { value }) => sum + value, 0),
      answered: satang(list.totals.value),
    },
    { what: 'companies on the page', own: TOP, answered: list.results.length },
    ...list.results.flatMap((row, index) => {
      const place = `by ${field} ${index + 1}`
      const same = byTaxId.get(row.tax_id ?? undefined)
      // Equal figures may stand in any order; each must be a company that has them.
      const ranked = field === 'value' ? satang(row.value) : row.wins
      return [
        { what: `${place} in place`, own: order[index]![field], answered: ranked },
        ...(same ? compareRow(place, row, same) : [{ what: `${place} exists`, own: undefined, answered: row.name }]),
      ]
    }),
  ]
}

const compareRow = (place: string, row: CompanyRow, own: OwnCompany): Compared[] => [
  { what: `${place} name`, own: own.name, answered: row.name },
  { what: `${place} wins`, own: own.wins, answered: row.wins },
  { what: `${place} value`, own: own.value, answered: satang(row.value) },
  { what: `${place} departments`, own: own.departments.size, answered: row.departments },
  ...compareDiscount(place, row.discount, own.discount, own.againstBudget),
]

function compareDiscount(
  place: string,
  { against_budget, ...reference }: CompanyRow['discount'],
  own: OwnDiscount,
  ownAgainstBudget: OwnDiscount,
): Compared[] {
  return (['n', 'weighted', 'median'] as const).flatMap((name) => [
    { what: `${place} discount ${name}`, own: own[name], answered: reference[name] },
    { what: `${place} discount against budget ${name}`, own: ownAgainstBudget[name], answered: against_budget[name] },
  ])
}

function compareDetail(detail: CompanyDetail, own: OwnCompany): Compared[] {
  const years = [...own.years].sort(([a], [b]) => a - b)
  const departments = [...own.departments].sort((a, b) => b[1].value - a[1].value)
  const shown = detail.by_department.filter(({ department }) => department !== null)
  return [
    { what: 'detail name', own: own.name, answered: detail.company.name },
    { what: 'detail wins', own: own.wins, answered: detail.figures.wins },
    { what: 'detail value', own: own.value, answered: satang(detail.figures.value) },
    ...compareDiscount('detail', detail.figures.discount, own.discount, own.againstBudget),
    { what: 'years', own: years.length, answered: detail.by_year.filter(({ wins }) => wins > 0).length },
    ...years.flatMap(([year, sum]) => {
      const answered = detail.by_year.find((one) => one.year === year)
      return [
        { what: `year ${year} wins`, own: sum.wins, answered: answered?.wins },
        { what: `year ${year} value`, own: sum.value, answered: satang(answered?.value ?? null) },
      ]
    }),
    { what: 'departments shown', own: Math.min(15, departments.length), answered: shown.length },
    {
      what: 'departments in all',
      own: departments.length,
      answered: detail.by_department.reduce((sum, row) => sum + row.departments, 0),
    },
    ...shown.flatMap((row) => {
      const sum = own.departments.get(row.department!)
      return [
        { what: `${row.department} wins`, own: sum?.wins, answered: row.wins },
        { what: `${row.department} value`, own: sum?.value, answered: satang(row.value) },
      ]
    }),
    {
      what: 'value of all departments',
      own: own.value,
      answered: detail.by_department.reduce((sum, row) => sum + (satang(row.value) ?? 0), 0),
    },
  ]
}
