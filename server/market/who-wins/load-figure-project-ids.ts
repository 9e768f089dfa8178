import { isInPriceBand, REFERENCE_PRICE_BANDS } from '#contract/catalogue/discount.ts'
import { findProvinceByCode, findProvinceByName, REGIONS } from '#contract/thai/province.ts'
import {
  BIDDER_COVERAGE_MASK,
  COMPANY_FACT_AGAINST_BUDGET_FLAG,
  COMPANY_FACT_WINNER_FLAG,
  MISSING_DAY_NUMBER,
} from '#server/market/company/memory/company-fact-columns.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { AwardSet, SearchAwardSet } from './award-set.ts'
import { getReferencePriceBin, getReferencePriceBinStart } from './discount-bins.ts'
import { dayToMonthNumber, formatMonthNumber } from './month-number.ts'
import { loadAgencyUnitIds, loadProcurementMethodNames, loadTerminatedProjectIds } from './queries.ts'
import { takeHighestNumbers } from './rank-companies.ts'
import { parseUnusualAwardPatternFigure } from './signs/sign-rows.ts'

const ROWS_PER_SLICE = 200_000

type FactTest = (fact: number) => boolean
type SpendingTest = (row: number) => boolean

type Figure = { readonly units?: ReadonlySet<number> | undefined } & (
  | { readonly facts: FactTest }
  | { readonly decided: SpendingTest }
)

async function readFigure(db: Db, awards: AwardSet, text: string): Promise<Figure | undefined> {
  const { columns, spending } = awards
  const { flags, base, value, company, decidedOn } = columns
  const isWin = (fact: number) => (flags[fact]! & COMPANY_FACT_WINNER_FLAG) !== 0
  const isPriced = (fact: number) =>
    !Number.isNaN(base[fact]!) && (flags[fact]! & COMPANY_FACT_AGAINST_BUDGET_FLAG) === 0
  const at = text.indexOf(':')
  const [kind, parameter] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  switch (kind) {
    case 'decided':
      return { decided: () => true }
    case 'won':
      return { facts: isWin }
    case 'priced':
      return { facts: isPriced }
    case 'against_budget':
      return { facts: (fact) => !Number.isNaN(base[fact]!) && (flags[fact]! & COMPANY_FACT_AGAINST_BUDGET_FLAG) !== 0 }
    case 'bidders':
      return { facts: (fact) => (flags[fact]! & BIDDER_COVERAGE_MASK) > 0 }
    case 'company': {
      const number = /^\d{1,9}$/.test(parameter) ? columns.companyIds.indexOf(Number(parameter)) : -1
      return { facts: (fact) => company[fact] === number && isWin(fact) }
    }
    case 'month':
      return /^\d{4}-\d{2}$/.test(parameter)
        ? {
            facts: (fact) =>
              isWin(fact) &&
              decidedOn[fact] !== MISSING_DAY_NUMBER &&
              formatMonthNumber(dayToMonthNumber(decidedOn[fact]!)) === parameter,
          }
        : undefined
    case 'calendar_month':
      return /^([1-9]|1[012])$/.test(parameter)
        ? {
            facts: (fact) =>
              isWin(fact) &&
              decidedOn[fact] !== MISSING_DAY_NUMBER &&
              dayToMonthNumber(decidedOn[fact]!) % 12 === Number(parameter) - 1,
          }
        : undefined
    case 'discount': {
      const bin = Array.from({ length: 17 }, (_, number) => number).find(
        (number) => String(getReferencePriceBinStart(number) ?? 'below') === parameter,
      )
      return bin === undefined
        ? undefined
        : { facts: (fact) => isPriced(fact) && getReferencePriceBin(base[fact]!, value[fact]!) === bin }
    }
    case 'band': {
      const band = REFERENCE_PRICE_BANDS.find(({ from, to }) => `${from ?? ''}-${to ?? ''}` === parameter)
      return band && { facts: (fact) => isPriced(fact) && isInPriceBand(base[fact]!, band) }
    }
    case 'agency': {
      const units = await loadAgencyUnitIds(db, parameter)
      return { decided: (row) => units.has(spending.department[row]!) }
    }
    case 'year':
      return /^\d{1,4}$/.test(parameter) ? { decided: (row) => spending.year[row] === Number(parameter) } : undefined
    case 'method': {
      const [number] = [...(await loadProcurementMethodNames(db))].find(([, method]) => method === parameter) ?? []
      return { decided: (row) => spending.method[row] === number }
    }
    case 'province': {
      const code = parameter === '' ? 0 : findProvinceByName(parameter)?.code
      return code === undefined ? undefined : { decided: (row) => spending.province[row] === code }
    }
    case 'region': {
      const region = REGIONS.find(({ code }) => code === parameter)?.code
      return region && { decided: (row) => findProvinceByCode(spending.province[row]!)?.region === region }
    }
    default:
      return undefined
  }
}

