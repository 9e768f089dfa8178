import type { CsvRow } from './company-figures.ts'

/**
 * Recomputes who wins from a file of CGD contracts alone, without code of the feed, the load, the companies or the
 * view. Money is whole satang.
 */
export type RecomputedProject = {
  readonly id: string
  readonly name: string
  readonly method: string
  /** The agency. Local bodies that share a name across provinces are distinguished by province in the name. */
  readonly dept: string
  readonly year: number
  readonly budget: number | null
  readonly reference: number | null
  /** What it cost; null: unknown. */
  readonly spent: number | null
  /** First signature, ISO; null: unknown. */
  readonly decidedOn: string | null
  readonly wins: readonly { readonly company: string; readonly value: number | null; readonly isPriced: boolean }[]
  /** Base of the sole winner's discount: the reference price, the budget, or none. */
  readonly against: 'reference' | 'budget' | null
  readonly rows: readonly CsvRow[]
}

/** Parses digits instead of using floating point: 1308608.32 * 100 is not an integer. */
function satang(text: string | undefined): number | null {
  if (!text) return null
  const [baht, decimals = ''] = text.split('.')
  return Number(baht) * 100 + Number(`${decimals}00`.slice(0, 2))
}

const letters = (text: string) => text.replaceAll('\u0e4d\u0e32', '\u0e33').replace(/[\s.]/g, '').toLowerCase()
const isPerson = (row: CsvRow) => row.winner.startsWith('บุคคลธรรมดา-')

function companyOf(row: CsvRow): string | undefined {
  if (/^[0D]\d{12}$/.test(row.winner_tin) && !/^0+$/.test(row.winner_tin)) return row.winner_tin
  const name = letters(row.winner)
  return name === '' ? undefined : name
}

/** Names the agency of each row: the name alone when all rows of the file with it state one province. */
function agenciesOf(rows: readonly CsvRow[]): (row: CsvRow) => string {
  const provinces = new Map<string, Set<string>>()
  for (const { dept_name: name, province } of rows)
    if (/^(องค์การบริหารส่วน|เทศบาล|อบต|อบจ|ศูนย์พัฒนาเด็ก|โรงเรียน)/.test(name) && province !== '')
      provinces.set(name, (provinces.get(name) ?? new Set()).add(province))
  return ({ dept_name: name, province }) => {
    if ((provinces.get(name)?.size ?? 0) < 2) return name
    return province === '' ? `${name} (ไม่ทราบจังหวัด)` : `${name} จ.${province}`
  }
}

export function recomputeProjects(rows: readonly CsvRow[]): RecomputedProject[] {
  const agencyOf = agenciesOf(rows)
  return [...Map.groupBy(rows, ({ project_id }) => project_id).values()].map((contracts) => {
    const last = contracts.at(-1)!
    const total = satang(last.sum_price_agree)
    const parties = new Set(contracts.map(companyOf))
    const amounts = contracts.map((row) => satang(row.contract_price_agree))
    const knownAmounts = amounts.flatMap((amount) => amount ?? [])
    const sum = knownAmounts.reduce((a, b) => a + b, 0)
    const reference = satang(last.price_build)
    const budget = satang(last.project_money)
    const base = reference ?? budget
    const wins = [...parties].flatMap((company) => {
      const wonRows = contracts.filter((row) => companyOf(row) === company)
      if (company === undefined || wonRows.every(isPerson)) return []
      const parts = wonRows.map((row) => satang(row.contract_price_agree))
      const isSoleParty = parties.size === 1
      const value = parts.every((part) => part !== null)
        ? parts.reduce((a, b) => a! + b!, 0)
        : isSoleParty
          ? total
          : null
      const isPriced = isSoleParty && value !== null && (total === null || total === value) && base !== null && base > 0
      return [{ company, value, isPriced }]
    })
    const signed = contracts.flatMap(({ contract_date }) => contract_date || []).sort()
    return {
      id: last.project_id,
      name: last.project_name,
      method: last.purchase_method_name,
      dept: agencyOf(last),
      year: Number(last.budget_year),
      budget,
      reference,
      spent:
        knownAmounts.length === amounts.length ? sum : knownAmounts.length === 0 ? total : Math.max(total ?? 0, sum),
      decidedOn: signed[0] ?? null,
      wins,
      against: wins.some(({ isPriced }) => isPriced) ? (reference === null ? 'budget' : 'reference') : null,
      rows: contracts,
    }
  })
}

/**
 * True if the name contains the word, ignoring blanks, unless a vowel or tone mark follows its last letter: รถ is not
 * in การถู.
 */
