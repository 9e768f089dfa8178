import { randomUUID } from 'node:crypto'
import { EXPORTS_AT_ONCE, type ExportRequest, type ReportExport } from '#contract/report-export.ts'
import { recordAuditEvent } from '#server/db/audit-events.ts'
import type { Db } from '#server/db/db.ts'
import type { Actor } from '#server/route/actor.ts'
import { ProblemError } from '#server/route/problem.ts'
import { countExports, findExport, findRepeated, insertExport } from './queries.ts'

export type ExportAsk = {
  readonly actor: Actor
  /** `Idempotency-Key` of the request. */
  readonly key: string | undefined
  readonly address: string
  readonly requestId: string
  readonly now: Date
  /** Most exports of one organisation within an hour (R42). */
  readonly hourly: number
}

const HOUR_MS = 3_600_000
/** A file of 10,000 projects takes some seconds: worth asking again by then. */
const RETRY_AT_ONCE_S = 10

/**
 * Asks for a file; a worker makes it. The repetition of a request, known by its key, gets the same export (R46). Throws ProblemError:
 * `too_many_requests` beyond the organisation's limits, `bad_input` for a key that asked for something else before.
 */
export async function startExport(db: Db, asked: ExportRequest, ask: ExportAsk): Promise<ReportExport> {
  const { actor, key, now, address, requestId } = ask
  const { organisationId, userId } = actor
  const id = await db.transaction(async (tx) => {
    const counted = await countExports(tx, organisationId, now)
    const repeated = key === undefined ? undefined : await findRepeated(tx, userId, key, asked)
    if (repeated?.isSame === false) throw new ProblemError('bad_input')
    if (repeated) return repeated.id
    assertRoom(counted, ask)
    const id = randomUUID()
    await insertExport(tx, asked, { id, organisationId, userId, key, at: now })
    const detail = { export: id, format: asked.format, query: asked.query, columns: asked.columns }
    await recordAuditEvent(tx, { kind: 'export_started', at: now, organisationId, userId, address, requestId, detail })
    return id
  })
  return (await findExport(db, userId, id))!
}

function assertRoom({ open, lastHour }: Awaited<ReturnType<typeof countExports>>, { now, hourly }: ExportAsk): void {
  if (open >= EXPORTS_AT_ONCE) {
    throw new ProblemError('too_many_requests', {
      text: `องค์กรของคุณกำลังส่งออกอยู่ ${open} ไฟล์แล้ว รอให้เสร็จหรือยกเลิกก่อน`,
      retryAfterSeconds: RETRY_AT_ONCE_S,
    })
  }
  if (lastHour.length < hourly) return
  const freeAt = Date.parse(lastHour[lastHour.length - hourly]!) + HOUR_MS
  const seconds = Math.max(1, Math.ceil((freeAt - now.getTime()) / 1000))
  throw new ProblemError('too_many_requests', {
    text: `องค์กรของคุณส่งออกครบ ${hourly} ไฟล์ในชั่วโมงนี้แล้ว ลองใหม่ในอีก ${Math.ceil(seconds / 60)} นาที หรือดาวน์โหลดไฟล์ที่มีอยู่`,
    retryAfterSeconds: seconds,
  })
}
