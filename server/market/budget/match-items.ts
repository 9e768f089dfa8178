import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Db } from '#server/platform/engine/db.ts'
import { findStaleMatches, type ItemToMatch, itemsToMatch, type MatchedItem, replaceMatches } from './queries-match.ts'

/** What an organisation's words find in one item; undefined when none of its inclusions does. */
export type FindWords = (
  item: ItemToMatch,
) =>
  | { readonly keywords: readonly number[]; readonly words: readonly string[]; readonly excludedBy: string | null }
  | undefined

export type MatchBudgetOptions = {
  /** The words of an organisation as they are now; undefined when it is gone. The matching of projects reads them. */
  wordsOf(db: Db, organisationId: number): Promise<FindWords | undefined>
  now(): Date
  readonly signal?: AbortSignal | undefined
}

/** About 20 ms of work, then others get their turn. */
const BATCH = 1_000

/**
 * Looks for the words of every organisation in every year that they have not been looked for in, or whose items or words have changed since.
 * One organisation's year is swapped in one transaction: killed in between it is as it was, and comes first at the next call. Answers how many it did.
 */
export async function matchBudget(db: Db, options: MatchBudgetOptions): Promise<number> {
  const stale = await findStaleMatches(db)
  let known:
    | { readonly organisationId: number; readonly version: number; readonly find: FindWords | undefined }
    | undefined
  for (const year of stale) {
    options.signal?.throwIfAborted()
    if (known?.organisationId !== year.organisationId || known.version !== year.rulesVersion) {
      // Words that change from here on leave a newer version behind, and the year is done again.
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
