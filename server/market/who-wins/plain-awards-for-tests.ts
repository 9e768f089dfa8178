import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { loadLocalBodyLookup } from './bodies-for-tests.ts'

/**
 * Rows of `company_projects` and `project_spending`; money in satang. The company tests verify them against contracts
 * and bidders.
 */
export type ReferenceCompanyFact = {
  readonly project: string
  readonly company: number
  readonly coverage: number
  readonly won: boolean
  readonly decided: boolean
  readonly value: number | null
  readonly base: number | null
  readonly onBudget: boolean
  readonly on: string | null
  readonly dept: string
}
export type ReferenceSpending = {
  readonly project: string
  readonly dept: string
  readonly year: number
  readonly province: number
  readonly method: string
  readonly spent: number | null
}

type Unit = { readonly dept: string; readonly deptProvince: number | null }

export async function loadReferenceAwards(
  db: Db,
): Promise<{ facts: ReferenceCompanyFact[]; spending: ReferenceSpending[] }> {
  const bodyOf = await loadLocalBodyLookup(db)
  const facts = await db.query<ReferenceCompanyFact & Unit>(sql`
    select f.project_id as project, f.company_id as company, f.coverage, f.is_winner as won, f.is_decided as decided, f.value_satang as value,
      f.discount_base_satang as base, f.is_against_budget as "onBudget", f.decided_on as on, d.name as dept, d.province as "deptProvince"
    from company_projects f join departments d on d.id = f.department_id`)
  const spending = await db.query<ReferenceSpending & Unit>(sql`
    select s.project_id as project, d.name as dept, d.province as "deptProvince", coalesce(s.fiscal_year, 0)::int as year, coalesce(s.project_province, 0)::int as province,
      v.value as method, s.spent_satang as spent
    from project_spending s join departments d on d.id = s.department_id join match_values v on v.id = s.method`)
  const named = <T extends Unit>(rows: readonly T[]) => rows.map((row) => ({ ...row, dept: bodyOf(row) }))
  return { facts: named(facts), spending: named(spending) }
}

const baht = (values: readonly (number | null)[]) => {
  const amounts = values.filter((amount) => amount !== null)
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0) / 100
}
const rounded = (share: number) => Math.round(share * 10_000) / 10_000

/** Returns the quantile `part` (0 to 1) of ascending numbers, interpolated between neighbours. */
function at(sorted: readonly number[], part: number): number {
  const position = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!]
  return low + (position - Math.floor(position)) * (high - low)
}

function quartiles(rates: readonly number[]) {
  const sorted = [...rates].sort((a, b) => a - b)
  const n = sorted.length
  if (n < 5) return { n, lower: null, median: null, upper: null }
  return { n, lower: rounded(at(sorted, 0.25)), median: rounded(at(sorted, 0.5)), upper: rounded(at(sorted, 0.75)) }
}

const sums = <T extends string | number>(
  rows: readonly { key: T; spent: number | null }[],
): { key: T; n: number; value: number | null }[] =>
  [...Map.groupBy(rows, ({ key }) => key)].map(([key, of]) => ({
    key,
    n: of.length,
    value: baht(of.map(({ spent }) => spent)),
  }))

/** Computes the figures for these projects by plain arithmetic. Lists are sorted by key. */
export function computeReferenceFigures(
  all: { readonly facts: readonly ReferenceCompanyFact[]; readonly spending: readonly ReferenceSpending[] },
  projectIds: ReadonlySet<string>,
) {
  const facts = all.facts.filter(({ project }) => projectIds.has(project))
  const decided = all.spending.filter(({ project }) => projectIds.has(project))
  const wins = facts.filter(({ won }) => won)
  const priced = wins.filter(({ base, onBudget }) => base !== null && !onBudget)
  const rate = ({ base, value }: ReferenceCompanyFact) => (base! - value!) / base!
  const projects = (of: readonly ReferenceCompanyFact[]) => new Set(of.map(({ project }) => project))
  const listed = facts.filter(({ coverage }) => coverage > 0)
  const byKey = <T extends { key: string | number }>(rows: T[]) => rows.sort((a, b) => (a.key < b.key ? -1 : 1))
  const bands = [
    [null, 500_000],
    [500_000, 5_000_000],
    [5_000_000, 10_000_000],
    [10_000_000, 50_000_000],
    [50_000_000, null],
  ] as const
  return {
    decided: decided.length,
    won: projects(wins).size,
    value: baht(decided.map(({ spent }) => spent)),
    bidders: projects(listed).size === 0 ? null : Math.round((listed.length / projects(listed).size) * 100) / 100,
    discount: quartiles(priced.map(rate)),
    againstBudget: wins.filter(({ base, onBudget }) => base !== null && onBudget).length,
    companies: byKey(
      [...Map.groupBy(wins, ({ company }) => company)].map(([key, of]) => {
        const companyFacts = facts.filter(({ company }) => company === key)
        const rates = priced.filter(({ company }) => company === key).map(rate)
        const days = of.flatMap(({ on }) => on ?? []).sort()
        return {
          key,
          wins: of.length,
          value: baht(of.map(({ value }) => value)),
          n: rates.length,
          median: quartiles(rates).median,
          first: days[0] ?? null,
          last: days.at(-1) ?? null,
          bids: companyFacts.filter(({ coverage, decided: isDecided }) => coverage > 0 && isDecided).length,
        }
      }),
    ),
    agencies: byKey(sums(decided.map(({ dept, spent }) => ({ key: dept, spent })))),
    years: byKey(sums(decided.map(({ year, spent }) => ({ key: year, spent })))),
    methods: byKey(sums(decided.map(({ method, spent }) => ({ key: method, spent })))),
    provinces: byKey(sums(decided.map(({ province, spent }) => ({ key: province, spent })))),
    months: byKey(
      [
        ...Map.groupBy(
          wins.filter(({ on }) => on !== null),
          ({ on }) => on!.slice(0, 7),
        ),
      ].map(([key, of]) => ({
        key,
        n: projects(of).size,
        value: baht(of.map(({ value }) => value)),
      })),
    ),
    bins: Array.from({ length: 17 }, (_, bin) => {
      const points = (fact: ReferenceCompanyFact) =>
        Number(((BigInt(fact.base! - fact.value!) * 50n) / BigInt(fact.base!)) as bigint)
      return priced.filter((fact) =>
        fact.value! > fact.base! ? bin === 0 : bin > 0 && Math.min(15, points(fact)) === bin - 1,
      ).length
    }),
    bands: bands.map(([from, to]) =>
      quartiles(
        priced
          .filter(({ base }) => (from === null || base! >= from * 100) && (to === null || base! < to * 100))
          .map(rate),
      ),
    ),
  }
}
