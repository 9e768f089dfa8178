import { expect, test } from 'vitest'
import type { BudgetDetail, BudgetItem, BudgetLink } from '#contract/market/budget.ts'
import { isBudgetLinkCountedInTotals, withBudgetLinkDecision } from './budgets.ts'

const link = (
  project_id: string,
  state: BudgetLink['state'],
  confidence: number,
  decision: BudgetLink['decision'] = null,
) => ({ project_id, state, confidence, decision, decided_by: null }) as BudgetLink
const detail = (...links: BudgetLink[]): BudgetDetail => ({
  item: { id: 1, state: 'none', links: 0, guesses: 0 } as BudgetItem,
  links,
  other_years: [],
})
const summaryOf = ({ item: { state, links, guesses } }: BudgetDetail) => ({ state, links, guesses })

test('a link counts when confirmed, or when confident and not rejected', () => {
  expect(isBudgetLinkCountedInTotals({ decision: 'confirmed', confidence: 0.2 })).toBe(true)
  expect(isBudgetLinkCountedInTotals({ decision: null, confidence: 0.7 })).toBe(true)
  expect(isBudgetLinkCountedInTotals({ decision: null, confidence: 0.69 })).toBe(false)
  expect(isBudgetLinkCountedInTotals({ decision: 'rejected', confidence: 0.99 })).toBe(false)
})

test('confirming a guess moves the item to its project’s state, and undoing it moves it back', () => {
  const before = detail(link('1', 'draft', 0.8), link('2', 'awarded', 0.4))
  const confirmed = withBudgetLinkDecision(before, '2', 'confirmed')
  expect(summaryOf(confirmed)).toEqual({ state: 'awarded', links: 2, guesses: 0 })
  expect(summaryOf(withBudgetLinkDecision(confirmed, '2', null))).toEqual({ state: 'draft', links: 1, guesses: 1 })
})

test('an item without counting links is unannounced; it is cancelled only if all links are', () => {
  expect(summaryOf(withBudgetLinkDecision(detail(link('1', 'invited', 0.9)), '1', 'rejected'))).toEqual({
    state: 'none',
    links: 0,
    guesses: 0,
  })
  const two = detail(link('1', 'cancelled', 0.9), link('2', 'draft', 0.9))
  expect(summaryOf(withBudgetLinkDecision(two, '1', 'confirmed')).state).toBe('draft')
  expect(summaryOf(withBudgetLinkDecision(two, '2', 'rejected')).state).toBe('cancelled')
})
