import { findProvinceByCode } from '#contract/thai/province.ts'
import { isClosedContract, type RawFact, type RawProject } from './raw-facts.ts'

/** Company figures by plain arithmetic over facts, in the shape of the API answers. */

export const toBaht = (satang: number | null) => (satang === null ? null : satang / 100)
export const roundShare = (share: number | null) => (share === null ? null : Math.round(share * 10_000) / 10_000)
export const sumKnownAmounts = (amounts: readonly (number | null)[]) => {
  const knownAmounts = amounts.filter((amount) => amount !== null)
  return knownAmounts.length === 0 ? null : knownAmounts.reduce((a, b) => a + b, 0)
}
export const computeMedian = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return sorted.length === 0 ? null : (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
export const getProvinceName = (code: number) => (code === 0 ? null : (findProvinceByCode(code)?.th ?? null))

const slice = (wins: readonly RawFact[]) => ({
  wins: wins.length,
  value: toBaht(sumKnownAmounts(wins.map(({ value }) => value))),
})
const days = (wins: readonly RawFact[]) => wins.flatMap(({ project }) => project.decidedOn ?? []).toSorted()

function discount(of: readonly RawFact[]) {
  const part = (onBudget: boolean) => {
    const priced = of.filter((fact) => fact.base !== null && fact.onBudget === onBudget)
    const base = sumKnownAmounts(priced.map((fact) => fact.base))
    return {
      n: priced.length,
      weighted: base === null ? null : roundShare((base - sumKnownAmounts(priced.map(({ value }) => value))!) / base),
      median: roundShare(computeMedian(priced.map((fact) => (fact.base! - fact.value!) / fact.base!))),
    }
  }
  return { ...part(false), against_budget: part(true) }
}

function bids(of: readonly RawFact[]) {
  const listed = of.filter(({ coverage }) => coverage > 0)
  if (listed.length === 0) return null
  const decidedBids = listed.filter(({ project }) => project.decided).length
  const won = listed.filter((fact) => fact.won).length
  return { bids: decidedBids, won, win_rate: decidedBids < 5 ? null : roundShare(won / decidedBids) }
}

const coverage = (of: readonly RawFact[]) => {
  const count = (level: number) => of.filter((fact) => fact.coverage === level).length
  return { full: count(2), names: count(1), winner: count(0) }
}

/** Returns `amounts_in_doubt` only if there are doubtful projects, as the API does. */
export const countAmountsInDoubt = (projects: readonly RawProject[]) =>
  projects.length > 0 ? { amounts_in_doubt: new Set(projects).size } : {}
export const findWinsInDoubt = (of: readonly RawFact[]): RawProject[] =>
  of.flatMap(({ won, value, project }) => (won && value === null && project.hasDoubt ? [project] : []))

function scope(of: readonly RawFact[]) {
  const years = of.map(({ project }) => project.year).filter((year) => year > 0)
  return {
    year_from: years.length === 0 ? null : Math.min(...years),
    year_to: years.length === 0 ? null : Math.max(...years),
    n: of.length,
    coverage: coverage(of),
    ...countAmountsInDoubt(findWinsInDoubt(of)),
  }
}

/**
 * Returns true for a contract that is not closed and whose end date has not passed. Without an end date, the project
 * must not be archived.
 */
const isActive =
  (today: string, { project }: RawFact) =>
  (contract: RawFact['contracts'][number]) =>
    !isClosedContract(contract) && (contract.ends === null ? !project.archived : contract.ends >= today)

const by = <K extends string>(
  of: readonly RawFact[],
  key: (fact: RawFact) => string | number | null,
  name: K,
): Record<string, unknown> =>
  Object.fromEntries([...Map.groupBy(of, key)].map(([value, group]) => [`${name} ${value}`, slice(group)]))

export function computeCompanyRow(of: readonly RawFact[], methodNumber: (method: string) => number) {
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

/** Computes the expected company page. `spent`: what an agency spent in the scope, in satang. */
export function computeCompanyPage(of: readonly RawFact[], today: string, spent: (body: string) => number | null) {
  const wins = of.filter(({ won }) => won)
  const active = wins.filter((fact) => fact.contracts.some(isActive(today, fact)))
  const priced = wins.filter(({ base, onBudget }) => base !== null && !onBudget)
  const bodies = [...Map.groupBy(wins, ({ project }) => project.body)].map(([body, bodyWins]) => ({
    body,
    own: bodyWins,
  }))
  const worth = ({ own: bodyWins }: (typeof bodies)[number]) =>
    sumKnownAmounts(bodyWins.map(({ value }) => value)) ?? -1
  bodies.sort((a, b) => worth(b) - worth(a) || b.own.length - a.own.length || (a.body < b.body ? -1 : 1))
  const department = ({ body, own: bodyWins }: (typeof bodies)[number]) => {
    const [value, totalSpent] = [sumKnownAmounts(bodyWins.map((fact) => fact.value)), spent(body)]
    const share = value === null || !totalSpent ? null : roundShare(value / totalSpent)
    return {
      ...slice(bodyWins),
      share,
      first_win_date: days(bodyWins)[0] ?? null,
      last_win_date: days(bodyWins).at(-1) ?? null,
    }
  }
  const otherBodies = bodies.slice(15)
  const [top] = bodies
  return {
    scope: scope(of),
    figures: {
      ...slice(wins),
      contracts: wins.reduce((n, { contracts }) => n + contracts.length, 0),
      bids: bids(of),
      discount: discount(wins),
      median_contract: bahtOfHalf(computeMedian(wins.flatMap(amountsOf))),
      active_contracts: wins.reduce((n, fact) => n + fact.contracts.filter(isActive(today, fact)).length, 0),
      active_value: toBaht(sumKnownAmounts(active.map(({ value }) => value))),
      terminated: wins.filter((fact) => fact.terminated).length,
      first_win_date: days(wins)[0] ?? null,
      last_win_date: days(wins).at(-1) ?? null,
      top_spent: top ? toBaht(spent(top.body)) : null,
    },
    by_year: by(wins, ({ project }) => project.year, 'year'),
    by_department: Object.fromEntries(bodies.slice(0, 15).map((entry) => [entry.body, department(entry)])),
    other_departments:
      otherBodies.length === 0
        ? null
        : { departments: otherBodies.length, ...slice(otherBodies.flatMap(({ own: bodyWins }) => bodyWins)) },
    by_method: by(wins, ({ project }) => project.method, 'method'),
    by_type: by(wins, ({ project }) => project.type, 'type'),
    by_criteria: by(wins, ({ project }) => project.criteria, 'criteria'),
    by_province: by(wins, ({ project }) => getProvinceName(project.province), 'province'),
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

/** Rounds to whole satang, because a median may be halfway between two amounts. */
const bahtOfHalf = (satang: number | null) => (satang === null ? null : Math.round(satang) / 100)

/**
 * Returns the known contract amounts. For a single contract this is the value that the company won, which may come from
 * the project's price.
 */
const amountsOf = ({ contracts, value }: RawFact) =>
  contracts.length === 1 ? (value === null ? [] : [value]) : contracts.flatMap(({ amount }) => amount ?? [])

/**
 * Returns discount bins of 2.5 percentage points, keyed by lower bound. The outer bins contain everything below −10 %
 * and above 50 %.
 */
function binsOf(priced: readonly RawFact[]) {
  // Amounts are whole satang below 2^53, so integer quotients are exact.
  const step = ({ base, value }: RawFact) => Math.floor(((base! - value!) * 40) / base!)
  const bins = Map.groupBy(priced, (fact) => Math.max(-4, Math.min(20, step(fact))) / 40)
  return Object.fromEntries([...bins].map(([from, group]) => [`from ${from}`, group.length]))
}

export function computeComparedColumn(of: readonly RawFact[], today: string) {
  const wins = of.filter(({ won }) => won)
  return {
    ...slice(wins),
    bids: bids(of),
    discount: discount(of),
    median_contract: bahtOfHalf(computeMedian(wins.flatMap(amountsOf))),
    departments: new Set(wins.map(({ project }) => project.body)).size,
    active_contracts: wins.reduce((n, fact) => n + fact.contracts.filter(isActive(today, fact)).length, 0),
    last_win_date: days(wins).at(-1) ?? null,
    coverage: coverage(of),
  }
}

export const sumSpending = (projects: readonly RawProject[]): number | null =>
  sumKnownAmounts(projects.filter(({ decided }) => decided).map(({ spent }) => spent))
