import type { Preview } from '#contract/matching/keyword-impact.ts'
import { placementUnder } from '#server/matching/placement.ts'
import { loadRules } from '#server/matching/queries.ts'
import type { RecentProjectsCache } from '#server/matching/recent-projects.ts'
import { TimeSlice } from '#server/matching/time-slice.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { previewChange } from './preview.ts'

type Waiting = { readonly organisationId: number; readonly id: number }

/**
 * Previews the effect of approving a keyword, with the same engine and days as when it was added. Undefined if it is
 * no longer waiting.
 */
export async function previewApproval(
  db: Db,
  recentProjects: RecentProjectsCache,
  { organisationId, id }: Waiting,
): Promise<Preview | undefined> {
  const [rules] = await loadRules(db, organisationId)
  const waiting = rules?.keywords.find((keyword) => keyword.id === id && !keyword.approved)
  if (!rules || !waiting) return undefined
  const kept = rules.keywords.filter((keyword) => keyword !== waiting)
  const approved = { ...waiting, approved: true }
  const recent = await recentProjects()
  const before = await placementUnder(recent, { ...rules, keywords: kept }, new TimeSlice())
  return await previewChange(db, {
    recent,
    before,
    after: { ...rules, keywords: [...kept, approved] },
    added: [approved],
  })
}
