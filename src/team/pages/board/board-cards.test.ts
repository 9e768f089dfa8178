import { expect, test } from 'vitest'
import { DEFAULT_STAGES } from '#contract/account/pursuit-settings.ts'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import { asksDecision, columnsOf, daysLeft } from './board-cards.ts'

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
const said = (toggled: readonly string[] = []) =>
  columnsOf(DEFAULT_STAGES, CARDS, toggled).map(({ stage, cards, isFolded }) => [
    stage.id,
    cards.map(({ project_id }) => project_id).join(''),
    isFolded,
  ])

test('cards stand by stage, the nearest deadline first, of what has ended the last change first, which is folded', () => {
  expect(said()).toEqual([
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

test('a column that is toggled is as it would not be by itself', () => {
  const folded = said(['won', 'pricing']).filter(([, , isFolded]) => isFolded)
  expect(folded.map(([id]) => id)).toEqual(['pricing', 'lost', 'declined'])
})

test('only an undecided card that goes past the deciding into further work is asked about', () => {
  const asked = (from: Partial<PursuitCard>, to: string, stages = DEFAULT_STAGES) =>
    asksDecision(card('1', 'screened', from), stages.find(({ id }) => id === to)!, stages)
  expect(asked({}, 'preparing')).toBe(true)
  expect(asked({ stage: 'deciding' }, 'preparing')).toBe(true)
  expect(asked({ decision: 'bid' }, 'preparing')).toBe(false)
  expect(asked({}, 'deciding')).toBe(false)
  // A submitted bid is decided already, and moving back is no decision.
  expect(asked({}, 'submitted')).toBe(false)
  expect(asked({ stage: 'won' }, 'preparing')).toBe(false)
  const without = DEFAULT_STAGES.filter(({ id }) => id !== 'deciding')
  expect(asked({}, 'preparing', without)).toBe(false)
})

test('the budget of a column is the sum of what is known', () => {
  expect(columnsOf(DEFAULT_STAGES, CARDS, [])[0]!.budget).toBe(1_500_000)
})

test.each([
  [null, undefined],
  ['2026-11-22', { text: 'หมดเขตแล้ว', urgency: 'past', share: 0 }],
  ['2026-11-23', { text: 'วันนี้วันสุดท้าย', urgency: 'urgent', share: 0 }],
  ['2026-11-26', { text: 'เหลือ 3 วัน', urgency: 'soon', share: 3 / 21 }],
  ['2026-11-30', { text: 'เหลือ 7 วัน', urgency: 'soon', share: 7 / 21 }],
  ['2027-03-01', { text: 'เหลือ 98 วัน', urgency: 'plain', share: 1 }],
])('bids until %s: %o', (deadline, left) => {
  expect(daysLeft(deadline, '2026-11-23')).toEqual(left)
})
