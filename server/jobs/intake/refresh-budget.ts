import { isBudgetStale } from '#server/market/budget/budget-match-queries.ts'
import { LINKS_VERSION, linkBudget, type NameComparison } from '#server/market/budget/link-items.ts'
import { type ItemMatcher, matchBudget } from '#server/market/budget/match-items.ts'
import { createNameMatcher } from '#server/matching/match-names.ts'
import { loadRules } from '#server/matching/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withLease } from '#server/platform/queue/lease.ts'
import { weightedSimilarity } from '#server/report/project/likeness.ts'
import {
  type ComparableName,
  comparableName,
  nameSimilarity,
  numberSimilarity,
} from '#server/report/project/name-likeness.ts'
import { createNameWordExtractor, TRAITS_VERSION } from '#server/report/project/name-words.ts'

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
  if (!(await isBudgetStale(db, LINKS_VERSION))) return
  await withLease(db, LEASE, async () => {
    await matchBudget(db, { wordsOf: createOrganisationFinder, now, signal })
    await linkBudget(db, { names: createProjectNameComparison(), signal })
  })
}

/** Refreshes only the word matches. This is the faster half, which a first start waits for. */
export async function refreshBudgetWordMatches(
  db: Db,
  { now = () => new Date(), signal }: RefreshBudgetOptions = {},
): Promise<void> {
  await withLease(db, LEASE, () => matchBudget(db, { wordsOf: createOrganisationFinder, now, signal }))
}

async function createOrganisationFinder(db: Db, organisationId: number): Promise<ItemMatcher | undefined> {
  const [rules] = await loadRules(db, organisationId)
  return rules && createNameMatcher(rules)
}

export function createProjectNameComparison(): NameComparison {
  const words = createNameWordExtractor()
  return {
    version: TRAITS_VERSION,
    wordsOf: (name) => words.wordsOf(name),
    likeness: (a, b) => weightedSimilarity(a, b, words.weightOf),
    prepare: comparableName,
    letters: (a, b) => nameSimilarity(a as ComparableName, b as ComparableName),
    numbers: (a, b) => numberSimilarity((a as ComparableName).numbers, (b as ComparableName).numbers),
  }
}
