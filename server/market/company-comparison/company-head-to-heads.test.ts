import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CompanyComparison, companyComparisonProjectsSchema } from '#contract/market/company-comparison.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import type { SignedIn } from '../../../test/server/http-app.ts'
import { type ComparisonApp, comparisonApp } from '../../../test/world/comparison-world.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'
import { createSeededRandom } from '../../../test/world/seeded.ts'
import { COMPANY_HEAD_TO_HEAD_RESULTS, type CompanyHeadToHeadResult } from './comparison-input.ts'

const NAMES = ['หนึ่ง', 'สอง', 'สาม', 'สี่', 'ห้า'].map((name) => `บริษัท ${name} จำกัด`)
const OUTSIDER = 'บริษัท นอกวง จำกัด'
const WORLDS = 2
const PROJECTS = 60

type Bid = { readonly name: string; readonly price: number | null; readonly isWinner: boolean }
type Tender = {
  readonly id: string
  readonly reference: number | null
  readonly isCancelled: boolean
  readonly bids: readonly Bid[]
}

function inventTenders(seed: number): Tender[] {
  const next = createSeededRandom(seed)
  return Array.from({ length: PROJECTS }, (_, i): Tender => {
    const bidders = [...NAMES, OUTSIDER].filter(() => next() < 0.55)
    const winners =
      next() < 0.2 ? [] : bidders.filter((_, at) => at === Math.floor(next() * bidders.length) || next() < 0.05)
    return {
      id: `69${String(seed).padStart(3, '0')}${String(i).padStart(6, '0')}`,
      reference: next() < 0.2 ? null : 10_000 * (50 + Math.floor(next() * 100)),
      isCancelled: next() < 0.1,
      bids: bidders.map((name) => ({
        name,
        price: next() < 0.1 ? null : 10_000 * (40 + Math.floor(next() * 100)),
        isWinner: winners.includes(name),
      })),
    }
  })
}

async function putTenders(db: OpenDb, tenders: readonly Tender[]): Promise<void> {
  const load = await addLoad(db)
  await putProjects(
    db,
    load,
    tenders.map(({ id, reference, isCancelled, bids }) => {
      const hasResult = bids.some(({ isWinner }) => isWinner)
      return {
        id,
        estimate: reference,
        status: isCancelled ? 'project_cancelled' : hasResult ? 'contract_created' : 'in_progress',
        winner: bids.find(({ isWinner }) => isWinner)?.name ?? null,
        winnerAnnouncedOn: hasResult ? `2026-0${1 + (Number(id) % 9)}-11` : null,
        submissionEndsOn: '2025-12-20',
      }
    }),
  )
  for (const { id, bids } of tenders) {
    for (const [position, { name, price, isWinner }] of bids.entries()) {
      await db.execute(sql`
        insert into bidders (project_id, position, name, price_satang, is_winner)
        values (${id}, ${position}::smallint, ${name}, ${price}::bigint, ${isWinner}::boolean)`)
      if (!isWinner) continue
      await db.execute(sql`
        insert into contracts (project_id, contract_no, winner_name, amount_satang) values (${id}, ${String(position)}, ${name}, ${price}::bigint)`)
    }
  }
  await updateCompanyFacts(db)
}

type Expected = Record<CompanyHeadToHeadResult, Set<string>> & { readonly gaps: number[] }

