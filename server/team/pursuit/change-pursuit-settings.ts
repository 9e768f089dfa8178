import type { PursuitSettings, PursuitSettingsPatch } from '#contract/account/pursuit-settings.ts'
import { USER_ROLES } from '#contract/account/user.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { canSeeBidPrice } from './patch-pursuit.ts'
import {
  listColleagues,
  listPursuitStagesInUse,
  loadPursuitBoard,
  lockPursuitBoard,
  notifyPursuitStageRemoved,
  type PursuitBoard,
  storePursuitSettings,
} from './queries.ts'
import { listTeamLabels } from './team-label-queries.ts'

async function presentSettings(db: Db, actor: Actor, board: PursuitBoard): Promise<PursuitSettings> {
  const { stages, template, price_roles } = board
  return {
    stages,
    template,
    price_roles: price_roles.filter((role) => USER_ROLES.some(({ code }) => code === role)),
    sees_price: canSeeBidPrice(actor, board),
    members: await listColleagues(db, actor.organisationId),
    labels: (await listTeamLabels(db, actor.organisationId)).map(({ id, name, color }) => ({ id, name, color })),
  }
}

export async function loadPursuitSettings(db: Db, actor: Actor): Promise<PursuitSettings> {
  return presentSettings(db, actor, await loadPursuitBoard(db, actor.organisationId))
}

type Origin = { readonly at: Date; readonly address: string; readonly requestId: string }

/** Throws ProblemError 400 if a removed stage still has pursuits. */
export async function changePursuitSettings(
  db: Db,
  actor: Actor,
  patch: PursuitSettingsPatch,
  origin: Origin,
): Promise<PursuitSettings> {
  const { organisationId, userId } = actor
  return db.transaction(async (tx) => {
    const board = await lockPursuitBoard(tx, organisationId)
    const { stages } = patch
    if (stages) {
      const used = await listPursuitStagesInUse(tx, organisationId)
      const removedStage = board.stages.find(({ id }) => used.includes(id) && !stages.some((stage) => stage.id === id))
      if (removedStage) {
        const text = `ขั้น “${removedStage.name}” ยังมีงานอยู่ ย้ายงานออกก่อน`
        throw new ProblemError('bad_input', { text, fields: { stages: [text] } })
      }
    }
    await storePursuitSettings(tx, organisationId, patch)
    const removed = board.stages.filter(({ id }) => stages && !stages.some((stage) => stage.id === id))
    for (const stage of removed) await notifyPursuitStageRemoved(tx, stage)
    const detail = { changed: Object.keys(patch) }
    await recordAuditEvent(tx, { kind: 'pursuit_settings_changed', organisationId, userId, ...origin, detail })
    return presentSettings(tx, actor, await loadPursuitBoard(tx, organisationId))
  })
}
