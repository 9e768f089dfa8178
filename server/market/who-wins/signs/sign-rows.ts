import type { Awarded } from '#server/market/who-wins/awards.ts'
import { monthOf, monthText } from '#server/market/who-wins/month-number.ts'
import { methodTexts, unitsOf } from '#server/market/who-wins/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { knownBidsOf } from './count-bidders.ts'
import {
  isAbove,
  isCompared,
  isKnownBid,
  isNearZero,
  isWin,
  type SignMethods,
  signMethodsOf,
  windowOf,
} from './sign-facts.ts'

/** `units`: all passing rows belong to these purchasing units, so the others need no scan. */
type Rows = { readonly units?: ReadonlySet<number> | undefined } & (
  | { readonly facts: (fact: number) => boolean }
  | { readonly decided: (place: number) => boolean }
)

const WINDOWS: Readonly<Record<string, readonly number[]>> = {
  below_threshold: [1],
  beside_border: [2],
  around_border: [1, 2],
  below_by_one: [1],
}

/**
 * Parses the `rows` value of a sign (written by present-signs.ts) into a test of facts or decided projects. Undefined
 * when it names none.
 */
export async function readSignFigure(db: Db, awards: Awarded, kind: string, named: string): Promise<Rows | undefined> {
  const methods = async () => signMethodsOf(await methodTexts(db))
  if (Object.hasOwn(WINDOWS, kind)) return ofWindow(awards, await methods(), { named, windows: WINDOWS[kind]! })
  switch (kind) {
    case 'agency_year':
      return await ofAgencyYear(db, awards, named)
    case 'buyer_share':
      return await ofBuyer(db, awards, named)
    case 'won_at':
    case 'two_winners':
      return await ofWinners(db, awards, kind, named)
    case 'met':
    case 'met_won':
      return await ofMeetings(awards, await methods(), kind, named)
    case 'known_bids':
    case 'one_bidder':
    case 'compared':
    case 'low_discount':
    case 'above_reference':
      return await ofAgency(db, awards, await methods(), { kind, agency: named })
    default:
      return undefined
  }
}

async function ofAgencyYear(db: Db, { spending }: Awarded, named: string): Promise<Rows | undefined> {
  const [, year, agency] = /^(\d{4}):(.+)$/s.exec(named) ?? []
  if (agency === undefined) return undefined
  const units = await unitsOf(db, agency)
  return { units, decided: (place) => spending.year[place] === Number(year) }
}

async function ofBuyer(db: Db, { columns }: Awarded, named: string): Promise<Rows | undefined> {
  const [, year, id, agency] = /^(\d{4}):(\d{1,9}):(.+)$/s.exec(named) ?? []
  if (agency === undefined) return undefined
  const units = await unitsOf(db, agency)
  const number = columns.companyIds.indexOf(Number(id))
  return {
    units,
    facts: (fact) => columns.company[fact] === number && isWin(columns, fact) && columns.year[fact] === Number(year),
  }
}

/** Signs about winners of one agency, or of the whole query when no agency is given. */
async function ofWinners(
  db: Db,
  { columns }: Awarded,
  kind: 'won_at' | 'two_winners',
  named: string,
): Promise<Rows | undefined> {
  const [, one, other, agency] = (kind === 'won_at' ? /^()()(.*)$/s : /^(\d{1,9}):(\d{1,9}):(.*)$/s).exec(named) ?? []
  if (agency === undefined) return undefined
  const units = agency === '' ? undefined : await unitsOf(db, agency)
  if (kind === 'won_at') return { units, facts: (fact) => isWin(columns, fact) }
  const two = [one, other].map((id) => columns.companyIds.indexOf(Number(id)))
  return { units, facts: (fact) => isWin(columns, fact) && two.includes(columns.company[fact]!) }
}

async function ofMeetings(
  awards: Awarded,
  methods: SignMethods,
  kind: 'met' | 'met_won',
  named: string,
): Promise<Rows | undefined> {
  const ids = /^(\d{1,9}):(\d{1,9})$/.exec(named)?.slice(1)
  if (!ids) return undefined
  const { columns } = awards
  const [winner, other] = ids.map((id) => columns.companyIds.indexOf(Number(id)))
  const projects = new Set<number>()
  for (const [project, facts] of await knownBidsOf(awards, methods)) {
    const [own, theirs] = [winner, other].map((company) => facts.find((fact) => columns.company[fact] === company))
    if (own === undefined || theirs === undefined) continue
    if (kind === 'met' || (isWin(columns, own) && !isWin(columns, theirs))) projects.add(project)
  }
  return { facts: (fact) => projects.has(columns.project[fact]!) }
}

async function ofAgency(
  db: Db,
  awards: Awarded,
  methods: SignMethods,
  { kind, agency }: { readonly kind: string; readonly agency: string },
): Promise<Rows> {
  const { columns } = awards
  const units = await unitsOf(db, agency)
  const isPriced = (fact: number) => isCompared(columns, methods, fact)
  if (kind === 'compared') return { units, facts: isPriced }
  if (kind === 'low_discount') return { units, facts: (fact) => isPriced(fact) && isNearZero(columns, fact) }
  if (kind === 'above_reference') return { units, facts: (fact) => isPriced(fact) && isAbove(columns, fact) }
  if (kind === 'known_bids') return { units, facts: (fact) => isKnownBid(columns, methods, fact) }
  const bids = await knownBidsOf(awards, methods)
  return {
    units,
    facts: (fact) => isKnownBid(columns, methods, fact) && bids.get(columns.project[fact]!)?.length === 1,
  }
}

function ofWindow(
  { columns }: Awarded,
  methods: SignMethods,
  { named, windows }: { readonly named: string; readonly windows: readonly number[] },
): Rows | undefined {
  const [, month, unit, , id] = /^(\d{4}-\d{2}):(\d{1,9})(:(\d{1,9}))?$/.exec(named) ?? []
  if (unit === undefined) return undefined
  const company = id === undefined ? undefined : columns.companyIds.indexOf(Number(id))
  return {
    units: new Set([Number(unit)]),
    facts: (fact) =>
      (company === undefined || columns.company[fact] === company) &&
      windows.includes(windowOf(columns, methods, fact)) &&
      monthText(monthOf(columns.decidedOn[fact]!)) === month,
  }
}
