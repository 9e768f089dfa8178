import sql from 'sql-template-tag'
import type { UnusualAwardPattern, UnusualAwardPatternCode } from '#contract/market/unusual-award-patterns.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import { loadLocalBodyLookup } from '#server/market/who-wins/bodies-for-tests.ts'
import type { Db } from '#server/platform/engine/db.ts'

type Fact = {
  readonly project: string
  readonly company: number
  readonly agency: string
  /** Plain name; `agency` adds the province if several agencies share it. */
  readonly name: string
  readonly unit: string
  readonly province: number | null
  readonly year: number
  readonly method: string
  readonly coverage: number
  readonly won: boolean
  readonly decided: boolean
  readonly value: number | null
  readonly base: number | null
  readonly onBudget: boolean
  readonly month: string | null
}
type Spent = { readonly project: string; readonly agency: string; readonly year: number; readonly spent: number | null }
export type ReferenceUnusualAwardPatternData = { readonly facts: readonly Fact[]; readonly spending: readonly Spent[] }

export async function loadReferenceUnusualAwardPatternData(db: Db): Promise<ReferenceUnusualAwardPatternData> {
  const bodyOf = await loadLocalBodyLookup(db)
  const named = <T extends { name: string; province: number | null }>(rows: readonly T[]) =>
    rows.map((row) => ({ ...row, agency: bodyOf({ dept: row.name, deptProvince: row.province }) }))
  const facts = await db.query<Omit<Fact, 'agency'>>(sql`
    select f.project_id as project, f.company_id as company, d.name, d.sub_name as unit, d.province, coalesce(f.fiscal_year, 0)::int as year,
      v.value as method, f.coverage, f.is_winner as won, f.is_decided as decided, f.value_satang as value, f.discount_base_satang as base,
      f.is_against_budget as "onBudget", to_char(f.decided_on, 'YYYY-MM') as month
    from company_projects f join departments d on d.id = f.department_id join match_values v on v.id = f.method`)
  const spending = await db.query<Omit<Spent, 'agency'> & Pick<Fact, 'name' | 'province'>>(sql`
    select s.project_id as project, d.name, d.province, coalesce(s.fiscal_year, 0)::int as year, s.spent_satang as spent
    from project_spending s join departments d on d.id = s.department_id`)
  return { facts: named(facts), spending: named(spending) }
}

const line = (of: Record<string, unknown>) => JSON.stringify(of)
export const serialiseUnusualAwardPattern = ({
  companies,
  rows: _,
  n_rows: __,
  beside_rows: ___,
  one_rows: ____,
  ...sign
}: UnusualAwardPattern): string => line({ ...sign, companies: companies.map(({ id }) => id) })

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
const rounded = (share: number) => Math.round(share * 10_000) / 10_000
const period = (of: readonly { year: number }[]) => {
  const years = of.map(({ year }) => year).filter((year) => year > 0)
  return years.length === 0
    ? { year_from: null, year_to: null }
    : { year_from: Math.min(...years), year_to: Math.max(...years) }
}
const EMPTY = {
  agency: null as string | null,
  unit: null as string | null,
  province: null as string | null,
  year_from: null as number | null,
  year_to: null as number | null,
  month: null as string | null,
  count: 0,
  n: 0,
  share: 0,
  value: null as number | null,
  whole: null as number | null,
  usual: null as number | null,
  beside: null as number | null,
  winners: null as number | null,
  of_one: null as number | null,
  companies: [] as number[],
}
type Plain = { projects: number; groups: number; lines: string[] }
const COMPETITIVE = /^(e_bidding|e_market|selective|price_enquiry|(consultant|design)_(open|selective)|design_contest)$/

