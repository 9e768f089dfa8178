import { extractProjectId } from '#contract/catalogue/project-id.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { notifyOwnerOfAddedAccess } from '#server/account/account-notice/notify-owner-of-added-access.ts'
import { notifySuperUsers } from '#server/account/account-notice/notify-super-users.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderAccessGrantedMail } from '#server/platform/mail/access-mails.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import { maskEmail } from '#server/platform/text/email.ts'
import {
  hashLineConnectCode,
  LINE_CONNECT_COMMAND,
  LINE_CONNECT_GROUP_COMMAND,
  parseLineConnectCode,
} from './connect-code.ts'
import { createLineUriAction } from './flex-parts.ts'
import { handleLineButtonPress } from './handle-line-button-press.ts'
import { LineApiError, type LineMessage } from './line-api.ts'
import { findLineCardFacts, findProjectMarks } from './line-card-queries.ts'
import { buildLineProjectCard, buildLineReplyCard, toLineCardProject } from './line-cards.ts'
import type { LineDependencies } from './line-dependencies.ts'
import type { LineEvent } from './line-event.ts'
import { connectLineGroup, isLineGroupConnected, removeLineGroupByHash } from './line-group-queries.ts'
import {
  completeLineConnection,
  consumeLineConnectCode,
  disconnectLineAccount,
  findLinkedLineUser,
  type LinkedLineUser,
} from './queries.ts'

export type LineEventContext = {
  readonly db: Db
  readonly parts: LineDependencies
  readonly now: Date
  readonly signal: AbortSignal
}

const NOTIFICATION_SETTINGS_PATH = '/settings?tab=notifications'

/** Audit origin of changes triggered by LINE's servers rather than by a client request. */
const LINE_AUDIT_ORIGIN = { address: 'line', requestId: '-' } as const

const textReply = (text: string): LineMessage[] => [buildLineReplyCard(text)]

/**
 * Handles an event and returns the reply, or undefined for none. Idempotent: repeating an event after a worker died
 * changes nothing more and returns the same reply.
 */
export async function handleLineEvent(work: LineEventContext, event: LineEvent): Promise<LineMessage[] | undefined> {
  const { group, person } = event
  if (group !== undefined) return handleGroupEvent(work, event, group)
  if (person === undefined) return undefined
  switch (event.type) {
    case 'follow':
      return welcome(work.parts, 'ขอบคุณที่เพิ่มเพื่อน เชื่อมกับบัญชีตามงานได้ที่ ตั้งค่า แล้วเลือก การแจ้งเตือน')
    case 'unfollow':
      await unfollow(work, person)
      return undefined
    case 'accountLink':
      return event.nonce === undefined ? undefined : endConnection(work, event.nonce, person)
    case 'postback':
      return event.data === undefined ? undefined : handleLineButtonPress(work, event, { data: event.data, person })
    case 'message':
      return event.text === undefined ? undefined : handleText(work, event, { text: event.text, person })
    default:
      return undefined
  }
}

const welcome = ({ mails }: LineDependencies, text: string): LineMessage[] => [
  buildLineReplyCard(text, {
    label: 'เปิดการตั้งค่า',
    action: createLineUriAction('เปิดการตั้งค่า', mails.link(NOTIFICATION_SETTINGS_PATH)),
  }),
]

async function unfollow({ db, parts, now }: LineEventContext, person: string): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await disconnectLineAccount(tx, parts.identity.hashes(person))
    if (user) await audit(tx, 'line_disconnected', user, now, { by: 'unfollow' })
  })
}

function audit(
  tx: Db,
  kind: 'line_connected' | 'line_disconnected' | 'line_group_connected',
  { userId, organisationId }: LinkedLineUser,
  at: Date,
  detail: Readonly<Record<string, string>> = {},
) {
  return recordAuditEvent(tx, { kind, at, userId, organisationId, ...LINE_AUDIT_ORIGIN, detail })
}