function meetingsOf(tenders: readonly Tender[], a: string, b: string): Expected {
  const meetings: Expected = {
    met: new Set(),
    a_won: new Set(),
    b_won: new Set(),
    others_won: new Set(),
    undecided: new Set(),
    gaps: [],
  }
  for (const { id, reference, isCancelled, bids } of tenders) {
    const [bidA, bidB] = [a, b].map((name) => bids.find((bid) => bid.name === name))
    if (!bidA || !bidB) continue
    meetings.met.add(id)
    const hasResult = !isCancelled && bids.some(({ isWinner }) => isWinner)
    if (!hasResult) meetings.undecided.add(id)
    if (hasResult && bidA.isWinner) meetings.a_won.add(id)
    if (hasResult && bidB.isWinner) meetings.b_won.add(id)
    if (hasResult && !bidA.isWinner && !bidB.isWinner) meetings.others_won.add(id)
    if (bidA.price !== null && bidB.price !== null && reference !== null)
      meetings.gaps.push((bidB.price - bidA.price) / reference)
  }
  return meetings
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

onEachEngineInTurn('meetings of random worlds', (makeDb) => {
  let db: OpenDb
  let on: ComparisonApp
  let me: SignedIn
  const tenders: Tender[] = []

  beforeAll(async () => {
    db = await makeDb()
    on = await comparisonApp(db)
    me = await on.member(['กล้อง'])
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      const more = inventTenders(seed)
      await putTenders(db, more)
      tenders.push(...more)
    }
  })
  afterAll(() => on.app.close())

  const rowsBehind = async (
    { companies }: CompanyComparison,
    a: number,
    b: number,
    result: CompanyHeadToHeadResult,
  ) => {
    const query = {
      project_winner_name__in: NAMES.join('||'),
      a: String(companies[a]!.id),
      b: String(companies[b]!.id),
      result,
      page_size: '100',
    }
    const { total, results } = companyComparisonProjectsSchema.parse((await on.get('/projects', query, me)).json())
    return { total, ids: results.map(({ project_id: id }) => id) }
  }

  test('every cell equals its bids and opens exactly their rows', async () => {
    const comparison = await on.compare(NAMES, {}, me)
    expect(comparison.has_meetings).toBe(true)
    expect(comparison.meetings).toHaveLength(10)
    for (const meeting of comparison.meetings) {
      const { gaps, ...results } = meetingsOf(tenders, NAMES[meeting.a]!, NAMES[meeting.b]!)
      expect(results.met.size).toBeGreaterThan(20)
      for (const result of COMPANY_HEAD_TO_HEAD_RESULTS) {
        const rows = await rowsBehind(comparison, meeting.a, meeting.b, result)
        const cell = [meeting.a, meeting.b, result, meeting[result]]
        expect(cell).toEqual([meeting.a, meeting.b, result, results[result].size])
        expect(rows.total).toBe(meeting[result])
        expect(new Set(rows.ids)).toEqual(results[result])
        expect(rows.ids).toHaveLength(rows.total)
      }
      const sorted = gaps.toSorted((x, y) => x - y)
      const median = (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2
      expect(meeting.n_gap).toBe(gaps.length)
      expect(meeting.mean_gap).toBeCloseTo(mean(gaps), 3)
      expect(meeting.median_gap).toBeCloseTo(median, 3)
    }
  })

  test('is antisymmetric: reordering the names swaps wins and negates gaps, here and in the rows', async () => {
    const there = await on.compare(NAMES, {}, me)
    const back = await on.compare(NAMES.toReversed(), {}, me)
    const last = NAMES.length - 1
    for (const { a, b, ...meeting } of there.meetings) {
      const turned = back.meetings.find((candidate) => candidate.a === last - b && candidate.b === last - a)
      expect(turned).toEqual({
        ...meeting,
        a: last - b,
        b: last - a,
        a_won: meeting.b_won,
        b_won: meeting.a_won,
        mean_gap: 0 - meeting.mean_gap!,
        median_gap: 0 - meeting.median_gap!,
      })
      expect(await rowsBehind(there, a, b, 'a_won')).toEqual(await rowsBehind(there, b, a, 'b_won'))
    }
  })

  test('win rates count bids with a known result and wins of projects that were not cancelled', async () => {
    const { companies } = await on.compare(NAMES, {}, me)
    for (const [index, name] of NAMES.entries()) {
      const companyTenders = tenders.filter(({ bids }) => bids.some((bid) => bid.name === name))
      const decided = companyTenders.filter(
        ({ isCancelled, bids }) => !isCancelled && bids.some(({ isWinner }) => isWinner),
      )
      const won = decided.filter(({ bids }) => bids.some((bid) => bid.name === name && bid.isWinner))
      expect(companies[index]).toMatchObject({ wins: won.length, bids: { bids: decided.length, won: won.length } })
      expect(companies[index]!.bids!.win_rate).toBeCloseTo(won.length / decided.length, 4)
      const { full, names, winner } = companies[index]!.coverage
      expect([full + names, winner]).toEqual([companyTenders.length, 0])
    }
  })
})
