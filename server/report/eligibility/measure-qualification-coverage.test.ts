import { expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS } from '#contract/account/qualification.ts'
import { countCoverage } from './measure-qualification-coverage.ts'

const TODAY = '2026-11-29'
const MILLION = 1_000_000
const tender = (method: string, budget: number | null) => ({
  ...{ method, method_type: 'buy', budget, submission_end_date: '2026-12-15' },
  ...{ bidding_invite_date: '2026-11-10', draft_published_date: null, movement_date: null },
})
const OPEN = [
  tender('e_bidding', 400_000),
  tender('e_bidding', 4 * MILLION),
  tender('e_bidding', 4 * MILLION),
  tender('e_bidding', 400 * MILLION),
  tender('selective', 4 * MILLION),
  tender('specific', 400_000),
]

test('an empty profile decides only what the method decides, and the first answer is awaited', () => {
  const { open, decided, answers } = countCoverage(OPEN, EMPTY_QUALIFICATIONS, TODAY)
  expect([open, decided]).toEqual([6, 1])
  expect(answers.bidder_kind).toEqual({ decided: 0, waiting: 4 })
  expect(answers.net_worth).toEqual({ decided: 0, waiting: 0 })
  expect(answers.has_anti_corruption_policy).toEqual({ decided: 0, waiting: 1 })
})

test('each answer counts the projects that would have no verdict without it', () => {
  const bidder = { ...EMPTY_QUALIFICATIONS, bidder_kind: 'company' as const, net_worth: MILLION }
  const { decided, answers } = countCoverage(OPEN, bidder, TODAY)
  expect(decided).toBe(4)
  expect(answers.bidder_kind.decided).toBe(3)
  expect(answers.net_worth.decided).toBe(3)
  expect(answers.has_anti_corruption_policy).toEqual({ decided: 0, waiting: 1 })
  const complete = countCoverage(OPEN, { ...bidder, has_anti_corruption_policy: true }, TODAY)
  expect(complete.decided).toBe(5)
  expect(complete.answers.has_anti_corruption_policy).toEqual({ decided: 1, waiting: 0 })
})

test('projects that share a count are decided alike', () => {
  const bidder = { ...EMPTY_QUALIFICATIONS, bidder_kind: 'new_company' as const, paid_capital: 2 * MILLION }
  const budgets = [900_000, MILLION, MILLION + 1, 10 * MILLION, 10 * MILLION + 0.01, 20 * MILLION]
  const projects = budgets.map((budget) => tender('e_bidding', budget))
  const combined = countCoverage(projects, bidder, TODAY)
  const separately = projects.map((project) => countCoverage([project], bidder, TODAY))
  expect(combined.decided).toBe(separately.reduce((sum, { decided }) => sum + decided, 0))
  expect(combined.answers.paid_capital.decided).toBe(
    separately.reduce((sum, { answers }) => sum + answers.paid_capital.decided, 0),
  )
})
