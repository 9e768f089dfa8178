import type { Label } from '#contract/label.ts'
import type { LabelColor } from '#contract/label-palette.ts'
import type { Db } from '#server/db/db.ts'
import { findActiveProjects, findUnmarkedUsers, insertMarks } from './queries-marks.ts'
import { SAMPLE_ORGANISATIONS } from './sample-organisations.ts'

const LABELS: readonly (Label & { color: LabelColor })[] = [
  { id: 'เตรียมยื่น-1', name: 'เตรียมยื่น', color: 'sky' },
  { id: 'รอราคาคู่ค้า-2', name: 'รอราคาคู่ค้า', color: 'amber' },
  { id: 'ไม่เข้าเกณฑ์-3', name: 'ไม่เข้าเกณฑ์', color: 'rose' },
]
/** Projects that one user marks; the middle ones carry a bookmark and a label. */
const MARKED = 10
const BOOKMARKED = 6
const FIRST_LABELLED = 4

/**
 * Gives the users of the first sample organisation bookmarks and labels on projects of their report. Users who marked
 * anything are left alone, and so is everybody while nothing has matched. Call after matching.
 */
export async function seedMarks(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const users = await findUnmarkedUsers(tx, SAMPLE_ORGANISATIONS[0]!.code)
    for (const [turn, { userId, organisationId }] of users.entries()) {
      const projects = await findActiveProjects(tx, organisationId, MARKED, turn * MARKED)
      if (projects.length === 0) return
      await insertMarks(tx, userId, {
        labels: LABELS,
        bookmarks: projects.slice(0, BOOKMARKED),
        assignments: projects
          .slice(FIRST_LABELLED)
          .map((projectId, index) => ({ projectId, labelId: LABELS[index % LABELS.length]!.id })),
      })
    }
  })
}
