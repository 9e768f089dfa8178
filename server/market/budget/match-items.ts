import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Db } from '#server/platform/engine/db.ts'
import {
  findStaleMatches,
  type ItemToMatch,
  itemsToMatch,
  type MatchedItem,
  replaceMatches,
} from './budget-match-queries.ts'

/** Returns undefined when no include keyword matches. */
export type FindWords = (
  item: ItemToMatch,
) =>
  | { readonly keywords: readonly number[]; readonly words: readonly string[]; readonly excludedBy: string | null }
  | undefined

export type MatchBudgetOptions = {
  /**
   * Returns a matcher for the organisation's current keywords, the same that project matching uses; undefined when the
   * organisation was deleted.
   */
  wordsOf(db: Db, organisationId: number): Promise<FindWords | undefined>
  now(): Date
  readonly signal?: AbortSignal | undefined
}

/** About 20 ms of work, then yields to other tasks. */
const BATCH = 1_000

/**
 * Matches every organisation's keywords in every year whose match is missing or older than the items or keywords. Each
 * organisation and year is replaced in one transaction, so a killed run leaves it unchanged and first in the next call.
 * Returns the number of matched years.
 */
export async function matchBudget(db: Db, options: MatchBudgetOptions): Promise<number> {
  const stale = await findStaleMatches(db)
  let known:
    | { readonly organisationId: number; readonly version: number; readonly find: FindWords | undefined }
    | undefined
  for (const year of stale) {
    options.signal?.throwIfAborted()
    if (known?.organisationId !== year.organisationId || known.version !== year.rulesVersion) {
      // If the keywords change after this read, their version is newer and the year is matched again.
      const find = await options.wordsOf(db, year.organisationId)
      known = { organisationId: year.organisationId, version: year.rulesVersion, find }
    }
    const matches = known.find ? await matchYear(db, year.fiscalYear, known.find, options.signal) : []
    await db.transaction((tx) => replaceMatches(tx, year, matches, options.now()), { idleTimeoutMs: 0 })
  }
  return stale.length
}

async function matchYear(
  db: Db,
  fiscalYear: number,
  find: FindWords,
  signal: AbortSignal | undefined,
): Promise<MatchedItem[]> {
  const matches: MatchedItem[] = []
  let after = 0
  for (;;) {
    signal?.throwIfAborted()
    const items = await itemsToMatch(db, fiscalYear, after, BATCH)
    if (items.length === 0) return matches
    for (const item of items) {
      const found = find(item)
      if (!found) continue
      const { keywords, words, excludedBy } = found
      matches.push({ item_id: item.id, keywords, words, excluded_by: excludedBy })
    }
    after = items.at(-1)!.id
    await yieldToEventLoop()
  }
}