export function holdsWord({ name }: Pick<RecomputedProject, 'name'>, word: string): boolean {
  const parts = letters(name).split(letters(word))
  return parts.slice(1).some((following) => !/^[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]/.test(following))
}

const rounded = (share: number) => Math.round(share * 10_000) / 10_000
function quartile(sorted: readonly number[], part: number): number | null {
  if (sorted.length < 5) return null
  const position = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!]
  return rounded(low + (high - low) * (position - Math.floor(position)))
}

const sum = (values: readonly (number | null)[]) => {
  const knownValues = values.filter((value) => value !== null)
  return knownValues.length === 0 ? null : knownValues.reduce((a, b) => a + b, 0)
}

function sums<T>(of: readonly T[], keyOf: (item: T) => string, amountOf: (item: T) => number | null): string[] {
  return [...Map.groupBy(of, keyOf)].map(([key, group]) => `${key} ${group.length} ${sum(group.map(amountOf))}`).sort()
}

export function recomputeFigures(projects: readonly RecomputedProject[]): Record<string, unknown> {
  const won = projects.filter(({ wins }) => wins.length > 0)
  const wins = won.flatMap((project) => project.wins.map((win) => ({ ...win, project })))
  const priced = wins.filter(({ isPriced, project }) => isPriced && project.against === 'reference')
  const rate = ({ value, project }: (typeof priced)[number]) => (project.reference! - value!) / project.reference!
  const rates = priced.map(rate).sort((a, b) => a - b)
  const companies = [...Map.groupBy(wins, ({ company }) => company)].map(([company, companyWins]) => {
    const companyRates = priced
      .filter((win) => win.company === company)
      .map(rate)
      .sort((a, b) => a - b)
    return `${companyWins.length} ${sum(companyWins.map(({ value }) => value))} ${companyRates.length} ${quartile(companyRates, 0.5)}`
  })
  return {
    projects: projects.length,
    decided: projects.length,
    won: won.length,
    value: sum(projects.map(({ spent }) => spent)),
    winners: new Set(wins.map(({ company }) => company)).size,
    against_budget: projects.filter(({ against }) => against === 'budget').length,
    discount: [rates.length, ...[0.25, 0.5, 0.75].map((part) => quartile(rates, part))].join(' '),
    bins: Array.from(
      { length: 17 },
      (_, bin) =>
        priced.filter(({ value, project }) => {
          const saved = BigInt(project.reference!) - BigInt(value!)
          if (saved < 0n) return bin === 0
          const step = Number((saved * 50n) / BigInt(project.reference!))
          return Math.min(15, step) + 1 === bin
        }).length,
    ).join(' '),
    companies: won.length < 5 ? [] : companies.sort(),
    agencies: sums(
      projects,
      ({ dept }) => dept,
      ({ spent }) => spent,
    ),
    years: sums(
      projects,
      ({ year }) => String(year),
      ({ spent }) => spent,
    ),
    methods: sums(
      projects,
      ({ method }) => method,
      ({ spent }) => spent,
    )
      .map((line) => line.slice(line.lastIndexOf(' ', line.lastIndexOf(' ') - 1) + 1))
      .sort(),
    months: sums(
      [
        ...Map.groupBy(
          wins.filter(({ project }) => project.decidedOn !== null),
          ({ project }) => project,
        ),
      ],
      ([project]) => project.decidedOn!.slice(0, 7),
      ([, monthWins]) => sum(monthWins.map(({ value }) => value)),
    ),
  }
}

export const satangOf = (baht: number | null) => (baht === null ? null : Math.round(baht * 100))
/** `key n satang` of each row of an answer. */
export const lines = (of: readonly { n: number; value: number | null }[], keyOf: (at: number) => string) =>
  of.map(({ n, value }, at) => `${keyOf(at)}${n} ${satangOf(value)}`).sort()

/**
 * Returns the names of figures that differ. A list that the answer cuts at fifty may only contain recomputed lines; all
 * others must be equal.
 */
export function differences(expected: Record<string, unknown>, answered: Record<string, unknown>): string[] {
  return Object.keys(expected).filter((name) => {
    const [expectedValue, answeredValue] = [expected[name], answered[name]]
    if (!Array.isArray(expectedValue) || !Array.isArray(answeredValue)) return !Object.is(expectedValue, answeredValue)
    if (expectedValue.length <= 50 || name === 'months')
      return JSON.stringify(expectedValue.slice(-36)) !== JSON.stringify(answeredValue.slice(-36))
    const left = [...expectedValue]
    return (
      answeredValue.length !== 50 ||
      answeredValue.some((line) => left.splice(left.indexOf(line), left.includes(line) ? 1 : 0).length === 0)
    )
  })
}
