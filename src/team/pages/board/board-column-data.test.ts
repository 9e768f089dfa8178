import { expect, test } from 'vitest'
import { DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import { getDaysLeftUntil, groupCardsIntoBoardColumns, moveNeedsBidDecision } from './board-column-data.ts'

const card = (project_id: string, stage: string, more: Partial<PursuitCard> = {}) =>
  ({ project_id, stage, deadline: null, budget: null, changed_at: '2026-11-20T00:00:00Z', ...more }) as PursuitCard

const CARDS = [
  card('1', 'screened', { budget: 1_000_000 }),
  card('2', 'screened', { deadline: '2026-12-09', budget: 500_000 }),
  card('3', 'screened', { deadline: '2026-12-01' }),
  card('4', 'won', { changed_at: '2026-11-21T00:00:00Z' }),
  card('5', 'won', { changed_at: '2026-11-22T00:00:00Z' }),
  card('6', 'a stage that is gone', { deadline: '2026-12-20' }),
]
const columnSummary = (toggled: readonly string[] = []) =>
  groupCardsIntoBoardColumns(DEFAULT_PURSUIT_STAGES, CARDS, toggled).map(({ stage, cards, isFolded }) => [
    stage.id,
    cards.map(({ project_id }) => project_id).join(''),
    isFolded,
  ])

test('sorts by stage and nearest deadline; ended ones by last change, and collapsed', () => {
  expect(columnSummary()).toEqual([
    ['screened', '3261', false],
    ['pricing', '', false],
    ['deciding', '', false],
    ['preparing', '', false],
    ['submitted', '', false],
    ['won', '54', true],
    ['lost', '', true],
    ['declined', '', true],
  ])
})

test('inverts the default state of a toggled column', () => {
  const folded = columnSummary(['won', 'pricing']).filter(([, , isFolded]) => isFolded)
  expect(folded.map(([id]) => id)).toEqual(['pricing', 'lost', 'declined'])
})

test('asks only about an undecided card moved past deciding into further work', () => {
  const asksForDecision = (from: Partial<PursuitCard>, to: string, stages = DEFAULT_PURSUIT_STAGES) =>
    moveNeedsBidDecision(card('1', 'screened', from), stages.find(({ id }) => id === to)!, stages)
  expect(asksForDecision({}, 'preparing')).toBe(true)
  expect(asksForDecision({ stage: 'deciding' }, 'preparing')).toBe(true)
  expect(asksForDecision({ decision: 'bid' }, 'preparing')).toBe(false)
  expect(asksForDecision({}, 'deciding')).toBe(false)
  // A submitted bid implies the decision to bid, and moving a card back requires no decision.
  expect(asksForDecision({}, 'submitted')).toBe(false)
  expect(asksForDecision({ stage: 'won' }, 'preparing')).toBe(false)
  const without = DEFAULT_PURSUIT_STAGES.filter(({ id }) => id !== 'deciding')
  expect(asksForDecision({}, 'preparing', without)).toBe(false)
})

test('sums the known budgets of a column and counts those left out as doubtful', () => {
  const cards = [
    ...CARDS,
    card('7', 'screened', { is_budget_in_doubt: true }),
    card('8', 'won', { is_budget_in_doubt: true }),
  ]
  expect(groupCardsIntoBoardColumns(DEFAULT_PURSUIT_STAGES, cards, [])[0]!.total).toEqual({
    budget: 1_500_000,
    inDoubt: 1,
  })
})

test.each([
  [null, undefined],
  ['2026-11-22', { text: 'ปิดรับแล้ว', urgency: 'past', share: 0 }],
  ['2026-11-23', { text: 'วันนี้วันสุดท้าย', urgency: 'urgent', share: 0 }],
  ['2026-11-26', { text: 'เหลือ 3 วัน', urgency: 'soon', share: 3 / 21 }],
  ['2026-11-30', { text: 'เหลือ 7 วัน', urgency: 'soon', share: 7 / 21 }],
  ['2027-03-01', { text: 'เหลือ 98 วัน', urgency: 'plain', share: 1 }],
])('shows the days left for bids until %s: %o', (deadline, left) => {
  expect(getDaysLeftUntil(deadline, '2026-11-23')).toEqual(left)
})
