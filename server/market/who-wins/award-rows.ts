import { isInSizeBand, SIZE_BANDS } from '#contract/catalogue/discount.ts'
import { provinceCoded, provinceNamed, REGIONS } from '#contract/thai/province.ts'
import { COVERAGE, IS_AGAINST_BUDGET, IS_WINNER, NO_DAY } from '#server/market/company/memory/fact-columns.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { Awarded, Awards } from './awards.ts'
import { binFrom, binOf } from './discounts.ts'
import { monthOf, monthText } from './month-number.ts'
import { methodTexts, terminatedProjects, unitsOf } from './queries.ts'
import { highest } from './rank-companies.ts'
import { readSignFigure } from './signs/sign-rows.ts'

const ROWS_A_TURN = 200_000

type FactTest = (fact: number) => boolean
type SpendingTest = (place: number) => boolean

type Figure = { readonly units?: ReadonlySet<number> | undefined } & (
  | { readonly facts: FactTest }
  | { readonly decided: SpendingTest }
)

/** Returns undefined when the text names no figure (contract/market/who-wins.ts). */
async function readFigure(db: Db, awards: Awarded, text: string): Promise<Figure | undefined> {
  const { columns, spending } = awards
  const { flags, base, value, company, decidedOn } = columns
  const isWin = (fact: number) => (flags[fact]! & IS_WINNER) !== 0
  const isPriced = (fact: number) => !Number.isNaN(base[fact]!) && (flags[fact]! & IS_AGAINST_BUDGET) === 0
  const at = text.indexOf(':')
  const [kind, named] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  switch (kind) {
    case 'decided':
      return { decided: () => true }
    case 'won':
      return { facts: isWin }
    case 'priced':
      return { facts: isPriced }
    case 'against_budget':
      return { facts: (fact) => !Number.isNaN(base[fact]!) && (flags[fact]! & IS_AGAINST_BUDGET) !== 0 }
    case 'bidders':
      return { facts: (fact) => (flags[fact]! & COVERAGE) > 0 }
    case 'company': {
      const number = /^\d{1,9}$/.test(named) ? columns.companyIds.indexOf(Number(named)) : -1
      return { facts: (fact) => company[fact] === number && isWin(fact) }
    }
    case 'month':
      return /^\d{4}-\d{2}$/.test(named)
        ? {
            facts: (fact) =>
              isWin(fact) && decidedOn[fact] !== NO_DAY && monthText(monthOf(decidedOn[fact]!)) === named,
          }
        : undefined
    case 'calendar_month':
      return /^([1-9]|1[012])$/.test(named)
        ? {
            facts: (fact) =>
              isWin(fact) && decidedOn[fact] !== NO_DAY && monthOf(decidedOn[fact]!) % 12 === Number(named) - 1,
          }
        : undefined
    case 'discount': {
      const bin = Array.from({ length: 17 }, (_, number) => number).find(
        (number) => String(binFrom(number) ?? 'below') === named,
      )
      return bin === undefined
        ? undefined
        : { facts: (fact) => isPriced(fact) && binOf(base[fact]!, value[fact]!) === bin }
    }
    case 'band': {
      const band = SIZE_BANDS.find(({ from, to }) => `${from ?? ''}-${to ?? ''}` === named)
      return band && { facts: (fact) => isPriced(fact) && isInSizeBand(base[fact]!, band) }
    }
    case 'agency': {
      const units = await unitsOf(db, named)
      return { decided: (place) => units.has(spending.department[place]!) }
    }
    case 'year':
      return /^\d{1,4}$/.test(named) ? { decided: (place) => spending.year[place] === Number(named) } : undefined
    case 'method': {
      const [number] = [...(await methodTexts(db))].find(([, method]) => method === named) ?? []
      return { decided: (place) => spending.method[place] === number }
    }
    case 'province': {
      const code = named === '' ? 0 : provinceNamed(named)?.code
      return code === undefined ? undefined : { decided: (place) => spending.province[place] === code }
    }
    case 'region': {
      const region = REGIONS.find(({ code }) => code === named)?.code
      return region && { decided: (place) => provinceCoded(spending.province[place]!)?.region === region }
    }
    default:
      return undefined
  }
}

