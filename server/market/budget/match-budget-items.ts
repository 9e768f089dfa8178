import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Db } from '#server/platform/engine/db.ts'
import {
  type BudgetItemMatch,
  type BudgetItemToMatch,
  findBudgetItemsToMatch,
  findStaleBudgetMatchRuns,
  replaceBudgetMatches,
} from './budget-match-queries.ts'

export type BudgetItemMatcher = (
  item: BudgetItemToMatch,
) =>
  | { readonly keywords: readonly number[]; readonly words: readonly string[]; readonly excludedBy: string | null }
  | undefined

export type MatchBudgetOptions = {
  /**
   * Returns a matcher for the organisation's current keywords, the same that project matching uses; undefined when the
   * organisation was deleted.
   */
  wordsOf(db: Db, organisationId: number): Promise<BudgetItemMatcher | undefined>
  now(): Date
  readonly signal?: AbortSignal | undefined
}

/** Items per batch: about 20 ms of work between yields to the event loop. */
const BATCH_SIZE = 1_000

/**
 * Matches every organisation's keywords in every year whose match is missing or older than the items or keywords. Each
 * organisation and year is replaced in one transaction, so a killed run leaves it unchanged and first in the next call.
 * Returns the number of matched years.
 */
export async function matchBudgetItems(db: Db, options: MatchBudgetOptions): Promise<number> {
  const stale = await findStaleBudgetMatchRuns(db)
  let current:
    | { readonly organisationId: number; readonly version: number; readonly find: BudgetItemMatcher | undefined }
    | undefined
  for (const year of stale) {
    options.signal?.throwIfAborted()
    if (current?.organisationId !== year.organisationId || current.version !== year.rulesVersion) {
      // Keywords that change after this read have a newer version than stored, so the year is matched again.
      const find = await options.wordsOf(db, year.organisationId)
      current = { organisationId: year.organisationId, version: year.rulesVersion, find }
    }
    const matches = current.find ? await matchYear(db, year.fiscalYear, current.find, options.signal) : []
    await db.transaction((tx) => replaceBudgetMatches(tx, year, matches, options.now()), { idleTimeoutMs: 0 })
  }
  return stale.length
}

async function matchYear(
  db: Db,
  fiscalYear: number,
  find: BudgetItemMatcher,
  signal: AbortSignal | undefined,
): Promise<BudgetItemMatch[]> {
  const matches: BudgetItemMatch[] = []
  let after = 0
  for (;;) {
    signal?.throwIfAborted()
    const items = await findBudgetItemsToMatch(db, fiscalYear, after, BATCH_SIZE)
    if (items.length === 0) return matches
    for (const item of items) {
      const match = find(item)
      if (!match) continue
      const { keywords, words, excludedBy } = match
      matches.push({ item_id: item.id, keywords, words, excluded_by: excludedBy })
    }
    after = items.at(-1)!.id
    await yieldToEventLoop()
  }
}