/**
 * `total` counts the distinct projects behind a figure; `ids` are the first of them, newest first (later projects have
 * higher ids).
 */
export type FigureProjectIds = { readonly total: number; readonly ids: string[] }

export async function loadFigureProjectIds(
  db: Db,
  awards: SearchAwardSet,
  text: string,
  limit: number,
): Promise<FigureProjectIds | undefined> {
  if (text === 'found') {
    const orders = takeHighestNumbers(awards.matchedOrders(), limit)
    return { total: awards.found, ids: orders.map(awards.idOfOrder) }
  }
  if (text === 'terminated') {
    const ids = (await loadTerminatedProjectIds(db)).filter(awards.isMatched)
    return { total: ids.length, ids: ids.slice(0, limit) }
  }
  return await loadAwardProjectIds(db, awards, text, limit)
}

export async function loadAwardProjectIds(
  db: Db,
  awards: AwardSet,
  text: string,
  limit: number,
): Promise<FigureProjectIds | undefined> {
  const at = Math.max(text.indexOf(':'), 0)
  const figure =
    (await readFigure(db, awards, text)) ??
    (await parseUnusualAwardPatternFigure(db, awards, text.slice(0, at), text.slice(at + 1)))
  return figure && (await figureIds(awards, figure, limit))
}

async function figureIds(awards: AwardSet, figure: Figure, limit: number): Promise<FigureProjectIds> {
  const { units } = figure
  if ('facts' in figure) {
    const facts = units ? rowsOfUnits(awards, 'facts', units) : awards.facts
    return await projectIdsOfFacts({ ...awards, facts }, figure.facts, limit)
  }
  const decided = units ? rowsOfUnits(awards, 'decided', units) : awards.decided
  return await projectIdsOfDecided({ ...awards, decided }, figure.decided, limit)
}

async function projectIdsOfFacts(awards: AwardSet, isOf: FactTest, limit: number): Promise<FigureProjectIds> {
  const { facts, columns } = awards
  // One byte per project, because a Set of 700,000 numbers took half a second.
  const isSeen = new Uint8Array(awards.projectCount)
  const orders: number[] = []
  for (let at = 0; at < facts.length; at += 1) {
    const fact = facts[at]!
    const project = columns.project[fact]!
    if (isSeen[project] === 0 && isOf(fact)) {
      isSeen[project] = 1
      orders.push(awards.orderOfFact(fact))
    }
    if (at % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
  }
  return { total: orders.length, ids: takeHighestNumbers(orders, limit).map(awards.idOfOrder) }
}

async function projectIdsOfDecided(awards: AwardSet, isOf: SpendingTest, limit: number): Promise<FigureProjectIds> {
  let total = 0
  const ids: string[] = []
  for (let at = awards.decided.length - 1; at >= 0; at -= 1) {
    const row = awards.decided[at]!
    if (isOf(row)) {
      total += 1
      if (ids.length < limit) ids.push(awards.idOfSpending(row))
    }
    if (at % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
  }
  return { total, ids }
}

/** `rows` ordered by unit; those of unit `u` are at `starts[u]` up to `starts[u + 1]`, in their original order. */
type RowsByUnit = { readonly starts: Int32Array; readonly rows: Int32Array }
/**
 * Facts and decided projects of one query, grouped by purchasing unit. Cached, because a workbook lists the projects of
 * a hundred signs, each of which covers a few units.
 */
const groupedOf = { facts: new WeakMap<Int32Array, RowsByUnit>(), decided: new WeakMap<Int32Array, RowsByUnit>() }

function rowsOfUnits(awards: AwardSet, source: 'facts' | 'decided', units: ReadonlySet<number>): Int32Array {
  const rows = awards[source]
  const { department } = source === 'facts' ? awards.columns : awards.spending
  const grouped = groupedOf[source].get(rows) ?? groupByUnit(rows, department)
  groupedOf[source].set(rows, grouped)
  const { starts } = grouped
  return Int32Array.from(
    [...units].flatMap((unit) => [...grouped.rows.subarray(starts[unit] ?? 0, starts[unit + 1] ?? 0)]),
  ).sort()
}

function groupByUnit(rows: Int32Array, department: Int32Array): RowsByUnit {
  const lastUnit = rows.reduce((last, row) => Math.max(last, department[row]!), 0)
  const starts = new Int32Array(lastUnit + 2)
  for (const row of rows) starts[department[row]! + 1]! += 1
  for (let unit = 0; unit <= lastUnit; unit += 1) starts[unit + 1]! += starts[unit]!
  const next = starts.slice()
  const grouped = new Int32Array(rows.length)
  for (const row of rows) grouped[next[department[row]!]!++] = row
  return { starts, rows: grouped }
}