export function computeReferenceUnusualAwardPatterns(
  all: ReferenceUnusualAwardPatternData,
  projectIds: ReadonlySet<string>,
): Record<UnusualAwardPatternCode, Plain> {
  const facts = all.facts.filter(({ project }) => projectIds.has(project))
  const spending = all.spending.filter(({ project }) => projectIds.has(project))
  const wins = facts.filter(({ won }) => won)
  const bids = facts.filter(({ coverage, decided, method }) => coverage > 0 && decided && COMPETITIVE.test(method))
  const compared = wins.filter(({ base, onBudget, method }) => base !== null && !onBudget && COMPETITIVE.test(method))
  return {
    buyer_share: shares(spending, wins),
    two_winners: pairs(wins),
    same_two: meetings(bids),
    one_bidder: lonely(bids),
    ...prices(compared),
    below_threshold: windows(wins),
  }
}

function shares(spending: readonly Spent[], wins: readonly Fact[]): Plain {
  const lines: string[] = []
  let groups = 0
  const dated = spending.filter(({ year }) => year > 0)
  const winsOf = Map.groupBy(wins, ({ agency, year }) => `${year} ${agency}`)
  for (const of of Map.groupBy(dated, ({ agency, year }) => `${year} ${agency}`).values()) {
    const [{ agency, year } = { agency: '', year: 0 }] = of
    if (of.filter(({ spent }) => spent !== null).length < 10) continue
    groups += 1
    const total = sum(of.map(({ spent }) => spent))
    const groupWins = winsOf.get(`${year} ${agency}`) ?? []
    for (const [company, won] of Map.groupBy(groupWins, (win) => win.company)) {
      const value = sum(won.map((win) => win.value))
      if (won.length < 5 || total === 0 || value / total < 0.5) continue
      const figures = {
        count: won.length,
        n: of.length,
        share: rounded(value / total),
        value: value / 100,
        whole: total / 100,
      }
      lines.push(line({ ...EMPTY, agency, year_from: year, year_to: year, ...figures, companies: [company] }))
    }
  }
  return { projects: dated.filter(({ spent }) => spent !== null).length, groups, lines }
}

const projectsOf = (facts: readonly Fact[]) => new Set(facts.map(({ project }) => project))

function pairs(wins: readonly Fact[]): Plain {
  const lines: string[] = []
  let groups = 0
  const agencies = Map.groupBy(wins, ({ agency }) => agency)
  const groupsToCheck: [string | null, readonly Fact[]][] = [...agencies]
  if (agencies.size > 1) groupsToCheck.push([null, wins])
  for (const [agency, groupWins] of groupsToCheck) {
    const n = projectsOf(groupWins).size
    if (n < 10) continue
    groups += 1
    const [first, second] = [...Map.groupBy(groupWins, ({ company }) => company)].sort(
      ([a, winsA], [b, winsB]) => winsB.length - winsA.length || a - b,
    )
    if (!first || !second || second[1].length / n < 0.25) continue
    const won = projectsOf([...first[1], ...second[1]])
    if (won.size / n < 0.8) continue
    const share = rounded(won.size / n)
    lines.push(
      line({ ...EMPTY, agency, ...period(groupWins), count: won.size, n, share, companies: [first[0], second[0]] }),
    )
  }
  return { projects: projectsOf(wins).size, groups, lines }
}

function meetings(bids: readonly Fact[]): Plain {
  const met = new Map<string, { two: [number, number]; of: { year: number; winner: number | undefined }[] }>()
  for (const projectBids of Map.groupBy(bids, ({ project }) => project).values())
    for (const a of projectBids)
      for (const b of projectBids) {
        if (a.company >= b.company) continue
        const key = `${a.company} ${b.company}`
        const meeting = met.get(key) ?? { two: [a.company, b.company] as [number, number], of: [] }
        const winner = a.won === b.won ? undefined : a.won ? a.company : b.company
        meeting.of.push({ year: a.year, winner })
        met.set(key, meeting)
      }
  const often = [...met.values()].filter(({ of }) => of.length >= 8)
  const lines = often.flatMap(({ two, of }) => {
    const [lower, higher] = two.map((id) => of.filter(({ winner }) => winner === id).length) as [number, number]
    const count = Math.max(lower, higher)
    if (count / of.length < 0.8) return []
    const companies = lower >= higher ? two : [two[1], two[0]]
    return [line({ ...EMPTY, ...period(of), count, n: of.length, share: rounded(count / of.length), companies })]
  })
  return { projects: projectsOf(bids).size, groups: often.length, lines }
}

