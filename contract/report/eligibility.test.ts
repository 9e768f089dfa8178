import { describe, expect, test } from 'vitest'
import { reportRow } from '../../test/report-row.ts'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '../account/qualification.ts'
import { formatEligibility, judgeEligibility } from './eligibility.ts'
import type { EligibilityVerdict } from './eligibility-verdict.ts'

const TODAY = '2026-11-29'
const MILLION = 1_000_000
const profile = (change: Partial<Qualifications>): Qualifications => ({ ...EMPTY_QUALIFICATIONS, ...change })
const project = (change: Parameters<typeof reportRow>[0]) =>
  reportRow({
    name: 'ซื้อครุภัณฑ์คอมพิวเตอร์',
    method: 'e_bidding',
    method_type: 'buy',
    bidding_invite_date: '2026-11-10',
    submission_end_date: '2026-12-15',
    ...change,
  })

const PROFILES = {
  established: profile({ bidder_kind: 'company', net_worth: 3 * MILLION, has_anti_corruption_policy: true }),
  /** Credit line of 2 M by a letter of 61 days before the bid day. */
  indebted: profile({
    bidder_kind: 'company',
    net_worth: -1,
    credit_line: 2 * MILLION,
    credit_letter_on: '2026-10-15',
    has_anti_corruption_policy: false,
  }),
  young: profile({ bidder_kind: 'new_company', paid_capital: 3 * MILLION, has_anti_corruption_policy: true }),
  person: profile({ bidder_kind: 'person', credit_line: 200_000, credit_letter_on: '2026-11-01' }),
  empty: EMPTY_QUALIFICATIONS,
  suspended: profile({ bidder_kind: 'company', net_worth: 3 * MILLION, suspended_until: '2027-03-01' }),
}
const LETTERS: Readonly<Record<string, EligibilityVerdict>> = { e: 'eligible', b: 'blocked', u: 'unknown' }

/** Written from item 12 of the guide of September 2025 and the thresholds of `law.md`; a letter for each profile. */
describe('verdicts by budget', () => {
  test.each([
    [400_000, 'eeee ub'],
    [500_000, 'eeee ub'],
    [500_001, 'eeee ub'],
    [800_000, 'eeee ub'],
    [800_001, 'eeeb ub'],
    [MILLION, 'eeeb ub'],
    [MILLION + 1, 'eeeb ub'],
    [5 * MILLION + 1, 'eeeb ub'],
    [8 * MILLION, 'eeeb ub'],
    [8 * MILLION + 4, 'ebeb ub'],
    [10 * MILLION + 1, 'ebeb ub'],
    [20 * MILLION, 'ebeb ub'],
    [20 * MILLION + 1, 'ebbb ub'],
    [299_999_999, 'ebbb ub'],
    [300 * MILLION, 'ebbb ub'],
    [null, 'euuu ub'],
  ] as const)('%s baht', (budget, expected) => {
    const verdicts = Object.values(PROFILES).map(
      (bidder) => judgeEligibility(project({ budget }), bidder, TODAY).verdict,
    )
    expect(verdicts).toEqual([...expected.replace(' ', '')].map((letter) => LETTERS[letter]))
  })
})

describe('capital of a company without statements', () => {
  test.each([
    [MILLION, undefined],
    [5 * MILLION, MILLION],
    [10 * MILLION, 2 * MILLION],
    [20 * MILLION, 3 * MILLION],
    [60 * MILLION, 8 * MILLION],
    [150 * MILLION, 20 * MILLION],
    [300 * MILLION, 60 * MILLION],
    [500 * MILLION, 100 * MILLION],
    [500 * MILLION + 1, 200 * MILLION],
  ])('%s baht needs %s', (budget, least) => {
    const judge = (paid_capital: number | null) =>
      judgeEligibility(
        project({ budget }),
        profile({ bidder_kind: 'new_company', paid_capital, has_anti_corruption_policy: true }),
        TODAY,
      ).verdict
    if (least === undefined) expect(judge(null)).toBe('eligible')
    else expect([judge(null), judge(least - 1), judge(least)]).toEqual(['unknown', 'blocked', 'eligible'])
  })
})

test('an old bank letter blocks on its 91st day, and the reason tells what to do', () => {
  const judge = (credit_letter_on: string | null) =>
    judgeEligibility(project({ budget: 4 * MILLION }), { ...PROFILES.indebted, credit_letter_on }, TODAY)
  expect([judge('2026-09-16'), judge('2026-09-15'), judge(null)].map(({ verdict }) => verdict)).toEqual([
    'eligible',
    'blocked',
    'unknown',
  ])
  expect(judge('2026-09-15').checks[0]).toMatchObject({ fix: 'ขอหนังสือธนาคารฉบับใหม่ ลงวันที่ไม่เกิน 90 วันก่อนวันยื่น' })
})

