import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'

/**
 * Wins of a company in a file of CGD contracts, computed from the file alone without any code of the feed, the load or
 * the company figures. Money is in whole satang.
 */
export type ExpectedCompany = {
  readonly taxId: string | undefined
  readonly name: string
  readonly wins: number
  readonly value: number
  readonly years: ReadonlyMap<number, Sum>
  readonly departments: ReadonlyMap<string, Sum>
  readonly methods: ReadonlyMap<string, Sum>
  readonly discount: ExpectedDiscount
  readonly againstBudget: ExpectedDiscount
}
export type Sum = { wins: number; value: number }
export type ExpectedDiscount = { readonly n: number; readonly weighted: number | null; readonly median: number | null }

export type CsvRow = Readonly<
  Record<
    | 'project_id'
    | 'project_name'
    | 'contract_date'
    | 'dept_name'
    | 'province'
    | 'purchase_method_name'
    | 'project_money'
    | 'price_build'
    | 'sum_price_agree'
    | 'budget_year'
    | 'winner_tin'
    | 'winner'
    | 'contract_price_agree',
    string
  >
>
type Award = {
  readonly company: string
  readonly value: number | null
  readonly base: number | null
  readonly isAgainstBudget: boolean
  readonly project: CsvRow
}

export function readCsv(file: string): CsvRow[] {
  return parse(gunzipSync(readFileSync(file)), { columns: true, bom: true }) as CsvRow[]
}

/** Parses digits, because in floating point 1308608.32 * 100 is not a whole number. */
function satang(text: string | undefined): number | null {
  if (!text) return null
  const [baht, decimals = ''] = text.split('.')
  return Number(baht) * 100 + Number(`${decimals}00`.slice(0, 2))
}

/** A masked id, or one beginning with 1–8, is a person's, whatever the name. */
const isPerson = ({ winner, winner_tin: tin }: CsvRow) =>
  winner.startsWith('บุคคลธรรมดา-') || /x/i.test(tin) || /^[1-8]\d{12}$/.test(tin)
/**
 * Returns the tax id, or else the name without blanks and dots. In this file no two legal forms share a name without
 * tax ids.
 */
function companyOf(row: CsvRow): string | undefined {
  const tin = row.winner_tin
  if (/^(0\d{12}|D\d{12})$/.test(tin) && !/^0+$/.test(tin)) return tin
  const name = row.winner.replaceAll('\u0e4d\u0e32', '\u0e33').replace(/[\s.]/g, '').toLowerCase()
  return name === '' ? undefined : name
}

/** Returns all companies of the rows; natural persons are excluded. */
export function expectedCompanies(rows: readonly CsvRow[]): ExpectedCompany[] {
  const awards: Award[] = []
  for (const contracts of Map.groupBy(rows, (row) => row.project_id).values()) awards.push(...awardsOf(contracts))
  return [...Map.groupBy(awards, (award) => award.company)].map(([company, won]) => {
    const rate = (isAgainstBudget: boolean) =>
      discountOf(won.filter((award) => award.base !== null && award.isAgainstBudget === isAgainstBudget))
    return {
      taxId: /^[0D]\d{12}$/.test(company) ? company : undefined,
      name: won[0]!.project.winner,
      wins: won.length,
      value: won.reduce((sum, award) => sum + (award.value ?? 0), 0),
      years: sumsBy(won, (award) => Number(award.project.budget_year)),
      departments: sumsBy(won, (award) => award.project.dept_name),
      methods: sumsBy(won, (award) => award.project.purchase_method_name),
      discount: rate(false),
      againstBudget: rate(true),
    }
  })
}

/**
 * Returns the awards of a project from its rows, which are its contracts. A company with at least one contract has won
 * the project once.
 */
function awardsOf(contracts: readonly CsvRow[]): Award[] {
  const last = contracts.at(-1)!
  const everybody = new Set(contracts.map(companyOf))
  const total = satang(last.sum_price_agree)
  return [...everybody].flatMap((company): Award[] => {
    const companyRows = contracts.filter((row) => companyOf(row) === company)
    if (company === undefined || companyRows.every(isPerson)) return []
    const amounts = companyRows.map((row) => satang(row.contract_price_agree))
    const areAllKnown = amounts.every((amount) => amount !== null)
    const isSoleCompany = everybody.size === 1
    const value = areAllKnown ? amounts.reduce((sum, amount) => sum + amount!, 0) : isSoleCompany ? total : null
    const isAgainstBudget = !last.price_build
    const base = satang(isAgainstBudget ? last.project_money : last.price_build)
    const isMeasured =
      isSoleCompany && value !== null && (total === null || total === value) && base !== null && base > 0
    return [{ company, value, base: isMeasured ? base : null, isAgainstBudget, project: companyRows[0]! }]
  })
}

function sumsBy<K>(awards: readonly Award[], keyOf: (award: Award) => K): Map<K, Sum> {
  const sums = new Map<K, Sum>()
  for (const award of awards) {
    const sum = sums.get(keyOf(award)) ?? { wins: 0, value: 0 }
    sums.set(keyOf(award), { wins: sum.wins + 1, value: sum.value + (award.value ?? 0) })
  }
  return sums
}

const rounded = (share: number) => Math.round(share * 10_000) / 10_000

function discountOf(awards: readonly Award[]): ExpectedDiscount {
  const n = awards.length
  if (n === 0) return { n, weighted: null, median: null }
  const base = awards.reduce((sum, award) => sum + award.base!, 0)
  const won = awards.reduce((sum, award) => sum + award.value!, 0)
  const rates = awards.map((award) => (award.base! - award.value!) / award.base!).sort((a, b) => a - b)
  const median = (rates[Math.floor((n - 1) / 2)]! + rates[Math.ceil((n - 1) / 2)]!) / 2
  return { n, weighted: rounded((base - won) / base), median: rounded(median) }
}