function lonely(bids: readonly Fact[]): Plain {
  const lines: string[] = []
  let groups = 0
  for (const [agency, agencyBids] of Map.groupBy(bids, ({ agency: name }) => name)) {
    const projects = [...Map.groupBy(agencyBids, ({ project }) => project).values()]
    if (projects.length < 10) continue
    groups += 1
    const count = projects.filter((of) => of.length === 1).length
    const share = count / projects.length
    if (share >= 0.5)
      lines.push(line({ ...EMPTY, agency, ...period(agencyBids), count, n: projects.length, share: rounded(share) }))
  }
  return { projects: projectsOf(bids).size, groups, lines }
}

function prices(compared: readonly Fact[]): { low_discount: Plain; above_reference: Plain } {
  const isNear = ({ base, value }: Fact) => value! <= base! && (base! - value!) / base! < 0.01
  const usual = compared.filter(isNear).length / compared.length
  const [low, high]: [string[], string[]] = [[], []]
  let groups = 0
  for (const [agency, agencyWins] of Map.groupBy(compared, ({ agency: name }) => name)) {
    const n = agencyWins.length
    if (n < 10) continue
    groups += 1
    const near = agencyWins.filter(isNear).length
    const above = agencyWins.filter(({ base, value }) => value! > base!).length
    const of = { ...EMPTY, agency, ...period(agencyWins), n }
    if (near / n >= 0.8 && near / n - usual >= 0.2)
      low.push(line({ ...of, count: near, share: rounded(near / n), usual: rounded(usual) }))
    if (above >= 5 && above / n >= 0.03) high.push(line({ ...of, count: above, share: rounded(above / n) }))
  }
  return {
    low_discount: { projects: compared.length, groups, lines: low },
    above_reference: { projects: compared.length, groups, lines: high },
  }
}

function windows(wins: readonly Fact[]): Plain {
  const around = wins.filter(
    ({ method, base, month, value }) =>
      method === 'specific' && base !== null && month !== null && value! > 40_000_000 && value! <= 50_000_000,
  )
  const lines: string[] = []
  let groups = 0
  const keyOf = ({ agency, unit, province, month }: Fact) => JSON.stringify([agency, unit, province, month])
  for (const monthWins of Map.groupBy(around, keyOf).values()) {
    if (monthWins.length < 5) continue
    groups += 1
    const near = monthWins.filter(({ value }) => value! > 45_000_000)
    const belowCount = monthWins.length - near.length
    if (near.length < 5 || near.length < belowCount * 5) continue
    const [topCompany] = [...Map.groupBy(near, ({ company }) => company)].sort(
      ([a, winsA], [b, winsB]) => winsB.length - winsA.length || a - b,
    )
    if (topCompany![1].length < 5) continue
    const { agency, name, unit, province, month } = monthWins[0]!
    lines.push(
      line({
        ...EMPTY,
        agency,
        unit: unit === '' || unit === name ? null : unit,
        province: province === null || agency !== name ? null : (findProvinceByCode(province)?.th ?? null),
        month,
        count: near.length,
        n: monthWins.length,
        share: rounded(near.length / monthWins.length),
        value: sum(near.map(({ value }) => value)) / 100,
        beside: belowCount,
        winners: new Set(near.map(({ company }) => company)).size,
        of_one: topCompany![1].length,
        companies: [topCompany![0]],
      }),
    )
  }
  return { projects: around.length, groups, lines }
}
