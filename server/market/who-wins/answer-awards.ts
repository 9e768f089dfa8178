import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { Awarded, Awards, Purchases, WinScope } from './awards.ts'
import type { AwardMemory } from './memory/award-memory.ts'
import { readAwards, readPurchases } from './read-awards.ts'

/** Answers from memory when the cache is current, otherwise by SQL, with the same result. */
export type WinSource = { readonly db: Db; readonly memory?: AwardMemory | undefined }

/**
 * Loads the awards of a search and passes them to `count`; if the data changed while counting from memory, counts again
 * by SQL.
 */
export async function answerAwards<T>(
  { db, memory }: WinSource,
  search: ReportSearch,
  scope: WinScope,
  count: (awards: Awards) => Promise<T>,
): Promise<T> {
  const held = await memory?.awardsOf(search, scope)
  if (held) {
    const answer = await count(held.awards)
    if (held.isStill()) return answer
  }
  return await count(await readAwards(db, search, scope))
}

export async function answerPurchases<T>(
  { db, memory }: WinSource,
  purchases: Purchases,
  scope: WinScope,
  count: (awarded: Awarded) => Promise<T>,
): Promise<T> {
  const held = await memory?.awardsOf({}, scope)
  if (held) {
    const answer = await count(await boughtBy(held.awards, purchases))
    if (held.isStill()) return answer
  }
  return await count(await readPurchases(db, purchases, scope))
}

/** Rows scanned before yielding to the event loop: some 5 ms. */
const PLACES_A_TURN = 500_000

async function boughtBy(awards: Awarded, { units, yearFrom = 1, yearTo = 0x7fff }: Purchases): Promise<Awarded> {
  const { columns, spending } = awards
  const isAsked = new Uint8Array(awards.agencyOf.length)
  for (const unit of units) isAsked[unit] = 1
  // Without year limits, projects of an unknown year count too.
  const first = yearFrom === 1 && yearTo === 0x7fff ? 0 : yearFrom
  const among = async (places: Int32Array, { department, year }: Pick<typeof spending, 'department' | 'year'>) => {
    const kept = new Int32Array(places.length)
    let size = 0
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at]!
      if (isAsked[department[place]!] === 1 && year[place]! >= first && year[place]! <= yearTo) kept[size++] = place
      if (at % PLACES_A_TURN === PLACES_A_TURN - 1) await yieldToEventLoop()
    }
    return kept.slice(0, size)
  }
  return { ...awards, facts: await among(awards.facts, columns), decided: await among(awards.decided, spending) }
}
