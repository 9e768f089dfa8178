import type { BudgetItem, BudgetLink } from '#contract/market/budget.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { type StoredBudgetItem, type StoredBudgetLink, toBudgetStateCode } from './budget-item-queries.ts'

/** Lists every field, so that new columns do not leak. */
export function presentBudgetItem(item: StoredBudgetItem): BudgetItem {
  return {
    id: item.id,
    item_id: item.source_id,
    fiscal_year: item.fiscal_year,
    ministry: item.ministry,
    unit: item.unit,
    plan: item.plan,
    output: item.output,
    project: item.project,
    categories: item.categories,
    description: item.description,
    amount: satangToBaht(item.amount_satang),
    is_multi_year: item.is_multi_year,
    is_cross_function: item.is_cross_function,
    province: getProvinceName(item.province),
    source_document: item.document,
    source_page: item.page,
    matched_words: item.words ?? [],
    excluded_by: item.excluded_by,
    state: toBudgetStateCode(item.state),
    links: item.links,
    guesses: item.guesses,
  }
}

export function presentBudgetLink(link: StoredBudgetLink): BudgetLink {
  const state = toBudgetStateCode(link.state)
  return {
    project_id: link.project_id,
    name: link.name,
    dept_name: link.dept_name,
    dept_sub_name: link.dept_sub_name,
    fiscal_year: link.fiscal_year,
    budget: satangToBaht(link.budget_satang),
    winner_name: link.winner_name,
    winner_budget: satangToBaht(link.winner_satang),
    movement: link.movement,
    movement_date: link.movement_on,
    // A linked project always has a state, so "none" never reaches the client.
    state: state === 'none' ? 'draft' : state,
    confidence: link.confidence,
    reasons: link.reasons,
    decision: link.decision,
    decided_by: link.decided_by,
    in_report: link.in_report,
  }
}
