import type { UserPatch } from '#contract/report/user-patch.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
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

const CONFIRMATIONS: Readonly<
  Record<
    LinePostbackAction,
    { readonly confirmation: string; readonly undo: LinePostbackAction; readonly label: string }
  >
> = {
  star: { confirmation: 'ติดดาวแล้ว', undo: 'unstar', label: 'เลิกทำ' },
  unstar: { confirmation: 'เอาดาวออกแล้ว', undo: 'star', label: 'ติดดาวอีกครั้ง' },
  hide: { confirmation: 'ซ่อนจากรายงานของคุณแล้ว', undo: 'unhide', label: 'เลิกทำ' },
  unhide: { confirmation: 'กลับมาในรายงานแล้ว', undo: 'hide', label: 'ไม่สนใจ' },
}

function toUserPatch({ action, projectId }: LinePostbackClaims): UserPatch {
  const target = { action: action.startsWith('un') ? 'remove' : 'add', project_id: projectId } as const
  return action.endsWith('star') ? { bookmark_action: target } : { hide_action: target }
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
  try {
    const isDone = await db.transaction(async (tx) => {
      const expiresAt = new Date(`${addDays(lastDay, 1)}T00:00:00+07:00`)
      if (!(await recordLineButtonPress(tx, hash, event.id, expiresAt))) return false
      await patchUser(tx, { userId: linked.userId, isDemo: false }, toUserPatch(claims), { isMinimal: true, at: now })
      await recordDecision(tx, { ...linked, today: day }, claims)
      return true
    })
    if (!isDone) return textReply('ปุ่มนี้กดไปแล้ว ใช้ปุ่มของคำตอบล่าสุด')
  } catch (error) {
    // Reply with the message that the report would show for this error, for example about too many stars.
    if (error instanceof ProblemError) return textReply(Object.values(error.fields)[0]?.[0] ?? error.message)
    throw error
  }
  const { confirmation, undo, label } = CONFIRMATIONS[action]
  const undoToken = parts.tokens.sign({ action: undo, userId: linked.userId, projectId, day }, person)
  return [
    buildLineReplyCard(`${confirmation}: ${name}`, {
      label,
      action: createLinePostbackAction(label, undoToken, `${label}: ${name}`),
    }),
  ]
}

/** Starring or hiding in the chat counts as a decision in this morning's queue. */
async function recordDecision(
  tx: Db,
  decider: { readonly userId: number; readonly organisationId: number; readonly today: string },
  { action, projectId }: LinePostbackClaims,
): Promise<void> {
  const { load_id } = await findLatestMorningQueueDataLoad(tx)
  if (load_id === null) return
  const decisions = { load_id, project_ids: [projectId] }
  if (action.startsWith('un')) await deleteMorningQueueDecisions(tx, decisions, decider)
  else await storeMorningQueueDecisions(tx, decisions, decider)
}
