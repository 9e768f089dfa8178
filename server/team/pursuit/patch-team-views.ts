import { storedFilterCriteriaSchema } from '#contract/account/filter-criteria.ts'
import type { TeamView, TeamViews } from '#contract/report/team-view.ts'
import type { TeamViewAction } from '#contract/report/team-view-action.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { recordUsageEvents } from '#server/platform/route/usage-events.ts'
import { bumpPursuitBoardVersion, lockPursuitBoard } from './queries.ts'
import {
  clearTeamStartView,
  listTeamViews,
  removeTeamView,
  renameTeamView,
  setTeamStartView,
  unshareTeamView,
} from './team-view-queries.ts'

/** Lists views shared by colleagues. Skips views stored by a newer version that this one cannot read. */
export async function loadTeamViews(db: Db, actor: Actor): Promise<TeamViews> {
  const views = await listTeamViews(db, actor)
  return { views: views.filter(({ filterData }) => storedFilterCriteriaSchema.safeParse(filterData).success) }
}

const NOT_FOUND_TEXT = 'ไม่พบมุมมองทีมนี้ เจ้าของอาจเลิกแบ่งแล้ว'
const USAGE: Readonly<Partial<Record<TeamViewAction['action'], string>>> = {
  rename: 'เปลี่ยนชื่อมุมมองทีม',
  unshare: 'เลิกแบ่งมุมมองทีม',
  remove: 'ลบมุมมองทีม',
}

/**
 * Applies one action to a colleague's view and returns the resulting views. Throws ProblemError 400 if the view is no
 * longer shared, 403 if the change requires a super user and the caller is not one.
 */
export async function patchTeamViews(
  db: Db,
  actor: Actor,
  { action, now }: { readonly action: TeamViewAction; readonly now: Date },
): Promise<TeamViews> {
  if (action.action === 'forget') {
    await clearTeamStartView(db, actor.userId)
    return loadTeamViews(db, actor)
  }
  const view = (await listTeamViews(db, actor)).find(
    ({ id, owner }) => id === action.filter_id && owner === action.owner,
  )
  if (action.action === 'start') await changeStartView(db, actor, view, action.is_start)
  else {
    if (actor.role !== 'super_user')
      throw new ProblemError('forbidden', { text: 'แก้และลบมุมมองทีมได้เฉพาะเจ้าของกับผู้ดูแลองค์กร' })
    if (!view) throw new ProblemError('bad_input', { text: NOT_FOUND_TEXT })
    await changeView(db, actor, view, { action, now })
  }
  return loadTeamViews(db, actor)
}

async function changeStartView(db: Db, actor: Actor, view: TeamView | undefined, isStart: boolean): Promise<void> {
  if (!isStart) return clearTeamStartView(db, actor.userId)
  if (!view) throw new ProblemError('bad_input', { text: NOT_FOUND_TEXT })
  await db.transaction((tx) => setTeamStartView(tx, actor, view))
}

async function changeView(
  db: Db,
  { organisationId, userId }: Actor,
  view: TeamView,
  { action, now }: { readonly action: TeamViewAction; readonly now: Date },
): Promise<void> {
  const key = { organisationId, owner: view.owner, id: view.id }
  // Runs as superuser, because row-level policies block writes to another user's row.
  await runWithoutTenant(() =>
    db.transaction(async (tx) => {
      await lockPursuitBoard(tx, organisationId)
      if (action.action === 'rename') await renameTeamView(tx, key, action.filterName)
      else if (action.action === 'unshare') await unshareTeamView(tx, key)
      else await removeTeamView(tx, key)
      await bumpPursuitBoardVersion(tx, organisationId)
      await recordUsageEvents(tx, [
        {
          ...{ organisationId, userId, at: now, type: 'filter', description: USAGE[action.action] ?? '' },
          info: [{ name: 'ตัวกรอง', value: view.filterName }],
        },
      ])
    }),
  )
}
