import type { UserPatch } from '#contract/report/user-patch.ts'
import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import { findLatestLoad, forgetDecisions, storeDecisions } from '#server/report/morning-queue/queries.ts'
import { patchUser } from '#server/report/user/patch-user.ts'
import { answerCard } from './card.ts'
import { findCardFacts, findOwnMarks } from './card-queries.ts'
import { pressAction } from './flex-parts.ts'
import type { LineMessage } from './line-api.ts'
import type { LineEvent } from './line-event.ts'
import type { LineParts } from './line-parts.ts'
import type { LineAction, PostbackClaims } from './postback-token.ts'
import { findLinked, recordPress } from './queries.ts'

const PRESS_DAYS = 7

const DONE: Readonly<Record<LineAction, { readonly said: string; readonly undo: LineAction; readonly label: string }>> =
  {
    star: { said: 'ติดดาวแล้ว', undo: 'unstar', label: 'เลิกทำ' },
    unstar: { said: 'เอาดาวออกแล้ว', undo: 'star', label: 'ติดดาวอีกครั้ง' },
    hide: { said: 'ซ่อนจากรายงานของคุณแล้ว', undo: 'unhide', label: 'เลิกทำ' },
    unhide: { said: 'กลับมาในรายงานแล้ว', undo: 'hide', label: 'ไม่สนใจ' },
  }

function patchOf({ action, projectId }: PostbackClaims): UserPatch {
  const target = { action: action.startsWith('un') ? 'remove' : 'add', project_id: projectId } as const
  return action.endsWith('star') ? { bookmark_action: target } : { hide_action: target }
}

type Work = { readonly db: Db; readonly parts: LineParts; readonly now: Date }

/** Performs a card button's action once, as in the report, and replies with an undo button. */
export async function press(
  { db, parts, now }: Work,
  event: LineEvent,
  { data, person }: { readonly data: string; readonly person: string },
): Promise<LineMessage[]> {
  const says = (text: string) => [answerCard(text)]
  const read = parts.tokens.read(data, person)
  if (!read) return says('ปุ่มนี้ใช้ไม่ได้')
  const { claims, hash } = read
  const lastDay = addDays(claims.day, PRESS_DAYS)
  const day = bangkokToday(now)
  if (day > lastDay) return says(`ปุ่มนี้เก่ากว่า ${PRESS_DAYS} วันแล้ว เปิดโครงการเพื่อทำต่อ`)
  const linked = await findLinked(db, parts.identity.hashes(person))
  if (linked?.userId !== claims.userId) return says('LINE นี้ไม่ได้เชื่อมกับบัญชีของปุ่มนี้แล้ว')
  const { action, projectId } = claims
  const name = (await findCardFacts(db, [projectId])).get(projectId)?.name
  const isThere = (await findOwnMarks(db, linked, [projectId])).has(projectId)
  if (name === undefined || !isThere) return says('โครงการนี้ไม่อยู่ในรายงานขององค์กรแล้ว')
  try {
    const isDone = await db.transaction(async (tx) => {
      const expiresAt = new Date(`${addDays(lastDay, 1)}T00:00:00+07:00`)
      if (!(await recordPress(tx, hash, event.id, expiresAt))) return false
      await patchUser(tx, { userId: linked.userId, isDemo: false }, patchOf(claims), { isMinimal: true, at: now })
      await decide(tx, { ...linked, today: day }, claims)
      return true
    })
    if (!isDone) return says('ปุ่มนี้กดไปแล้ว ใช้ปุ่มของคำตอบล่าสุด')
  } catch (error) {
    // Same error as in the report, such as too many stars.
    if (error instanceof ProblemError) return says(Object.values(error.fields)[0]?.[0] ?? error.message)
    throw error
  }
  const { said, undo, label } = DONE[action]
  const back = parts.tokens.sign({ action: undo, userId: linked.userId, projectId, day }, person)
  return [answerCard(`${said}: ${name}`, { label, action: pressAction(label, back, `${label}: ${name}`) })]
}

/** Starring or hiding in the chat counts as a decision in this morning's queue. */
async function decide(
  tx: Db,
  decider: { readonly userId: number; readonly organisationId: number; readonly today: string },
  { action, projectId }: PostbackClaims,
): Promise<void> {
  const { load_id } = await findLatestLoad(tx)
  if (load_id === null) return
  const decisions = { load_id, project_ids: [projectId] }
  if (action.startsWith('un')) await forgetDecisions(tx, decisions, decider)
  else await storeDecisions(tx, decisions, decider)
}
