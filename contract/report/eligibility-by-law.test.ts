import { expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '../account/qualification.ts'
import { decideEligibility } from './eligibility.ts'

/**
 * 200 projects and the answers of six bidders, written down from the law and not from the code: who may bid by method,
 * item 12 of the guide of September 2025 (net worth, paid capital by budget, deposit of a person above 500,000 baht,
 * credit line of a quarter by a letter of at most 90 days, exemption of registered construction work), the policy
 * against corruption from 300 million baht (500 million until October 2024) and suspensions.
 */

const TODAY = '2026-11-29'
const MILLION = 1_000_000
const bidder = (answers: Partial<Qualifications>): Qualifications => ({ ...EMPTY_QUALIFICATIONS, ...answers })

/** In the order of the letters of a row. */
const BIDDERS = {
  'established company': bidder({ bidder_kind: 'company', net_worth: 3 * MILLION, has_anti_corruption_policy: true }),
  'indebted company with a credit line': bidder({
    bidder_kind: 'company',
    net_worth: -MILLION,
    credit_line: 2 * MILLION,
    credit_letter_on: '2026-10-15',
    has_anti_corruption_policy: false,
  }),
  'new company': bidder({
    bidder_kind: 'new_company',
    paid_capital: 3 * MILLION,
    has_anti_corruption_policy: true,
  }),
  'natural person': bidder({ bidder_kind: 'person', credit_line: 200_000, credit_letter_on: '2026-11-01' }),
  'no answers': EMPTY_QUALIFICATIONS,
  'indebted registered contractor, suspended until 10 December': bidder({
    bidder_kind: 'company',
    net_worth: -MILLION,
    has_anti_corruption_policy: false,
    suspended_until: '2026-12-10',
    classes: [{ branch: 'งานก่อสร้างทาง', grade: 4 }],
  }),
}
const VERDICTS: Readonly<Record<string, string>> = { e: 'eligible', b: 'blocked', u: 'unknown' }

/** Method, type, budget in baht, day of the announcement, bid day, one letter for each bidder; `-` is unknown. */
const CASES = `
e_bidding buy 99000 2026-11-10 2026-12-15 eeeeub
e_bidding construct 99000 2026-11-10 2026-12-15 eeeeuu
e_bidding buy 400000 2026-11-10 2026-12-15 eeeeub
e_bidding construct 400000 2026-11-10 2026-12-15 eeeeuu
e_bidding buy 500000 2026-11-10 2026-12-15 eeeeub
e_bidding construct 500000 2026-11-10 2026-12-15 eeeeuu
e_bidding buy 500000.01 2026-11-10 2026-12-15 eeeeub
e_bidding construct 500000.01 2026-11-10 2026-12-15 eeeeuu
e_bidding buy 500001 2026-11-10 2026-12-15 eeeeub
e_bidding construct 500001 2026-11-10 2026-12-15 eeeeuu
e_bidding buy 800000 2026-11-10 2026-12-15 eeeeub
e_bidding construct 800000 2026-11-10 2026-12-15 eeeeuu
e_bidding buy 800000.01 2026-11-10 2026-12-15 eeebub
e_bidding construct 800000.01 2026-11-10 2026-12-15 eeebuu
e_bidding buy 1000000 2026-11-10 2026-12-15 eeebub
e_bidding construct 1000000 2026-11-10 2026-12-15 eeebuu
e_bidding buy 1000001 2026-11-10 2026-12-15 eeebub
e_bidding construct 1000001 2026-11-10 2026-12-15 eeebuu
e_bidding buy 5000000 2026-11-10 2026-12-15 eeebub
e_bidding construct 5000000 2026-11-10 2026-12-15 eeebuu
e_bidding buy 5000001 2026-11-10 2026-12-15 eeebub
e_bidding construct 5000001 2026-11-10 2026-12-15 eeebuu
e_bidding buy 8000000 2026-11-10 2026-12-15 eeebub
e_bidding construct 8000000 2026-11-10 2026-12-15 eeebuu
e_bidding buy 8000001 2026-11-10 2026-12-15 ebebub
e_bidding construct 8000001 2026-11-10 2026-12-15 ebebuu
e_bidding buy 10000000 2026-11-10 2026-12-15 ebebub
e_bidding construct 10000000 2026-11-10 2026-12-15 ebebuu
e_bidding buy 10000001 2026-11-10 2026-12-15 ebebub
e_bidding construct 10000001 2026-11-10 2026-12-15 ebebuu
e_bidding buy 20000000 2026-11-10 2026-12-15 ebebub
e_bidding construct 20000000 2026-11-10 2026-12-15 ebebuu
e_bidding buy 20000001 2026-11-10 2026-12-15 ebbbub
e_bidding construct 20000001 2026-11-10 2026-12-15 ebbbuu
e_bidding buy 60000000 2026-11-10 2026-12-15 ebbbub
e_bidding construct 60000000 2026-11-10 2026-12-15 ebbbuu
e_bidding buy 60000001 2026-11-10 2026-12-15 ebbbub
e_bidding construct 60000001 2026-11-10 2026-12-15 ebbbuu
e_bidding buy 150000000 2026-11-10 2026-12-15 ebbbub
e_bidding construct 150000000 2026-11-10 2026-12-15 ebbbuu
e_bidding buy 150000001 2026-11-10 2026-12-15 ebbbub
e_bidding construct 150000001 2026-11-10 2026-12-15 ebbbuu
e_bidding buy 299999999.99 2026-11-10 2026-12-15 ebbbub
e_bidding construct 299999999.99 2026-11-10 2026-12-15 ebbbuu
e_bidding buy 300000000 2026-11-10 2026-12-15 ebbbub
e_bidding construct 300000000 2026-11-10 2026-12-15 ebbbub
e_bidding buy 300000001 2026-11-10 2026-12-15 ebbbub
e_bidding construct 300000001 2026-11-10 2026-12-15 ebbbub
e_bidding buy 499000000 2026-11-10 2026-12-15 ebbbub
e_bidding construct 499000000 2026-11-10 2026-12-15 ebbbub
e_bidding buy 500000000 2026-11-10 2026-12-15 ebbbub
e_bidding construct 500000000 2026-11-10 2026-12-15 ebbbub
e_bidding buy 500000001 2026-11-10 2026-12-15 ebbbub
e_bidding construct 500000001 2026-11-10 2026-12-15 ebbbub
e_bidding buy 1000000000 2026-11-10 2026-12-15 ebbbub
e_bidding construct 1000000000 2026-11-10 2026-12-15 ebbbub
e_market buy 99000 2026-11-10 2026-12-15 eeeeub
design_open design 99000 2026-11-10 2026-12-15 eeeeub
consultant_open consult 99000 2026-11-10 2026-12-15 eeeeub
price_enquiry service 99000 2026-11-10 2026-12-15 eeeeub
e_market buy 500000.01 2026-11-10 2026-12-15 eeeeub
design_open design 500000.01 2026-11-10 2026-12-15 eeeeub
consultant_open consult 500000.01 2026-11-10 2026-12-15 eeeeub
price_enquiry service 500000.01 2026-11-10 2026-12-15 eeeeub
e_market buy 800000.01 2026-11-10 2026-12-15 eeebub
design_open design 800000.01 2026-11-10 2026-12-15 eeebub
consultant_open consult 800000.01 2026-11-10 2026-12-15 eeebub
price_enquiry service 800000.01 2026-11-10 2026-12-15 eeebub
e_market buy 5000000 2026-11-10 2026-12-15 eeebub
design_open design 5000000 2026-11-10 2026-12-15 eeebub
consultant_open consult 5000000 2026-11-10 2026-12-15 eeebub
price_enquiry service 5000000 2026-11-10 2026-12-15 eeebub
e_market buy 8000001 2026-11-10 2026-12-15 ebebub
design_open design 8000001 2026-11-10 2026-12-15 ebebub
consultant_open consult 8000001 2026-11-10 2026-12-15 ebebub
price_enquiry service 8000001 2026-11-10 2026-12-15 ebebub
e_market buy 20000000 2026-11-10 2026-12-15 ebebub
design_open design 20000000 2026-11-10 2026-12-15 ebebub
consultant_open consult 20000000 2026-11-10 2026-12-15 ebebub
price_enquiry service 20000000 2026-11-10 2026-12-15 ebebub
e_market buy 60000001 2026-11-10 2026-12-15 ebbbub
design_open design 60000001 2026-11-10 2026-12-15 ebbbub
consultant_open consult 60000001 2026-11-10 2026-12-15 ebbbub
price_enquiry service 60000001 2026-11-10 2026-12-15 ebbbub
e_market buy 299999999.99 2026-11-10 2026-12-15 ebbbub
design_open design 299999999.99 2026-11-10 2026-12-15 ebbbub
consultant_open consult 299999999.99 2026-11-10 2026-12-15 ebbbub
price_enquiry service 299999999.99 2026-11-10 2026-12-15 ebbbub
e_market buy 499000000 2026-11-10 2026-12-15 ebbbub
design_open design 499000000 2026-11-10 2026-12-15 ebbbub
consultant_open consult 499000000 2026-11-10 2026-12-15 ebbbub
price_enquiry service 499000000 2026-11-10 2026-12-15 ebbbub
e_market buy 1000000000 2026-11-10 2026-12-15 ebbbub
design_open design 1000000000 2026-11-10 2026-12-15 ebbbub
consultant_open consult 1000000000 2026-11-10 2026-12-15 ebbbub
price_enquiry service 1000000000 2026-11-10 2026-12-15 ebbbub
specific buy 10000 2026-11-10 2026-12-15 bbbbbb
specific buy 500000 2026-11-10 2026-12-15 bbbbbb
specific buy 20000000 2026-11-10 2026-12-15 bbbbbb
specific buy 300000000 2026-11-10 2026-12-15 bbbbbb
consultant_specific consult 10000 2026-11-10 2026-12-15 bbbbbb
consultant_specific consult 500000 2026-11-10 2026-12-15 bbbbbb
consultant_specific consult 20000000 2026-11-10 2026-12-15 bbbbbb
consultant_specific consult 300000000 2026-11-10 2026-12-15 bbbbbb
design_specific consult 10000 2026-11-10 2026-12-15 bbbbbb
design_specific consult 500000 2026-11-10 2026-12-15 bbbbbb
design_specific consult 20000000 2026-11-10 2026-12-15 bbbbbb
design_specific consult 300000000 2026-11-10 2026-12-15 bbbbbb
selective construct 800000 2026-11-10 2026-12-15 uuuuuu
selective construct 20000000 2026-11-10 2026-12-15 uuuuuu
selective construct 299999999.99 2026-11-10 2026-12-15 uuuuuu
selective construct 300000000 2026-11-10 2026-12-15 ubuuub
selective construct - 2026-11-10 2026-12-15 uuuuuu
consultant_selective construct 800000 2026-11-10 2026-12-15 uuuuuu
consultant_selective construct 20000000 2026-11-10 2026-12-15 uuuuuu
consultant_selective construct 299999999.99 2026-11-10 2026-12-15 uuuuuu
consultant_selective construct 300000000 2026-11-10 2026-12-15 ubuuub
consultant_selective construct - 2026-11-10 2026-12-15 uuuuuu
design_selective construct 800000 2026-11-10 2026-12-15 uuuuuu
design_selective construct 20000000 2026-11-10 2026-12-15 uuuuuu
design_selective construct 299999999.99 2026-11-10 2026-12-15 uuuuuu
design_selective construct 300000000 2026-11-10 2026-12-15 ubuuub
design_selective construct - 2026-11-10 2026-12-15 uuuuuu
design_contest construct 800000 2026-11-10 2026-12-15 eeeeuu
design_contest construct 20000000 2026-11-10 2026-12-15 ebebuu
design_contest construct 299999999.99 2026-11-10 2026-12-15 ebbbuu
design_contest construct 300000000 2026-11-10 2026-12-15 ebbbub
design_contest construct - 2026-11-10 2026-12-15 euuuuu
วิธีใหม่ construct 800000 2026-11-10 2026-12-15 uuuuuu
วิธีใหม่ construct 20000000 2026-11-10 2026-12-15 uuuuuu
วิธีใหม่ construct 299999999.99 2026-11-10 2026-12-15 uuuuuu
วิธีใหม่ construct 300000000 2026-11-10 2026-12-15 ubuuub
วิธีใหม่ construct - 2026-11-10 2026-12-15 uuuuuu
e_bidding buy - 2026-11-10 2026-12-15 euuuuu
e_bidding buy - - - euuuub
e_bidding construct - 2026-11-10 2026-12-15 euuuuu
e_bidding construct - - - euuuub
e_market lease - 2026-11-10 2026-12-15 euuuuu
e_market lease - - - euuuub
consultant_open consult - 2026-11-10 2026-12-15 euuuuu
consultant_open consult - - - euuuub
e_bidding service 600000 2026-11-10 2026-12-09 eeeeub
e_bidding construct 4000000 2026-11-10 2026-12-09 eeebub
e_bidding construct 600000 2026-11-10 2026-12-09 eeeeub
e_bidding lease 450000 2026-11-10 2026-12-09 eeeeub
e_bidding service 600000 2026-11-10 2026-12-10 eeeeub
e_bidding construct 4000000 2026-11-10 2026-12-10 eeebub
e_bidding construct 600000 2026-11-10 2026-12-10 eeeeub
e_bidding lease 450000 2026-11-10 2026-12-10 eeeeub
e_bidding service 600000 2026-11-10 2026-12-11 eeeeub
e_bidding construct 4000000 2026-11-10 2026-12-11 eeebuu
e_bidding construct 600000 2026-11-10 2026-12-11 eeeeuu
e_bidding lease 450000 2026-11-10 2026-12-11 eeeeub
e_bidding service 600000 2026-11-10 2027-01-13 eeeeub
e_bidding construct 4000000 2026-11-10 2027-01-13 eeebuu
e_bidding construct 600000 2026-11-10 2027-01-13 eeeeuu
e_bidding lease 450000 2026-11-10 2027-01-13 eeeeub
e_bidding service 600000 2026-11-10 2027-01-14 ebeeub
e_bidding construct 4000000 2026-11-10 2027-01-14 ebebuu
e_bidding construct 600000 2026-11-10 2027-01-14 ebeeuu
e_bidding lease 450000 2026-11-10 2027-01-14 ebeeub
e_bidding service 600000 2026-11-10 2027-01-30 ebeeub
e_bidding construct 4000000 2026-11-10 2027-01-30 ebebuu
e_bidding construct 600000 2026-11-10 2027-01-30 ebeeuu
e_bidding lease 450000 2026-11-10 2027-01-30 ebeeub
e_bidding service 600000 2026-11-10 2027-01-31 ebebub
e_bidding construct 4000000 2026-11-10 2027-01-31 ebebuu
e_bidding construct 600000 2026-11-10 2027-01-31 ebebuu
e_bidding lease 450000 2026-11-10 2027-01-31 ebeeub
e_bidding service 600000 2026-11-10 - eeeeub
e_bidding construct 4000000 2026-11-10 - eeebub
e_bidding construct 600000 2026-11-10 - eeeeub
e_bidding lease 450000 2026-11-10 - eeeeub
e_bidding construct 400000000 2022-06-01 2026-12-15 uuuuuu
selective buy 400000000 2022-06-01 2026-12-15 uuuuuu
e_bidding buy 4000000 2022-06-01 2026-12-15 uuuuuu
e_bidding construct 400000000 2023-03-31 2026-12-15 uuuuuu
selective buy 400000000 2023-03-31 2026-12-15 uuuuuu
e_bidding buy 4000000 2023-03-31 2026-12-15 uuuuuu
e_bidding construct 400000000 2023-04-01 2026-12-15 ebbbuu
selective buy 400000000 2023-04-01 2026-12-15 uuuuuu
e_bidding buy 4000000 2023-04-01 2026-12-15 eeebub
e_bidding construct 400000000 2024-10-15 2026-12-15 ebbbuu
selective buy 400000000 2024-10-15 2026-12-15 uuuuuu
e_bidding buy 4000000 2024-10-15 2026-12-15 eeebub
e_bidding construct 400000000 2024-10-31 2026-12-15 ebbbuu
selective buy 400000000 2024-10-31 2026-12-15 uuuuuu
e_bidding buy 4000000 2024-10-31 2026-12-15 eeebub
e_bidding construct 400000000 2024-11-01 2026-12-15 ebbbub
selective buy 400000000 2024-11-01 2026-12-15 ubuuub
e_bidding buy 4000000 2024-11-01 2026-12-15 eeebub
e_bidding construct 400000000 - 2026-12-15 ebbbub
selective buy 400000000 - 2026-12-15 ubuuub
e_bidding buy 4000000 - 2026-12-15 eeebub
e_bidding buy 45000000 - 2026-12-05 ebbbub
consultant_open lease 750000 2026-10-01 2026-12-05 eeeeub
price_enquiry buy 350000 2025-02-01 - eeeeub
e_market - 7500000 2025-02-01 - eeebub
consultant_open lease 750000 2025-02-01 2026-12-05 eeeeub
price_enquiry lease 45000000 2025-02-01 2026-12-20 ebbbub
`

const cases = CASES.trim().split('\n')

test('has 200 different projects', () => {
  expect(new Set(cases).size).toBe(200)
})

test.each(cases)('%s', (line) => {
  const [method, type, budget, announced, submitted, letters] = line
    .split(' ')
    .map((cell) => (cell === '-' ? null : cell))
  const project = {
    method: method!,
    method_type: type ?? '',
    budget: budget === null ? null : Number(budget),
    bidding_invite_date: announced!,
    draft_published_date: null,
    movement_date: null,
    submission_end_date: submitted!,
  }
  const verdicts = Object.values(BIDDERS).map((profile) => decideEligibility(project, profile, TODAY).verdict)
  expect(verdicts).toEqual([...letters!].map((letter) => VERDICTS[letter]))
})