/** Number of distinct projects of a figure and the first of them, newest first (later projects have higher ids). */
export type FigureIds = { readonly total: number; readonly ids: string[] }

/** Returns the first `most` projects behind a figure of a search. Undefined when the text names no figure. */
export async function idsOfFigure(db: Db, awards: Awards, text: string, most: number): Promise<FigureIds | undefined> {
  if (text === 'found') {
    const orders = highest(awards.foundOrders(), most)
    return { total: awards.found, ids: orders.map(awards.idOfOrder) }
  }
  if (text === 'terminated') {
    const ids = (await terminatedProjects(db)).filter(awards.isFound)
    return { total: ids.length, ids: ids.slice(0, most) }
  }
  return await idsOfAwarded(db, awards, text, most)
}

export async function idsOfAwarded(
  db: Db,
  awards: Awarded,
  text: string,
  most: number,
): Promise<FigureIds | undefined> {
  const at = Math.max(text.indexOf(':'), 0)
  const figure =
    (await readFigure(db, awards, text)) ?? (await readSignFigure(db, awards, text.slice(0, at), text.slice(at + 1)))
  return figure && (await idsWith(awards, figure, most))
}

async function idsWith(awards: Awarded, figure: Figure, most: number): Promise<FigureIds> {
  const { units } = figure
  if ('facts' in figure) {
    const facts = units ? byUnits(awards, 'facts', units) : awards.facts
    return await projectsOfFacts({ ...awards, facts }, figure.facts, most)
  }
  const decided = units ? byUnits(awards, 'decided', units) : awards.decided
  return await projectsDecided({ ...awards, decided }, figure.decided, most)
}

async function projectsOfFacts(awards: Awarded, isOf: FactTest, most: number): Promise<FigureIds> {
  const { facts, columns } = awards
  const counted = new Set<number>()
  const orders: number[] = []
  for (let at = 0; at < facts.length; at += 1) {
    const fact = facts[at]!
    if (isOf(fact) && !counted.has(columns.project[fact]!)) {
      counted.add(columns.project[fact]!)
      orders.push(awards.orderOfFact(fact))
    }
    if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
  }
  return { total: orders.length, ids: highest(orders, most).map(awards.idOfOrder) }
}

async function projectsDecided(awards: Awarded, isOf: SpendingTest, most: number): Promise<FigureIds> {
  let total = 0
  const ids: string[] = []
  // Rows are in id order, so the highest ids are last.
  for (let at = awards.decided.length - 1; at >= 0; at -= 1) {
    const place = awards.decided[at]!
    if (isOf(place)) {
      total += 1
      if (ids.length < most) ids.push(awards.idOfSpending(place))
    }
    if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
  }
  return { total, ids }
}

type Grouped = ReadonlyMap<number, readonly number[]>
/**
 * Facts and decided projects of one query, grouped by purchasing unit: a workbook opens a hundred signs of a few units
 * each.
 */
const groupedOf = { facts: new WeakMap<Int32Array, Grouped>(), decided: new WeakMap<Int32Array, Grouped>() }

function byUnits(awards: Awarded, which: 'facts' | 'decided', units: ReadonlySet<number>): Int32Array {
  const places = awards[which]
  const { department } = which === 'facts' ? awards.columns : awards.spending
  const grouped = groupedOf[which].get(places) ?? groupBy(places, department)
  groupedOf[which].set(places, grouped)
  return Int32Array.from([...units].flatMap((unit) => grouped.get(unit) ?? [])).sort()
}

function groupBy(places: Int32Array, department: Int32Array): Grouped {
  const grouped = new Map<number, number[]>()
  for (const place of places) {
    const unit = department[place]!
    const known = grouped.get(unit)
    if (known) known.push(place)
    else grouped.set(unit, [place])
  }
  return grouped
}
