import { beforeAll, describe, expect, test } from 'vitest'
import {
  AWARD_CRITERIA,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
  PROJECT_MOVEMENTS,
} from '#contract/catalogue/project.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { addWorkingDaysToDayNumber, isoDateToDayNumber } from './day-numbers.ts'
import { getMinNoticeDays } from './project-timeline.ts'
import { computeTaxIdCheckDigit } from './sample-companies.ts'
import { createSampleSource } from './sample-source.ts'

const TODAY = '2026-11-20'
const records: FeedRecord[] = []

beforeAll(async () => {
  for await (const item of createSampleSource({ seed: 2569, today: TODAY }).records(0)) {
    if ('record' in item) records.push(item.record)
  }
}, 60_000)

const lastStep = (record: FeedRecord) => record.announcements!.at(-1)!.movement
const isOpen = (record: FeedRecord) =>
  ['invited', 'invitation_amended'].includes(lastStep(record)) && record.submissionEndsOn! >= TODAY
const isDraft = (record: FeedRecord) =>
  ['draft_published', 'draft_revised', 'reference_price_published'].includes(lastStep(record))

function share(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]!
}

describe('the demo data as a whole', () => {
  test('has at least 20,000 projects of three fiscal years, with numbers that no real project has', () => {
    expect(records.length).toBeGreaterThanOrEqual(20_000)
    expect(new Set(records.map((record) => record.projectId)).size).toBe(records.length)
    expect(records.filter((record) => !/^\d{2}(0[1-9]|1[0-2])8\d{6}$/.test(record.projectId))).toEqual([])
    const years = new Set(records.map((record) => record.fiscalYear))
    expect([...years].sort()).toEqual([2568, 2569, 2570])
  })

  test('has between 1,400 and 2,600 drafts and open projects', () => {
    const alive = records.filter((record) => isDraft(record) || isOpen(record)).length
    expect(alive).toBeGreaterThan(1_400)
    expect(alive).toBeLessThan(2_600)
    expect(records.filter(isOpen).length).toBeGreaterThan(300)
  })

  test('has about 3,000 buying departments in all 77 provinces', () => {
    expect(new Set(records.map((record) => record.deptProvince)).size).toBe(PROVINCES.length)
    expect(new Set(records.map((record) => record.projectProvince)).size).toBe(PROVINCES.length)
    const departments = new Set(records.map((record) => `${record.deptName}|${record.deptSubName}`))
    expect(departments.size).toBeGreaterThan(2_700)
    expect(records.some((record) => record.deptProvince !== record.projectProvince)).toBe(true)
  })

  test('covers every method, type, criterion and announced movement of the contract', () => {
    const of = (values: (string | null | undefined)[]) => new Set(values)
    for (const { code } of PROCUREMENT_METHODS) expect(of(records.map((record) => record.method))).toContain(code)
    for (const { code } of PROCUREMENT_METHOD_TYPES)
      expect(of(records.map((record) => record.methodType))).toContain(code)
    for (const { code } of AWARD_CRITERIA) expect(of(records.map((record) => record.criteria))).toContain(code)
    const steps = new Set(records.map(lastStep))
    // "Bids closed" is derived from a past submission end when data is loaded, so no record announces it.
    for (const { code } of PROJECT_MOVEMENTS) if (code !== 'bids_closed') expect(steps).toContain(code)
    const isClosed = (record: FeedRecord) => lastStep(record) === 'invited' && record.submissionEndsOn! < TODAY
    expect(records.filter(isClosed).length).toBeGreaterThan(100)
    const statuses = new Set(records.map((record) => record.status))
    expect(statuses).toEqual(
      new Set(['in_progress', 'contract_created', 'สิ้นสุดสัญญา', 'invitation_cancelled', 'project_cancelled']),
    )
  })

  test('has titles of realistic length with hardly any duplicates', () => {
    const bare = records.map((record) => record.name!.replace(/ (ด้วย|โดย)วิธี[\s\S]*/u, '').length)
    expect(share(bare, 0.5)).toBeGreaterThan(85)
    expect(share(bare, 0.5)).toBeLessThan(130)
    const nameLengths = records.map((record) => record.name!.length)
    expect(share(nameLengths, 0.99)).toBeGreaterThan(230)
    expect(share(nameLengths, 0.99)).toBeLessThan(330)
    expect(records.length - new Set(records.map((record) => record.name)).size).toBeLessThan(records.length * 0.015)
    const thai = records.filter((record) => /[๐-๙]/u.test(record.name!)).length / records.length
    expect(thai).toBeGreaterThan(0.33)
    expect(thai).toBeLessThan(0.43)
    expect(records.filter(({ name }) => / {2}|undefined|NaN|null|จำนวน 0 | $/u.test(name!))).toEqual([])
  })

  test('spreads e-bidding discounts as measured: median 2.6 %, p75 10.9 %, p95 33.6 %', () => {
    const discounts = records
      .filter((record) => record.method === 'e_bidding' && record.winnerSatang != null)
      .map((record) => 1 - record.winnerSatang! / record.estimateSatang!)
    expect(share(discounts, 0.5)).toBeCloseTo(0.026, 2)
    expect(share(discounts, 0.75)).toBeCloseTo(0.109, 1)
    expect(share(discounts, 0.95)).toBeCloseTo(0.336, 1)
    const above = discounts.filter((discount) => discount < 0).length / discounts.length
    expect(above).toBeGreaterThan(0.004)
    expect(above).toBeLessThan(0.025)
  })

  test('takes about 46 days from invitation to signature in an e-bidding', () => {
    const days = records
      .filter((record) => record.method === 'e_bidding' && record.contractSignedOn != null)
      .map((record) => isoDateToDayNumber(record.contractSignedOn!) - isoDateToDayNumber(record.biddingInvitedOn!))
    expect(share(days, 0.5)).toBeGreaterThan(40)
    expect(share(days, 0.5)).toBeLessThan(52)
  })
})

