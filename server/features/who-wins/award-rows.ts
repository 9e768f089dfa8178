import { isInSizeBand, SIZE_BANDS } from '#contract/company/discount.ts'
import { provinceCoded, provinceNamed, REGIONS } from '#contract/project/province.ts'
import type { Db } from '#server/engine/db.ts'
import { yieldToEventLoop } from '#server/engine/deadline.ts'
import { COVERAGE, IS_AGAINST_BUDGET, IS_WINNER, NO_DAY } from '#server/features/company/memory/fact-columns.ts'
import type { Awarded, Awards } from './awards.ts'
import { binFrom, binOf } from './discounts.ts'
import { monthOf, monthText } from './month-number.ts'
import { methodTexts, terminatedProjects, unitsOf } from './queries.ts'
import { topOf } from './rank-companies.ts'
import { readSignFigure } from './signs/sign-rows.ts'

const ROWS_A_TURN = 200_000

type FactTest = (fact: number) => boolean
type SpendingTest = (place: number) => boolean

/** The projects behind a figure of the answer: those of facts or of decided projects that meet a test. */
type Figure = { readonly facts: FactTest } | { readonly decided: SpendingTest }

/** Reads `rows` (contract/report/who-wins.ts); undefined when it names no figure. */
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

/** Projects of a figure: how many, each once, and the first of them, the highest number first, because later projects have higher ones. */
export type FigureIds = { readonly total: number; readonly ids: string[] }

// Ids come by their numbers for the most part: from behind, the first are those to keep.
const highestOf = (ids: ReadonlySet<string>, most: number): FigureIds => ({
  total: ids.size,
  ids: topOf([...ids].reverse(), most, (a, b) => (a < b ? 1 : -1)),
})

/** The projects behind a figure of what a search finds, the first `most` of them. Undefined when the text names no figure. */
export async function idsOfFigure(db: Db, awards: Awards, text: string, most: number): Promise<FigureIds | undefined> {
  if (text === 'found') return highestOf(new Set(awards.foundIds()), most)
  if (text === 'terminated') {
    const ids = (await terminatedProjects(db)).filter(awards.isFound)
    return { total: ids.length, ids: ids.slice(0, most) }
  }
  return await idsOfAwarded(db, awards, text, most)
}

/** The same of what was awarded alone: figures that need no more. */
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
  const ids = new Set<string>()
  if ('facts' in figure) {
    for (const [at, fact] of awards.facts.entries()) {
      if (figure.facts(fact)) ids.add(awards.idOfFact(fact))
      if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
    }
  } else {
    for (const [at, place] of awards.decided.entries()) {
      if (figure.decided(place)) ids.add(awards.idOfSpending(place))
      if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
    }
  }
  return highestOf(ids, most)
}
