import { countAmountsInDoubt, getProvinceName, roundShare, sumKnownAmounts, toBaht } from './raw-company.ts'
import type { RawFact, RawProject } from './raw-facts.ts'

/** Market results and agency purchases by plain arithmetic over projects and facts, in the shape of the API answers. */

const slice = (projects: readonly RawProject[]) => ({
  n: projects.length,
  value: toBaht(sumKnownAmounts(projects.map(({ spent }) => spent))),
})

function by(projects: readonly RawProject[], key: (project: RawProject) => string | number | null) {
  return Object.fromEntries([...Map.groupBy(projects, key)].map(([value, group]) => [`is ${value}`, slice(group)]))
}

/** Returns the quartiles of at least five values, interpolated between neighbouring values. */
function quartiles(values: readonly number[], round: (value: number) => number) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => {
    const position = (sorted.length - 1) * part
    const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!]
    return round(low + (position - Math.floor(position)) * (high - low))
  }
  const n = sorted.length
  return n < 5
    ? { n, lower: null, median: null, upper: null }
    : { n, lower: at(0.25), median: at(0.5), upper: at(0.75) }
}
const rates = (values: readonly number[]) => quartiles(values, (rate) => roundShare(rate)!)

const BANDS = [0, 500_000, 5_000_000, 10_000_000, 50_000_000, Number.POSITIVE_INFINITY]

export function computeAwards(projects: readonly RawProject[], facts: readonly RawFact[]) {
  const decided = projects.filter((project) => project.decided)
  const wins = facts.filter(({ won }) => won)
  const wonProjects = [...new Set(wins.map(({ project }) => project))]
  const listed = facts.filter(({ coverage }) => coverage > 0)
  const listedProjects = new Set(listed.map(({ project }) => project))
  const priced = wins.filter(({ base, onBudget }) => base !== null && !onBudget)
  const rate = ({ base, value }: RawFact) => (base! - value!) / base!
  const totalSpent = sumKnownAmounts(decided.map(({ spent }) => spent))
  const companies = [...Map.groupBy(wins, ({ company }) => company)].map(([company, companyWins]) => {
    const days = companyWins.flatMap(({ project }) => project.decidedOn ?? []).toSorted()
    const value = sumKnownAmounts(companyWins.map((fact) => fact.value))
    return {
      company,
      wins: companyWins.length,
      value,
      share: value === null || !totalSpent ? null : roundShare(value / totalSpent),
      first: days[0] ?? null,
      last: days.at(-1) ?? null,
    }
  })
  const bidsOf = Map.groupBy(listed, ({ company }) => company)
  const ratesOf = Map.groupBy(priced, ({ company }) => company)
  const top = companies.toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1)).slice(0, 5)
  const isRanked = wonProjects.length >= 5
  const scoped = new Map(facts.map(({ project, coverage }) => [project, coverage]))
  const years = [...scoped.keys()].map(({ year }) => year).filter((year) => year > 0)
  const level = (of: number) => [...scoped.values()].filter((coverage) => coverage === of).length
  const dated = wins.filter(({ project }) => project.decidedOn !== null)
  return {
    scope: {
      year_from: years.length === 0 ? null : years.reduce((a, b) => Math.min(a, b)),
      year_to: years.length === 0 ? null : years.reduce((a, b) => Math.max(a, b)),
      n: scoped.size,
      coverage: { full: level(2), names: level(1), winner: level(0) },
      ...countAmountsInDoubt(decided.filter(({ spent, hasDoubt }) => spent === null && hasDoubt)),
    },
    decided: decided.length,
    won: wonProjects.length,
    figures: {
      winners: companies.length,
      value: toBaht(totalSpent),
      n_value: decided.filter(({ spent }) => spent !== null).length,
      top_five_share:
        isRanked && totalSpent ? roundShare(top.reduce((a, { value }) => a + (value ?? 0), 0) / totalSpent) : null,
      bidders: {
        n: listedProjects.size,
        mean: listedProjects.size === 0 ? null : Math.round((listed.length / listedProjects.size) * 100) / 100,
      },
      discount: rates(priced.map(rate)),
      against_budget: wins.filter(({ base, onBudget }) => base !== null && onBudget).length,
      terminated: projects.filter(({ hasTerminated }) => hasTerminated).length,
    },
    is_ranked: isRanked,
    companies: new Map(
      companies.map(({ company, value, ...summary }) => {
        const bids = bidsOf.get(company) ?? []
        const decidedBids = bids.filter(({ project }) => project.decided).length
        const won = bids.filter((fact) => fact.won).length
        const companyRates = (ratesOf.get(company) ?? []).map(rate)
        return [
          company,
          {
            ...summary,
            value: toBaht(value),
            bids:
              bids.length === 0
                ? null
                : { bids: decidedBids, won, win_rate: decidedBids < 5 ? null : roundShare(won / decidedBids) },
            discount: { n: companyRates.length, median: rates(companyRates).median },
          },
        ]
      }),
    ),
    agencies: by(decided, ({ body }) => body),
    agency_months: Object.fromEntries(
      [...Map.groupBy(wonProjects, ({ body }) => body)].map(([body, group]) => [
        `is ${body}`,
        monthsOf(group.map(({ decidedOn }) => decidedOn)),
      ]),
    ),
    years: by(decided, ({ year }) => year),
    methods: by(decided, ({ method }) => method),
    provinces: by(decided, ({ province }) => getProvinceName(province)),
    months: Object.fromEntries(
      [...Map.groupBy(dated, ({ project }) => project.decidedOn!.slice(0, 7))]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .slice(-36)
        .map(([month, group]) => [
          `in ${month}`,
          {
            n: new Set(group.map(({ project }) => project)).size,
            value: toBaht(sumKnownAmounts(group.map(({ value }) => value))),
          },
        ]),
    ),
    bins: Array.from({ length: 17 }, (_, bin) => {
      const binOf = ({ base, value }: RawFact) =>
        value! > base! ? 0 : Math.min(15, Math.floor(((base! - value!) * 50) / base!)) + 1
      return priced.filter((fact) => binOf(fact) === bin).length
    }),
    bands: BANDS.slice(0, -1).map((from, at) =>
      rates(priced.filter(({ base }) => base! >= from * 100 && base! < BANDS[at + 1]! * 100).map(rate)),
    ),
  }
}