test('a missing credit line states the amount', () => {
  const { checks } = judgeEligibility(project({ budget: 10.4 * MILLION }), PROFILES.indebted, TODAY)
  expect(checks[0]).toMatchObject({ text: 'ขาดวงเงินสินเชื่อ 600,000 (ต้องมี 2.6 ล้าน)', fix: 'ขอหนังสือธนาคารอายุไม่เกิน 90 วัน' })
})

describe('the policy against corruption', () => {
  const judge = (budget: number, announced: string, has_anti_corruption_policy: boolean | null) =>
    judgeEligibility(
      project({ budget, bidding_invite_date: announced, submission_end_date: null }),
      { ...PROFILES.established, has_anti_corruption_policy },
      TODAY,
    ).verdict
  test.each([
    [300 * MILLION, '2026-11-10', false, 'blocked'],
    [299_999_999.99, '2026-11-10', false, 'eligible'],
    [300 * MILLION, '2026-11-10', null, 'unknown'],
    // Until October 2024 the threshold was 500 M: the day of the announcement decides, not today.
    [499 * MILLION, '2024-10-15', false, 'eligible'],
    [500 * MILLION, '2024-10-15', false, 'blocked'],
    [300 * MILLION, '2024-11-01', false, 'blocked'],
  ] as const)('%s baht announced on %s with %s: %s', (budget, announced, has, verdict) => {
    expect(judge(budget, announced, has)).toBe(verdict)
  })
})

describe('who may bid at all', () => {
  test.each([
    ['e_bidding', 'eligible'],
    ['e_market', 'eligible'],
    ['price_enquiry', 'eligible'],
    ['consultant_open', 'eligible'],
    ['selective', 'unknown'],
    ['design_selective', 'unknown'],
    ['specific', 'blocked'],
    ['consultant_specific', 'blocked'],
    ['a method of its own', 'unknown'],
  ])('by %s: %s', (method, verdict) => {
    expect(judgeEligibility(project({ method, budget: MILLION }), PROFILES.established, TODAY).verdict).toBe(verdict)
  })

  test('a suspension ends on its last day', () => {
    const judge = (suspended_until: string) =>
      judgeEligibility(project({ budget: MILLION }), { ...PROFILES.established, suspended_until }, TODAY).verdict
    expect([judge('2026-12-14'), judge('2026-12-15')]).toEqual(['eligible', 'blocked'])
  })
})

describe('contractors', () => {
  const contractor = { ...PROFILES.established, classes: [{ branch: 'งานก่อสร้างทาง', grade: 4 as const }] }
  test('lack of capital stays open for registered contractors, because registered work is exempt', () => {
    const row = project({ name: 'จ้างก่อสร้างถนน', method_type: 'construct', budget: 100 * MILLION })
    expect(judgeEligibility(row, { ...contractor, net_worth: -1 }, TODAY).verdict).toBe('unknown')
  })
})

test('notes state the bid bond above 5 M, what the guarantee would be, and our own price advantage', () => {
  const notes = (budget: number, change: Partial<Qualifications>) =>
    judgeEligibility(project({ budget }), { ...PROFILES.established, ...change }, TODAY).notes.map(({ text }) => text)
  expect(notes(5 * MILLION, {})).toEqual(['ถ้าชนะ วางหลักประกันสัญญาราว 250,000'])
  expect(notes(6 * MILLION, { sme: 'small', has_mit: true, bond_line: 100_000 })).toEqual([
    'วางหลักประกันการเสนอราคา 300,000 วงเงินค้ำประกันของเราเหลือ 100,000',
    'ถ้าชนะ วางหลักประกันสัญญาราว 300,000',
    'แต้มต่อราคาของเราในเกณฑ์ราคา 15 %',
  ])
  expect(notes(1_000 * MILLION, {})).toContain('ต้องลงนามข้อตกลงคุณธรรม')
})

test('the short text counts what is unmet', () => {
  const row = project({ budget: 400 * MILLION })
  const bidder = { ...PROFILES.indebted, suspended_until: '2027-01-01' }
  expect(formatEligibility(judgeEligibility(row, bidder, TODAY))).toBe('ติด 3 เรื่อง')
  expect(formatEligibility(judgeEligibility(row, PROFILES.established, TODAY))).toBe('น่าจะยื่นได้')
})

test('points without a day of suspension are a note, from the day of Regulation No. 3', () => {
  const notes = (bidding_invite_date: string, change: Partial<Qualifications>) =>
    judgeEligibility(project({ budget: null, bidding_invite_date }), { ...PROFILES.established, ...change }, TODAY)
      .notes
  const text = 'แต้มในสมุดพกของเรา 60 ตามเกณฑ์พักสิทธิ 180 วัน กรอกวันพักสิทธิเพื่อให้ตัดสินได้'
  expect(notes('2026-07-10', { report_card_points: 60 }).map((note) => note.text)).toEqual([text])
  expect(notes('2026-07-09', { report_card_points: 60 })).toEqual([])
  expect(notes('2026-07-10', { report_card_points: 9 })).toEqual([])
  expect(notes('2026-07-10', { report_card_points: 60, suspended_until: '2027-01-12' })).toEqual([])
})