/** First step of account linking: the code identifies the account, then LINE must confirm the person. */
async function beginConnection(
  { db, parts, now, signal }: LineEventContext,
  event: LineEvent,
  { code, person }: { readonly code: string; readonly person: string },
): Promise<LineMessage[]> {
  const nonce = generateSecretToken()
  const account = await consumeLineConnectCode(
    db,
    {
      codeHash: hashLineConnectCode(LINE_CONNECT_COMMAND, code),
      eventId: event.id,
      lineHash: parts.identity.hash(person),
      nonceHash: hashSecret(nonce),
    },
    now,
  )
  if (!account) return welcome(parts, 'รหัสนี้ใช้ไม่ได้ อาจหมดเวลาหรือใช้ไปแล้ว ขอรหัสใหม่ที่ ตั้งค่า แล้วเลือก การแจ้งเตือน')
  const linkToken = await parts.api.linkToken(person, signal)
  const address = `https://access.line.me/dialog/bot/accountLink?${new URLSearchParams({ linkToken, nonce })}`
  return [
    buildLineReplyCard(`เชื่อม LINE นี้กับบัญชี ${maskEmail(account.email)} ถ้าไม่ใช่บัญชีของคุณ ไม่ต้องกด`, {
      label: 'เชื่อมบัญชี',
      action: createLineUriAction('เชื่อมบัญชี', address),
    }),
  ]
}

async function endConnection(
  { db, parts, now, signal }: LineEventContext,
  nonce: string,
  person: string,
): Promise<LineMessage[]> {
  const { identity, mails } = parts
  const name = await nameOf(parts, person, signal)
  const link = {
    nonceHash: hashSecret(nonce),
    hashes: identity.hashes(person),
    lineHash: identity.hash(person),
    sealed: identity.seal(person),
    nameSealed: name === undefined ? null : identity.seal(name),
  }
  const connected = await db.transaction(async (tx) => {
    const connection = await completeLineConnection(tx, link, now)
    if (connection?.kind === 'connected') {
      await audit(tx, 'line_connected', connection, now)
      const { userId, organisationId } = connection
      const facts = name === undefined ? [] : [['ชื่อใน LINE', name] as const]
      await notifyOwnerOfAddedAccess(tx, mails, {
        what: 'line_connected',
        userId,
        organisationId,
        at: now,
        page: NOTIFICATION_SETTINGS_PATH,
        facts,
      })
    }
    return connection
  })
  if (connected?.kind === 'other')
    return textReply('LINE นี้เชื่อมกับอีกบัญชีหนึ่งอยู่ ยกเลิกที่บัญชีนั้นก่อน แล้วขอรหัสใหม่ที่ ตั้งค่า การแจ้งเตือน')
  if (connected || (await findLinkedLineUser(db, link.hashes)))
    return welcome(parts, 'เชื่อมแล้ว สรุปเช้าและเรื่องด่วนจะมาที่นี่ เลือกได้ว่าให้แจ้งอะไรและเมื่อไร')
  return welcome(parts, 'เชื่อมไม่สำเร็จ คำขออาจหมดเวลา ขอรหัสใหม่ที่ ตั้งค่า แล้วเลือก การแจ้งเตือน')
}

async function nameOf({ api }: LineDependencies, person: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await api.displayName(person, signal)
  } catch (error) {
    if (error instanceof LineApiError) return undefined
    throw error
  }
}

const HELP = 'ส่งเลขที่โครงการ 11 หลัก หรือลิงก์ของ e-GP มาที่นี่ แล้วจะตอบด้วยการ์ดของโครงการ'

async function handleText(
  work: LineEventContext,
  event: LineEvent,
  { text, person }: { readonly text: string; readonly person: string },
): Promise<LineMessage[]> {
  const { db, parts, now } = work
  const spoken = parseLineConnectCode(text)
  if (spoken?.word === LINE_CONNECT_COMMAND) return beginConnection(work, event, { code: spoken.code, person })
  if (spoken) return textReply('รหัสนี้ใช้ในกลุ่ม เชิญตามงานเข้ากลุ่ม แล้วส่งข้อความเดียวกันในกลุ่มนั้น')
  const linked = await findLinkedLineUser(db, parts.identity.hashes(person))
  if (!linked) return welcome(parts, 'LINE นี้ยังไม่ได้เชื่อมกับบัญชีตามงาน เชื่อมได้ที่ ตั้งค่า แล้วเลือก การแจ้งเตือน')
  const id = extractProjectId(text)
  if (id === undefined) return textReply(HELP)
  const facts = (await findLineCardFacts(db, [id])).get(id)
  if (!facts) return textReply(`ไม่พบโครงการเลขที่ ${id} ในข้อมูลที่นำเข้าแล้ว`)
  const marks = (await findProjectMarks(db, linked, [id])).get(id)
  const page = (path: string) => parts.mails.link(path)
  const day = getBangkokToday(now)
  const buttons = {
    page,
    press: (action: Parameters<LineDependencies['tokens']['sign']>[0]['action'], projectId: string) =>
      parts.tokens.sign({ action, userId: linked.userId, projectId, day }, person),
  }
  const card = {
    title: `โครงการ ${id}`,
    projects: [toLineCardProject(facts, { now, isStarred: marks?.isStarred ?? false })],
  }
  return [
    buildLineProjectCard({ ...card, note: marks ? undefined : 'ไม่อยู่ในรายงานขององค์กร' }, marks ? buttons : { page }),
  ]
}

