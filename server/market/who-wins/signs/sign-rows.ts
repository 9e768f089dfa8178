import type { AwardSet } from '#server/market/who-wins/award-set.ts'
import { dayToMonthNumber, formatMonthNumber } from '#server/market/who-wins/month-number.ts'
import { loadAgencyUnitIds, loadProcurementMethodNames } from '#server/market/who-wins/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { loadKnownBids } from './count-bidder-signs.ts'
import {
  getThresholdPriceWindow,
  isAboveReferencePrice,
  isKnownBidCompanyFact,
  isNearReferencePrice,
  isPriceComparable,
  isWinningCompanyFact,
  toUnusualAwardPatternMethods,
  type UnusualAwardPatternMethods,
} from './sign-facts.ts'

type SignRowTest = { readonly units?: ReadonlySet<number> | undefined } & (
  | { readonly facts: (fact: number) => boolean }
  | { readonly decided: (row: number) => boolean }
)

const WINDOWS_BY_KIND: Readonly<Record<string, readonly number[]>> = {
  below_threshold: [1],
  beside_border: [2],
  around_border: [1, 2],
  below_by_one: [1],
}

/**
 * Parses the value of a sign (written by present-signs.ts) into a test of facts or decided projects, which selects the
 * projects behind the sign; undefined if the value is invalid.
 */
export async function parseUnusualAwardPatternFigure(
  db: Db,
  awards: AwardSet,
  kind: string,
  value: string,
): Promise<SignRowTest | undefined> {
  const methods = async () => toUnusualAwardPatternMethods(await loadProcurementMethodNames(db))
  if (Object.hasOwn(WINDOWS_BY_KIND, kind))
    return rowsOfWindow(awards, await methods(), { value, windows: WINDOWS_BY_KIND[kind]! })
  switch (kind) {
    case 'agency_year':
      return await rowsOfAgencyYear(db, awards, value)
    case 'buyer_share':
      return await rowsOfBuyer(db, awards, value)
    case 'won_at':
    case 'two_winners':
      return await rowsOfWinners(db, awards, kind, value)
    case 'met':
    case 'met_won':
      return await rowsOfMeetings(awards, await methods(), kind, value)
    case 'known_bids':
    case 'one_bidder':
    case 'compared':
    case 'low_discount':
    case 'above_reference':
      return await rowsOfAgency(db, awards, await methods(), { kind, agency: value })
    default:
      return undefined
  }
}

async function rowsOfAgencyYear(db: Db, { spending }: AwardSet, value: string): Promise<SignRowTest | undefined> {
  const [, year, agency] = /^(\d{4}):(.+)$/s.exec(value) ?? []
  if (agency === undefined) return undefined
  const units = await loadAgencyUnitIds(db, agency)
  return { units, decided: (row) => spending.year[row] === Number(year) }
}

async function rowsOfBuyer(db: Db, { columns }: AwardSet, value: string): Promise<SignRowTest | undefined> {
  const [, year, id, agency] = /^(\d{4}):(\d{1,9}):(.+)$/s.exec(value) ?? []
  if (agency === undefined) return undefined
  const units = await loadAgencyUnitIds(db, agency)
  const number = columns.companyIds.indexOf(Number(id))
  return {
    units,
    facts: (fact) =>
      columns.company[fact] === number && isWinningCompanyFact(columns, fact) && columns.year[fact] === Number(year),
  }
}

async function rowsOfWinners(
  db: Db,
  { columns }: AwardSet,
  kind: 'won_at' | 'two_winners',
  value: string,
): Promise<SignRowTest | undefined> {
  const [, firstId, secondId, agency] =
    (kind === 'won_at' ? /^()()(.*)$/s : /^(\d{1,9}):(\d{1,9}):(.*)$/s).exec(value) ?? []
  if (agency === undefined) return undefined
  const units = agency === '' ? undefined : await loadAgencyUnitIds(db, agency)
  if (kind === 'won_at') return { units, facts: (fact) => isWinningCompanyFact(columns, fact) }
  const two = [firstId, secondId].map((id) => columns.companyIds.indexOf(Number(id)))
  return { units, facts: (fact) => isWinningCompanyFact(columns, fact) && two.includes(columns.company[fact]!) }
}

async function rowsOfMeetings(
  awards: AwardSet,
  methods: UnusualAwardPatternMethods,
  kind: 'met' | 'met_won',
  value: string,
): Promise<SignRowTest | undefined> {
  const ids = /^(\d{1,9}):(\d{1,9})$/.exec(value)?.slice(1)
  if (!ids) return undefined
  const { columns } = awards
  const [winner, opponent] = ids.map((id) => columns.companyIds.indexOf(Number(id)))
  const projects = new Set<number>()
  for (const [project, facts] of await loadKnownBids(awards, methods)) {
    const [winnerBid, opponentBid] = [winner, opponent].map((company) =>
      facts.find((fact) => columns.company[fact] === company),
    )
    if (winnerBid === undefined || opponentBid === undefined) continue
    if (kind === 'met' || (isWinningCompanyFact(columns, winnerBid) && !isWinningCompanyFact(columns, opponentBid)))
      projects.add(project)
  }
  return { facts: (fact) => projects.has(columns.project[fact]!) }
}

async function rowsOfAgency(
  db: Db,
  awards: AwardSet,
  methods: UnusualAwardPatternMethods,
  { kind, agency }: { readonly kind: string; readonly agency: string },
): Promise<SignRowTest> {
  const { columns } = awards
  const units = await loadAgencyUnitIds(db, agency)
  const isPriced = (fact: number) => isPriceComparable(columns, methods, fact)
  if (kind === 'compared') return { units, facts: isPriced }
  if (kind === 'low_discount') return { units, facts: (fact) => isPriced(fact) && isNearReferencePrice(columns, fact) }
  if (kind === 'above_reference')
    return { units, facts: (fact) => isPriced(fact) && isAboveReferencePrice(columns, fact) }
  if (kind === 'known_bids') return { units, facts: (fact) => isKnownBidCompanyFact(columns, methods, fact) }
  const bids = await loadKnownBids(awards, methods)
  return {
    units,
    facts: (fact) => isKnownBidCompanyFact(columns, methods, fact) && bids.get(columns.project[fact]!)?.length === 1,
  }
}

function rowsOfWindow(
  { columns }: AwardSet,
  methods: UnusualAwardPatternMethods,
  { value, windows }: { readonly value: string; readonly windows: readonly number[] },
): SignRowTest | undefined {
  const [, month, unit, , id] = /^(\d{4}-\d{2}):(\d{1,9})(:(\d{1,9}))?$/.exec(value) ?? []
  if (unit === undefined) return undefined
  const company = id === undefined ? undefined : columns.companyIds.indexOf(Number(id))
  return {
    units: new Set([Number(unit)]),
    facts: (fact) =>
      (company === undefined || columns.company[fact] === company) &&
      windows.includes(getThresholdPriceWindow(columns, methods, fact)) &&
      formatMonthNumber(dayToMonthNumber(columns.decidedOn[fact]!)) === month,
  }
}