describe('each project', () => {
  test('has all facts for a decision while it is open', () => {
    const needed = ['budgetSatang', 'estimateSatang', 'criteria', 'biddingInvitedOn', 'submissionTime'] as const
    const isPoor = (record: FeedRecord) =>
      needed.some((field) => !record[field]) || record.attachments!.length === 0 || record.winnerName !== null
    expect(records.filter((record) => isOpen(record) && isPoor(record))).toEqual([])
    const heard = records.filter((record) => record.draftPublishedOn != null)
    expect(heard.filter((record) => record.draftDiscussionEndsOn! <= record.draftPublishedOn!)).toEqual([])
  })

  test('keeps the order of its steps and the minimum time for offers', () => {
    const isDisordered = ({ announcements, ...record }: FeedRecord) => {
      const days = announcements!.map((announcement) => announcement.announcedOn)
      const {
        biddingInvitedOn: invited,
        submissionEndsOn: ends,
        winnerAnnouncedOn: won,
        contractSignedOn: signed,
      } = record
      return (
        days.some((day, index) => day > TODAY || (index > 0 && day < days[index - 1]!)) ||
        (ends != null && ends <= invited!) ||
        (won != null && won <= ends!) ||
        (signed != null && signed < won!)
      )
    }
    expect(records.filter(isDisordered)).toEqual([])
    const isHurried = ({ biddingInvitedOn, submissionEndsOn, budgetSatang }: FeedRecord) =>
      isoDateToDayNumber(submissionEndsOn!) <
      addWorkingDaysToDayNumber(isoDateToDayNumber(biddingInvitedOn!), getMinNoticeDays(budgetSatang! / 100))
    const invited = records.filter((record) => record.method === 'e_bidding' && record.submissionEndsOn != null)
    expect(invited.length).toBeGreaterThan(10_000)
    expect(invited.filter(isHurried)).toEqual([])
  })

  test('respects the thresholds of the methods', () => {
    const isLimited = (record: FeedRecord) => record.method === 'e_market' || record.method === 'price_enquiry'
    const isOutside = ({ budgetSatang }: FeedRecord) => budgetSatang! <= 50_000_000 || budgetSatang! > 500_000_000
    // Draft budgets may be slightly out of range until they are corrected.
    expect(records.filter((record) => isLimited(record) && !isDraft(record) && isOutside(record))).toEqual([])
    const small = records.filter((record) => record.budgetSatang! <= 50_000_000)
    expect(small.filter((record) => record.method === 'e_bidding').length).toBeLessThan(small.length * 0.15)
    expect(records.filter(({ budgetSatang: sum }) => !(sum! > 2_000_000 && Number.isSafeInteger(sum)))).toEqual([])
  })

  test('awards no more than its budget', () => {
    const won = records.filter((record) => record.winnerSatang != null)
    expect(won.length).toBeGreaterThan(400)
    expect(won.filter(({ winnerSatang, budgetSatang }) => winnerSatang! > budgetSatang!)).toEqual([])
  })

  test('has bidders with whole prices, one winner among them, and invented tax ids with valid checksums', () => {
    const won = records.filter((record) => record.winnerName != null)
    const isWrong = ({ bidders, winnerName, contracts, winnerSatang }: FeedRecord) =>
      !bidders!.some((bidder) => bidder.isWinner && bidder.name === winnerName) ||
      bidders!.some((bidder) => !Number.isSafeInteger(bidder.priceSatang)) ||
      (contracts!.length > 0 && contracts!.reduce((sum, contract) => sum + contract.amountSatang!, 0) !== winnerSatang)
    expect(won.filter(isWrong)).toEqual([])
    const numbers = new Set(won.flatMap((record) => record.bidders!.flatMap((bidder) => bidder.tin ?? [])))
    const holds = (tin: string) => /^098\d{10}$/.test(tin) && Number(tin[12]) === computeTaxIdCheckDigit(tin)
    expect([...numbers].filter((tin) => !holds(tin))).toEqual([])
    const companies = new Set(won.flatMap((record) => record.bidders!.map((bidder) => bidder.name)))
    expect(companies.size).toBeGreaterThan(1_900)
    expect(companies.size).toBeLessThan(2_100)
    expect(records.some((record) => record.contracts!.length > 1)).toBe(true)
  })

  test('links only to the reserved example host, no address twice', () => {
    const links = records.flatMap((record) =>
      record.attachments!.map((attachment) => [record.projectId, attachment.url]),
    )
    expect(new Set(links.map(([, url]) => url)).size).toBe(links.length)
    expect(links.filter(([id, url]) => !url!.startsWith(`https://egp.example/files/${id}/`))).toEqual([])
  })
})