const GROUP_HELP = `สวัสดี เราคือตามงาน วางเลขที่โครงการหรือลิงก์ของ e-GP ในกลุ่มนี้ แล้วจะตอบด้วยการ์ดของโครงการ ก่อนใช้ ให้ผู้ดูแลขององค์กรขอรหัสที่ ตั้งค่า การแจ้งเตือน แล้วส่ง “${LINE_CONNECT_GROUP_COMMAND} รหัส” ในกลุ่มนี้`

/**
 * Handles an event in a group. Groups include outsiders, so reply with public facts only, no marks, and only in groups
 * connected by a super user.
 */
async function handleGroupEvent(
  { db, parts, now }: LineEventContext,
  event: LineEvent,
  group: string,
): Promise<LineMessage[] | undefined> {
  const { identity, mails } = parts
  const hashes = identity.hashes(group)
  if (event.type === 'join') return textReply(GROUP_HELP)
  if (event.type === 'leave') {
    await removeLineGroupByHash(db, hashes)
    return undefined
  }
  if (event.type !== 'message' || event.text === undefined) return undefined
  const spoken = parseLineConnectCode(event.text)
  if (spoken?.word === LINE_CONNECT_GROUP_COMMAND) {
    const request = {
      codeHash: hashLineConnectCode(LINE_CONNECT_GROUP_COMMAND, spoken.code),
      hashes,
      hash: identity.hash(group),
    }
    const connected = await db.transaction(async (tx) => {
      const connectedGroup = await connectLineGroup(tx, request, now)
      if (connectedGroup !== undefined && connectedGroup !== 'other') {
        await audit(tx, 'line_group_connected', connectedGroup, now)
        await notifySuperUsers(tx, mails, {
          ...{
            kind: 'line_group_connected',
            userId: connectedGroup.userId,
            organisationId: connectedGroup.organisationId,
            at: now,
          },
          content: (notMeUrl) =>
            renderAccessGrantedMail({
              what: 'line_group_connected',
              at: now,
              url: mails.link(NOTIFICATION_SETTINGS_PATH),
              notMeUrl,
            }),
        })
      }
      return connectedGroup
    })
    if (connected === 'other') return textReply('กลุ่มนี้เชื่อมกับอีกองค์กรหนึ่งอยู่')
    if (connected) return textReply(`เชื่อมกลุ่มนี้กับ ${connected.organisation} แล้ว วางเลขที่โครงการหรือลิงก์ของ e-GP ได้เลย`)
    if (await isLineGroupConnected(db, hashes)) return textReply('กลุ่มนี้เชื่อมอยู่แล้ว')
    return textReply('รหัสนี้ใช้ไม่ได้ อาจหมดเวลาหรือใช้ไปแล้ว ให้ผู้ดูแลขอรหัสใหม่')
  }
  const id = extractProjectId(event.text)
  if (id === undefined || !(await isLineGroupConnected(db, hashes))) return undefined
  const facts = (await findLineCardFacts(db, [id])).get(id)
  // Do not reply, because group members also write unrelated eleven-digit numbers.
  if (!facts) return undefined
  return [
    buildLineProjectCard(
      { title: `โครงการ ${id}`, projects: [toLineCardProject(facts, { now })] },
      { page: (path) => mails.link(path) },
    ),
  ]
}
