import type { Preview } from '#contract/keyword/keyword-impact.ts'
import type { Db } from '#server/engine/db.ts'
import { placementUnder } from '../matching/placement.ts'
import { loadRules } from '../matching/queries.ts'
import type { RecentProjectsCache } from '../matching/recent-projects.ts'
import { TimeSlice } from '../matching/time-slice.ts'
import { previewChange } from './preview.ts'

type Waiting = { readonly organisationId: number; readonly id: number }

/**
 * What a keyword that waits would do to the report of its organisation if it were approved, over the same days and by the same engine as the preview
 * that was shown when it was added. Undefined when it waits no more.
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
