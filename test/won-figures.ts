import type { CsvRow } from './company-figures.ts'

/**
 * Who wins, by a file of CGD contracts, computed from the file alone: no line of the feed, the load, the companies or the view is used. Money is whole satang.
 */
export type OwnProject = {
  readonly id: string
  readonly name: string
  readonly method: string
  /** The agency: local bodies of one name in several provinces are several, named with the province. */
  readonly dept: string
  readonly year: number
  readonly budget: number | null
  readonly reference: number | null
  /** What it cost; null: unknown. */
  readonly spent: number | null
  /** First signature, ISO; null: unknown. */
  readonly decidedOn: string | null
  readonly wins: readonly { readonly company: string; readonly value: number | null; readonly isPriced: boolean }[]
  /** Of the one winner: held against the reference price, against the budget, or not at all. */
  readonly against: 'reference' | 'budget' | null
  readonly rows: readonly CsvRow[]
}

/** Digits, not floating point: 1308608.32 * 100 is no whole number. */
function satang(text: string | undefined): number | null {
  if (!text) return null
  const [baht, rest = ''] = text.split('.')
  return Number(baht) * 100 + Number(`${rest}00`.slice(0, 2))
}

const letters = (text: string) => text.replaceAll('\u0e4d\u0e32', '\u0e33').replace(/[\s.]/g, '').toLowerCase()
const isPerson = (row: CsvRow) => row.winner.startsWith('บุคคลธรรมดา-')

function companyOf(row: CsvRow): string | undefined {
  if (/^[0D]\d{12}$/.test(row.winner_tin) && !/^0+$/.test(row.winner_tin)) return row.winner_tin
  const name = letters(row.winner)
  return name === '' ? undefined : name
}

/** What each row's agency is called; the name alone where all of the file's rows with it state one province. */
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

/** The projects of a file: its rows are their contracts. */
export function ownProjects(rows: readonly CsvRow[]): OwnProject[] {
  const agencyOf = agenciesOf(rows)
  return [...Map.groupBy(rows, ({ project_id }) => project_id).values()].map((contracts) => {
    const last = contracts.at(-1)!
    const total = satang(last.sum_price_agree)
    const parties = new Set(contracts.map(companyOf))
    const amounts = contracts.map((row) => satang(row.contract_price_agree))
    const known = amounts.flatMap((amount) => amount ?? [])
    const sum = known.reduce((a, b) => a + b, 0)
    const reference = satang(last.price_build)
    const budget = satang(last.project_money)
    const base = reference ?? budget
    const wins = [...parties].flatMap((company) => {
      const own = contracts.filter((row) => companyOf(row) === company)
      if (company === undefined || own.every(isPerson)) return []
      const parts = own.map((row) => satang(row.contract_price_agree))
      const isAlone = parties.size === 1
      const value = parts.every((part) => part !== null) ? parts.reduce((a, b) => a! + b!, 0) : isAlone ? total : null
      const isPriced = isAlone && value !== null && (total === null || total === value) && base !== null && base > 0
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
      spent: known.length === amounts.length ? sum : known.length === 0 ? total : Math.max(total ?? 0, sum),
      decidedOn: signed[0] ?? null,
      wins,
      against: wins.some(({ isPriced }) => isPriced) ? (reference === null ? 'budget' : 'reference') : null,
      rows: contracts,
    }
  })
}

/** Whether a name holds a word, blanks aside, that ends where no vowel or tone belongs to its last letter: รถ is not in การถู. */
export function holdsWord({ name }: Pick<OwnProject, 'name'>, word: string): boolean {
  const parts = letters(name).split(letters(word))
  return parts.slice(1).some((rest) => !/^[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]/.test(rest))
}

const rounded = (share: number) => Math.round(share * 10_000) / 10_000
function quartile(sorted: readonly number[], part: number): number | null {
  if (sorted.length < 5) return null
  const place = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return rounded(low + (high - low) * (place - Math.floor(place)))
}

const sum = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0)
}

/** Lines by key: `n value`. */
function sums<T>(of: readonly T[], keyOf: (one: T) => string, amountOf: (one: T) => number | null): string[] {
  return [...Map.groupBy(of, keyOf)].map(([key, own]) => `${key} ${own.length} ${sum(own.map(amountOf))}`).sort()
}

/** The figures of a question, as texts of names and whole numbers. */
export function ownFigures(projects: readonly OwnProject[]): Record<string, unknown> {
  const won = projects.filter(({ wins }) => wins.length > 0)
  const wins = won.flatMap((project) => project.wins.map((win) => ({ ...win, project })))
  const priced = wins.filter(({ isPriced, project }) => isPriced && project.against === 'reference')
  const rate = ({ value, project }: (typeof priced)[number]) => (project.reference! - value!) / project.reference!
  const rates = priced.map(rate).sort((a, b) => a - b)
  const companies = [...Map.groupBy(wins, ({ company }) => company)].map(([company, own]) => {
    const mine = priced
      .filter((one) => one.company === company)
      .map(rate)
      .sort((a, b) => a - b)
    return `${own.length} ${sum(own.map(({ value }) => value))} ${mine.length} ${quartile(mine, 0.5)}`
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
      ([, own]) => sum(own.map(({ value }) => value)),
    ),
  }
}

/** Whole satang of an answer's baht. */
export const satangOf = (baht: number | null) => (baht === null ? null : Math.round(baht * 100))
/** `key n satang` of each row of an answer. */
export const lines = (of: readonly { n: number; value: number | null }[], keyOf: (at: number) => string) =>
  of.map(({ n, value }, at) => `${keyOf(at)}${n} ${satangOf(value)}`).sort()

/** Names of the figures that differ. Lists that the answer cuts at fifty hold nothing but lines of the file; all others are the same. */
export function differences(own: Record<string, unknown>, theirs: Record<string, unknown>): string[] {
  return Object.keys(own).filter((name) => {
    const [mine, shown] = [own[name], theirs[name]]
    if (!Array.isArray(mine) || !Array.isArray(shown)) return !Object.is(mine, shown)
    if (mine.length <= 50 || name === 'months')
      return JSON.stringify(mine.slice(-36)) !== JSON.stringify(shown.slice(-36))
    const left = [...mine]
    return (
      shown.length !== 50 ||
      shown.some((line) => left.splice(left.indexOf(line), left.includes(line) ? 1 : 0).length === 0)
    )
  })
}