function monthsOf(days: readonly (string | null)[]): string {
  const knownDays = days.flatMap((day) => day ?? [])
  return Array.from(
    { length: 12 },
    (_, at) => knownDays.filter((day) => Number(day.slice(5, 7)) === at + 1).length,
  ).join(' ')
}

export function computeAgencyPage(
  projects: readonly RawProject[],
  all: readonly RawProject[],
  facts: readonly RawFact[],
) {
  const decided = projects.filter((project) => project.decided)
  const span = ({ invited, signed }: RawProject) =>
    invited === null || signed === null ? undefined : (Date.parse(signed) - Date.parse(invited)) / 86_400_000
  const forward = (of: readonly RawProject[]) =>
    of.map(span).filter((days) => days !== undefined && days >= 0) as number[]
  const days = (of: readonly RawProject[]) => quartiles(forward(of), (value) => value)
  const years = new Set(all.map(({ year }) => year).filter((year) => year > 0))
  const wonProjects = [...new Set(facts.filter(({ won }) => won).map(({ project }) => project))]
  return {
    all_years: [...years].toSorted((a, b) => b - a),
    projects: projects.length,
    by_type: by(decided, ({ type }) => type),
    units: by(
      all.filter((project) => project.decided),
      ({ sub, dept }) => sub || dept,
    ),
    announced: monthsOf(projects.map(({ invited }) => invited)),
    awarded: monthsOf(wonProjects.map(({ decidedOn }) => decidedOn)),
    speed: {
      ...days(decided),
      backwards: decided.map(span).filter((duration) => duration !== undefined && duration < 0).length,
    },
    speed_by_method: Object.fromEntries(
      [...Map.groupBy(decided, ({ method }) => method)].flatMap(([method, of]) =>
        forward(of).length === 0 ? [] : [[`is ${method}`, days(of)]],
      ),
    ),
  }
}
