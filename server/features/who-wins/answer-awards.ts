import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/engine/db.ts'
import type { Awards, WinScope } from './awards.ts'
import type { AwardMemory } from './memory/award-memory.ts'
import { readAwards } from './read-awards.ts'

/** Where a question is answered: from memory when it holds what stands in the database now, and otherwise by SQL, with the same answer. */
type WinSource = { readonly db: Db; readonly memory?: AwardMemory | undefined }

/** Finds what was awarded and hands it to `count`; what changed while it was counted from memory is counted anew by SQL. */
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
