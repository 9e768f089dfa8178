import {
  type BudgetDetail,
  type BudgetItemState,
  type BudgetLink,
  type LinkDecision,
  SURE_LINK,
} from '#contract/budget/budget.ts'

/** Furthest first: the state of an item is the furthest of its projects; cancelled only where all of them are. */
const BY_PROGRESS = ['awarded', 'invited', 'draft', 'cancelled'] as const satisfies readonly BudgetItemState[]

/** Whether a link counts in the figures: confirmed, or sure and not rejected. */
export function linkCounts({ decision, confidence }: Pick<BudgetLink, 'decision' | 'confidence'>): boolean {
  return decision === 'confirmed' || (decision === null && confidence >= SURE_LINK)
}

/** The detail as it will be once a decision is stored, so that the screen need not wait for the answer. */
export function withDecision(detail: BudgetDetail, projectId: string, decision: LinkDecision): BudgetDetail {
  const links = detail.links.map((link) =>
    link.project_id === projectId ? { ...link, decision, decided_by: null } : link,
  )
  const counting = links.filter(linkCounts)
  return {
    ...detail,
    links,
    item: {
      ...detail.item,
      state: BY_PROGRESS.find((state) => counting.some((link) => link.state === state)) ?? 'none',
      links: counting.length,
      guesses: links.filter((link) => link.decision === null && link.confidence < SURE_LINK).length,
    },
  }
}
