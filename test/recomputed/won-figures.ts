import type { CsvRow } from '../company-figures.ts'

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
  /** Total price of the project; null if unknown. */
  readonly spent: number | null
  /** ISO day of the first signature; null if unknown. */
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

/**
 * Returns a function that names the agency of a row. The name has no province if all rows with the same name are in one
 * province.
 */
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
export function containsWord({ name }: Pick<RecomputedProject, 'name'>, word: string): boolean {
  const parts = letters(name).split(letters(word))
  return parts.slice(1).some((following) => !/^[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]/.test(following))
}
