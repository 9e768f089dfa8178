import { isProjectFeedbackAction, type ProjectFeedbackAction } from '#contract/report/project-feedback.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { giveProjectFeedback } from '#server/report/feedback/give-project-feedback.ts'
import {
  deleteMorningQueueDecisions,
  findLatestMorningQueueDataLoad,
  storeMorningQueueDecisions,
} from '#server/report/morning-queue/queries.ts'
import { patchUser } from '#server/report/user/patch-user.ts'
import { createLinePostbackAction } from './flex-parts.ts'
import type { LineMessage } from './line-api.ts'
import { findLineCardFacts, findProjectMarks } from './line-card-queries.ts'
import { buildLineReplyCard } from './line-cards.ts'
import type { LineDependencies } from './line-dependencies.ts'
import type { LineEvent } from './line-event.ts'
import type { LinePostbackAction, LinePostbackClaims } from './postback-token.ts'
import { findLinkedLineUser, recordLineButtonPress } from './queries.ts'

const BUTTON_VALID_DAYS = 7

const CONFIRMATIONS: Readonly<Record<LinePostbackAction, string>> = {
  star: 'ติดดาวแล้ว',
  unstar: 'เอาดาวออกแล้ว',
  hide: 'ซ่อนจากรายงานของคุณแล้ว',
  unhide: 'กลับมาในรายงานแล้ว',
  relevant: 'บันทึกว่าเกี่ยวแล้ว',
  irrelevant: 'บันทึกว่าไม่เกี่ยวแล้ว และซ่อนจากรายงานของคุณ',
  seen: 'บันทึกว่าเคยเห็นแล้ว',
  no_feedback: 'ลบคำตอบแล้ว',
}
type MarkAction = Exclude<LinePostbackAction, ProjectFeedbackAction>
const UNDO: Readonly<Record<MarkAction, MarkAction>> = {
  star: 'unstar',
  unstar: 'star',
  hide: 'unhide',
  unhide: 'hide',
}
const UNDO_LABELS: Readonly<Partial<Record<LinePostbackAction, string>>> = { star: 'ติดดาวอีกครั้ง', hide: 'ไม่สนใจ' }

async function applyButton(
  tx: Db,
  { action, userId, projectId }: LinePostbackClaims,
  at: Date,
): Promise<LinePostbackAction> {
  if (isProjectFeedbackAction(action)) return await giveProjectFeedback(tx, { userId, projectId, action }, at)
  const target = { action: action.startsWith('un') ? 'remove' : 'add', project_id: projectId } as const
  const patch: UserPatch = action.endsWith('star') ? { bookmark_action: target } : { hide_action: target }
  await patchUser(tx, { userId, isDemo: false }, patch, { isMinimal: true, at })
  return UNDO[action]
}

type Work = { readonly db: Db; readonly parts: LineDependencies; readonly now: Date }

export async function handleLineButtonPress(
  { db, parts, now }: Work,
  event: LineEvent,
  { data, person }: { readonly data: string; readonly person: string },
): Promise<LineMessage[]> {
  const textReply = (text: string) => [buildLineReplyCard(text)]
  const token = parts.tokens.read(data, person)
  if (!token) return textReply('ปุ่มนี้ใช้ไม่ได้')
  const { claims, hash } = token
  const lastDay = addDays(claims.day, BUTTON_VALID_DAYS)
  const day = getBangkokToday(now)
  if (day > lastDay) return textReply(`ปุ่มนี้เก่ากว่า ${BUTTON_VALID_DAYS} วันแล้ว เปิดโครงการเพื่อทำต่อ`)
  const linked = await findLinkedLineUser(db, parts.identity.hashes(person))
  if (linked?.userId !== claims.userId) return textReply('LINE นี้ไม่ได้เชื่อมกับบัญชีของปุ่มนี้แล้ว')
  const { action, projectId } = claims
  const name = (await findLineCardFacts(db, [projectId])).get(projectId)?.name
  const isThere = (await findProjectMarks(db, linked, [projectId])).has(projectId)
  if (name === undefined || !isThere) return textReply('โครงการนี้ไม่อยู่ในรายงานขององค์กรแล้ว')
  let undo: LinePostbackAction | undefined
  try {
    undo = await db.transaction(async (tx) => {
      const expiresAt = new Date(`${addDays(lastDay, 1)}T00:00:00+07:00`)
      if (!(await recordLineButtonPress(tx, hash, event.id, expiresAt))) return undefined
      const inverse = await applyButton(tx, claims, now)
      await recordDecision(tx, { ...linked, today: day }, claims)
      return inverse
    })
    if (undo === undefined) return textReply('ปุ่มนี้กดไปแล้ว ใช้ปุ่มของคำตอบล่าสุด')
  } catch (error) {
    // Reply with the message that the report would show for this error, for example about too many stars.
    if (error instanceof ProblemError) return textReply(Object.values(error.fields)[0]?.[0] ?? error.message)
    throw error
  }
  const label = UNDO_LABELS[undo] ?? 'เลิกทำ'
  const undoToken = parts.tokens.sign({ action: undo, userId: linked.userId, projectId, day }, person)
  return [
    buildLineReplyCard(`${CONFIRMATIONS[action]}: ${name}`, {
      label,
      action: createLinePostbackAction(label, undoToken, `${label}: ${name}`),
    }),
  ]
}

/** Starring, hiding or having seen the project counts as a decision in this morning's queue; `relevant` does not. */
async function recordDecision(
  tx: Db,
  decider: { readonly userId: number; readonly organisationId: number; readonly today: string },
  { action, projectId }: LinePostbackClaims,
): Promise<void> {
  if (action === 'relevant') return
  const { load_id } = await findLatestMorningQueueDataLoad(tx)
  if (load_id === null) return
  const decisions = { load_id, project_ids: [projectId] }
  if (action.startsWith('un') || action === 'no_feedback') await deleteMorningQueueDecisions(tx, decisions, decider)
  else await storeMorningQueueDecisions(tx, decisions, decider)
}
