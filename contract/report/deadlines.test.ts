import { describe, expect, test } from 'vitest'
import { reportRow } from '../../test/report-row.ts'
import { PROCUREMENT_METHODS } from '../catalogue/project.ts'
import { type DeadlineFacts, getProjectDeadlines } from './deadlines.ts'

/**
 * Worked by hand from the text of the law and a wall calendar, not from the code. Holidays of the period: Sat 5 Dec
 * with Mon 7 Dec in lieu, Thu 10 Dec, Thu 31 Dec 2026 and Fri 1 Jan 2027. The project bids on Wed 9 Dec and has its
 * result on Mon 28 Dec; the contract ends on 30 Jun 2027 and the document states a warranty of one year.
 *
 * - Guide, item 12: 90 days before 9 Dec is 10 Sep.
 * - Cl. 52: working days before the 9th are the 8th, Fri 4th and Thu 3rd, the third one.
 * - Cl. 43, 49: the last working day before the 9th is the 8th.
 * - Cl. 44: working days after the 9th are the 11th, 14th, 15th, 16th and 17th, the fifth one.
 * - S. 117: after 28 Dec: 29, 30, 4, 5, 6, 7 and 8 Jan, the seventh one.
 * - S. 118: after 8 Jan: 11, 12, 13, 14, 15, 18 and 19 Jan.
 * - S. 118–119: three more working days to 22 Jan, then 30 and twice 15 days to 23 Mar.
 * - S. 66: the first working day after 8 Jan is Mon 11 Jan.
 * - Cl. 170 (2): 15 days after the warranty of 30 Jun 2028 is 15 Jul.
 */
const PUBLISHED = [
  'comment 2026-11-10 certain 45',
  'submission 2026-12-09 certain 54',
  'result 2026-12-28 certain -',
  'contract_end 2027-06-30 certain -',
]
const E_BIDDING_ONLY = [
  'question 2026-12-03 computed 52',
  'papers 2026-12-08 computed 43, 49',
  'sample 2026-12-17 computed 44',
]
const BANK_LETTER = 'bank_letter 2026-09-10 computed 12.3–12.4'
const AFTER_RESULT = [
  'appeal 2027-01-08 computed 117',
  'appeal_decision 2027-01-19 computed 118',
  'appeal_board 2027-03-23 computed 119',
  'signing 2027-01-11 computed 66',
]
const AFTER_CONTRACT = ['warranty_end 2028-06-30 computed -', 'guarantee_return 2028-07-15 computed 170 (2)']
const withoutClause = (lines: readonly string[]) => lines.map((line) => line.replace(/certain .*/, 'certain -'))

const OPEN = [BANK_LETTER, ...withoutClause(PUBLISHED), ...AFTER_RESULT, ...AFTER_CONTRACT]
const NEGOTIATED = [...withoutClause(PUBLISHED), ...AFTER_CONTRACT]
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  e_bidding: [BANK_LETTER, ...PUBLISHED, ...E_BIDDING_ONLY, ...AFTER_RESULT, ...AFTER_CONTRACT],
  e_market: OPEN,
  price_enquiry: OPEN,
  consultant_open: OPEN,
  design_open: OPEN,
  design_contest: OPEN,
  selective: OPEN,
  consultant_selective: OPEN,
  design_selective: OPEN,
  specific: NEGOTIATED,
  consultant_specific: NEGOTIATED,
  design_specific: NEGOTIATED,
}

const facts = (change: Partial<DeadlineFacts>): DeadlineFacts => ({
  ...reportRow({
    draft_discussion_end_date: '2026-11-10',
    submission_end_date: '2026-12-09',
    winner_announce_date: '2026-12-28',
  }),
  decision: 'bid',
  contract_ends: ['2027-06-30'],
  document_facts: { warranty: { count: 1, unit: 'year' } },
  ...change,
})
const lines = (change: Partial<DeadlineFacts>) =>
  getProjectDeadlines(facts(change)).flatMap(({ kind, day, isEstimate, law }) =>
    day === null ? [] : [`${kind} ${day} ${isEstimate ? 'computed' : 'certain'} ${law?.clause ?? '-'}`],
  )
const kinds = (change: Partial<DeadlineFacts>) => getProjectDeadlines(facts(change)).map(({ kind }) => kind)

describe('every date that counts', () => {
  test.each(PROCUREMENT_METHODS.map(({ code }) => code))('of the method %s agrees with the table', (method) => {
    expect(lines({ method }).toSorted()).toEqual(EXPECTED[method]!.toSorted())
  })

  test.each(['bid', null, 'no_bid', undefined] as const)('after the result concerns only who bid: %s', (decision) => {
    const after = kinds({ decision }).filter((kind) => /appeal|warranty|guarantee|signing/.test(kind))
    expect(after.length > 0).toBe(decision === 'bid')
  })

  test('a signed contract replaces the computed day, for every user', () => {
    for (const decision of ['bid', null] as const) {
      const signing = getProjectDeadlines(facts({ decision, contract_signed_date: '2027-01-20' })).find(
        ({ kind }) => kind === 'signing',
      )
      expect(signing).toMatchObject({ day: '2027-01-20', isEstimate: false })
    }
  })

  test('the last contract decides the warranty, which is unknown without the document', () => {
    expect(lines({ contract_ends: ['2027-06-30', '2027-08-31'] })).toContain('warranty_end 2028-08-31 computed -')
    expect(kinds({ document_facts: {} })).not.toContain('guarantee_return')
    expect(kinds({ contract_ends: [] })).not.toContain('warranty_end')
    expect(lines({ document_facts: { warranty: { count: 90, unit: 'day' } } })).toContain(
      'warranty_end 2027-09-28 computed -',
    )
  })

  test('a document states the last day of questions, a fee adds the price of the papers', () => {
    const source = { id: 'd1', page: 4 }
    const deadlines = getProjectDeadlines(
      facts({ document_facts: { question_deadline: { day: '2026-12-01', source }, document_fee: 2_000 } }),
    )
    expect(deadlines.find(({ kind }) => kind === 'question')).toMatchObject({
      day: '2026-12-01',
      isEstimate: false,
      document: source,
    })
    expect(deadlines.find(({ kind }) => kind === 'papers')?.note).toContain('2,000.00 บาท')
  })

  test('no rule of the law applies before it was in force', () => {
    expect(
      lines({ draft_discussion_end_date: null, submission_end_date: '2017-08-01', winner_announce_date: '2017-08-10' }),
    ).not.toContainEqual(expect.stringMatching(/computed (?!-|170)/))
  })
})
