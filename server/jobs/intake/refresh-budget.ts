import { areBudgetLinksOrMatchesStale } from '#server/market/budget/budget-match-queries.ts'
import {
  BUDGET_LINKS_VERSION,
  linkProjectsToBudgetItems,
  type ProjectNameComparator,
} from '#server/market/budget/link-projects-to-budget-items.ts'
import { type BudgetItemMatcher, matchBudgetItems } from '#server/market/budget/match-budget-items.ts'
import { createNameMatcher } from '#server/matching/create-name-matcher.ts'
import { loadOrganisationMatchRules } from '#server/matching/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withJobLease } from '#server/platform/queue/job-lease.ts'
import {
  type ComparableName,
  computeNameSimilarity,
  computeNumberSimilarity,
  toComparableName,
} from '#server/report/project/name-similarity.ts'
import { createNameWordExtractor, PROJECT_TRAITS_VERSION } from '#server/report/project/name-word-extractor.ts'
import { computeWeightedSimilarity } from '#server/report/project/word-similarity.ts'

export type RefreshBudgetOptions = {
  readonly now?: (() => Date) | undefined
  readonly signal?: AbortSignal | undefined
}

const LEASE = 'budget'

/**
 * Refreshes data derived from the budget: projects linked to its items, after loads of either, and items that match
 * organisations' words, after loads and word changes. Does nothing while another process refreshes, or when nothing
 * changed. Starts over after a kill.
 */
export async function refreshBudget(
  db: Db,
  { now = () => new Date(), signal }: RefreshBudgetOptions = {},
): Promise<void> {
  if (!(await areBudgetLinksOrMatchesStale(db, BUDGET_LINKS_VERSION))) return
  await withJobLease(db, LEASE, async () => {
    await matchBudgetItems(db, { wordsOf: createOrganisationFinder, now, signal })
    await linkProjectsToBudgetItems(db, { names: createProjectNameComparator(), signal })
  })
}

/** Refreshes only the word matches, which is the faster half of the work; a first start waits for it. */
export async function refreshBudgetWordMatches(
  db: Db,
  { now = () => new Date(), signal }: RefreshBudgetOptions = {},
): Promise<void> {
  await withJobLease(db, LEASE, () => matchBudgetItems(db, { wordsOf: createOrganisationFinder, now, signal }))
}

async function createOrganisationFinder(db: Db, organisationId: number): Promise<BudgetItemMatcher | undefined> {
  const [rules] = await loadOrganisationMatchRules(db, organisationId)
  return rules && createNameMatcher(rules)
}

function createProjectNameComparator(): ProjectNameComparator {
  const words = createNameWordExtractor()
  return {
    version: PROJECT_TRAITS_VERSION,
    wordsOf: (name) => words.wordsOf(name),
    likeness: (a, b) => computeWeightedSimilarity(a, b, words.weightOf),
    prepare: toComparableName,
    letters: (a, b) => computeNameSimilarity(a as ComparableName, b as ComparableName),
    numbers: (a, b) => computeNumberSimilarity((a as ComparableName).numbers, (b as ComparableName).numbers),
  }
}
