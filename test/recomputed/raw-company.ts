import { provinceCoded } from '#contract/thai/province.ts'
import { isClosed, type RawFact, type RawProject } from './raw-facts.ts'

/** Figures of companies by plain arithmetic over their facts, in the shape of the answers. */

export const baht = (satang: number | null) => (satang === null ? null : satang / 100)
export const rounded = (share: number | null) => (share === null ? null : Math.round(share * 10_000) / 10_000)
/** Sum of what is known; null when nothing is. */
export const sum = (amounts: readonly (number | null)[]) => {
  const known = amounts.filter((amount) => amount !== null)
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0)
}
export const median = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return sorted.length === 0 ? null : (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
export const provinceText = (code: number) => (code === 0 ? null : (provinceCoded(code)?.th ?? null))

const slice = (wins: readonly RawFact[]) => ({ wins: wins.length, value: baht(sum(wins.map(({ value }) => value))) })
const days = (wins: readonly RawFact[]) => wins.flatMap(({ project }) => project.decidedOn ?? []).toSorted()

function discount(of: readonly RawFact[]) {
  const part = (onBudget: boolean) => {
    const priced = of.filter((fact) => fact.base !== null && fact.onBudget === onBudget)
    const base = sum(priced.map((fact) => fact.base))
    return {
      n: priced.length,
      weighted: base === null ? null : rounded((base - sum(priced.map(({ value }) => value))!) / base),
      median: rounded(median(priced.map((fact) => (fact.base! - fact.value!) / fact.base!))),
    }
  }
  return { ...part(false), against_budget: part(true) }
}

function bids(of: readonly RawFact[]) {
  const listed = of.filter(({ coverage }) => coverage > 0)
  if (listed.length === 0) return null
  const known = listed.filter(({ project }) => project.decided).length
  const won = listed.filter((fact) => fact.won).length
  return { bids: known, won, win_rate: known < 5 ? null : rounded(won / known) }
}

const coverage = (of: readonly RawFact[]) => {
  const count = (level: number) => of.filter((fact) => fact.coverage === level).length
  return { full: count(2), names: count(1), winner: count(0) }
}

function scope(of: readonly RawFact[]) {
  const years = of.map(({ project }) => project.year).filter((year) => year > 0)
  return {
    year_from: years.length === 0 ? null : Math.min(...years),
    year_to: years.length === 0 ? null : Math.max(...years),
    n: of.length,
    coverage: coverage(of),
  }
}

/** Contracts that are not closed and whose last day, where one is known, is not over. */
const isActive =
  (today: string, { project }: RawFact) =>
  (contract: RawFact['contracts'][number]) =>
    !isClosed(contract) && (contract.ends === null ? !project.archived : contract.ends >= today)

/** Groups by a key, in no order that matters. */
const by = <K extends string>(
  of: readonly RawFact[],
  key: (fact: RawFact) => string | number | null,
  name: K,
): Record<string, unknown> =>
  Object.fromEntries([...Map.groupBy(of, key)].map(([value, own]) => [`${name} ${value}`, slice(own)]))

/** The row of the list. */
export function companyRow(of: readonly RawFact[], methodNumber: (method: string) => number) {
  const wins = of.filter(({ won }) => won)
  const methods = [...Map.groupBy(wins, ({ project }) => project.method)].toSorted(
    ([a, n], [b, m]) => m.length - n.length || methodNumber(a) - methodNumber(b),
  )
  return {
    ...slice(wins),
    bids: bids(of),
    discount: discount(of),
    departments: new Set(wins.map(({ project }) => project.body)).size,
    top_method: methods[0]?.[0] ?? null,
    last_win_date: days(wins).at(-1) ?? null,
    coverage: coverage(of),
  }
}

/** What the page of a company says. `spent`: what a body spent in the scope, satang. */
export function companyPage(of: readonly RawFact[], today: string, spent: (body: string) => number | null) {
  const wins = of.filter(({ won }) => won)
  const active = wins.filter((fact) => fact.contracts.some(isActive(today, fact)))
  const priced = wins.filter(({ base, onBudget }) => base !== null && !onBudget)
  const bodies = [...Map.groupBy(wins, ({ project }) => project.body)].map(([body, own]) => ({ body, own }))
  const worth = ({ own }: (typeof bodies)[number]) => sum(own.map(({ value }) => value)) ?? -1
  bodies.sort((a, b) => worth(b) - worth(a) || b.own.length - a.own.length || (a.body < b.body ? -1 : 1))
  const department = ({ body, own }: (typeof bodies)[number]) => {
    const [value, whole] = [sum(own.map((fact) => fact.value)), spent(body)]
    const share = value === null || !whole ? null : rounded(value / whole)
    return { ...slice(own), share, first_win_date: days(own)[0] ?? null, last_win_date: days(own).at(-1) ?? null }
  }
  const others = bodies.slice(15)
  const [top] = bodies
  return {
    scope: scope(of),
    figures: {
      ...slice(wins),
      contracts: wins.reduce((n, { contracts }) => n + contracts.length, 0),
      bids: bids(of),
      discount: discount(wins),
      median_contract: bahtOfHalf(median(wins.flatMap(amountsOf))),
      active_contracts: wins.reduce((n, fact) => n + fact.contracts.filter(isActive(today, fact)).length, 0),
      active_value: baht(sum(active.map(({ value }) => value))),
      terminated: wins.filter((fact) => fact.terminated).length,
      first_win_date: days(wins)[0] ?? null,
      last_win_date: days(wins).at(-1) ?? null,
      top_spent: top ? baht(spent(top.body)) : null,
    },
    by_year: by(wins, ({ project }) => project.year, 'year'),
    by_department: Object.fromEntries(bodies.slice(0, 15).map((one) => [one.body, department(one)])),
    other_departments:
      others.length === 0 ? null : { departments: others.length, ...slice(others.flatMap(({ own }) => own)) },
    by_method: by(wins, ({ project }) => project.method, 'method'),
    by_type: by(wins, ({ project }) => project.type, 'type'),
    by_criteria: by(wins, ({ project }) => project.criteria, 'criteria'),
    by_province: by(wins, ({ project }) => provinceText(project.province), 'province'),
    bins: binsOf(priced),
    sizes: SIZES.map(([from, to]) =>
      discount(
        priced.filter(({ base }) => (from === null || base! >= from * 100) && (to === null || base! < to * 100)),
      ),
    ),
  }
}
const SIZES = [
  [null, 500_000],
  [500_000, 5_000_000],
  [5_000_000, 10_000_000],
  [10_000_000, 50_000_000],
  [50_000_000, null],
] as const

/** A median may lie between two amounts; half a satang is none. */
const bahtOfHalf = (satang: number | null) => (satang === null ? null : Math.round(satang) / 100)

/** Known amounts of the contracts; of a single contract what the company won, which its amount or the project's price says. */
const amountsOf = ({ contracts, value }: RawFact) =>
  contracts.length === 1 ? (value === null ? [] : [value]) : contracts.flatMap(({ amount }) => amount ?? [])

/** Discounts in steps of 2.5 points by where each step begins; everything below −10 % and above 50 % is in the outer ones. */
function binsOf(priced: readonly RawFact[]) {
  // Amounts are whole satang below 2^53, so a quotient that is a whole number is exact.
  const step = ({ base, value }: RawFact) => Math.floor(((base! - value!) * 40) / base!)
  const bins = Map.groupBy(priced, (fact) => Math.max(-4, Math.min(20, step(fact))) / 40)
  return Object.fromEntries([...bins].map(([from, own]) => [`from ${from}`, own.length]))
}

/** The company's column of a comparison. */
export function comparedColumn(of: readonly RawFact[], today: string) {
  const wins = of.filter(({ won }) => won)
  return {
    ...slice(wins),
    bids: bids(of),
    discount: discount(of),
    median_contract: bahtOfHalf(median(wins.flatMap(amountsOf))),
    departments: new Set(wins.map(({ project }) => project.body)).size,
    active_contracts: wins.reduce((n, fact) => n + fact.contracts.filter(isActive(today, fact)).length, 0),
    last_win_date: days(wins).at(-1) ?? null,
    coverage: coverage(of),
  }
}

/** What decided projects cost together; null where no price is known. */
export const spentOn = (projects: readonly RawProject[]): number | null =>
  sum(projects.filter(({ decided }) => decided).map(({ spent }) => spent))
