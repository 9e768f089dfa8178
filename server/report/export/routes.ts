import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import {
  type ExportRequest,
  exportRequestSchema,
  MAX_CONCURRENT_EXPORTS,
  type ReportExport,
  reportExportListSchema,
  reportExportSchema,
} from '#contract/report/report-export.ts'
import { findReportParam, isReportParam, type ReportSearch } from '#contract/report/report-params.ts'
import { createIdentityProofProblem } from '#server/account/second-factor/check-second-factor.ts'
import type { SecondFactorSource } from '#server/account/second-factor/second-factor-source.ts'
import { recordAuditEvent, recordExportDownload } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { parseReportQueryInput } from '#server/report/report-input.ts'
import {
  cancelExport,
  countRecentExports,
  findExport,
  findExportByKey,
  insertExport,
  listExports,
  readExportParts,
} from './queries.ts'

type ExportCaller = {
  readonly actor: Actor
  readonly key: string | undefined
  readonly address: string
  readonly requestId: string
  readonly now: Date
  /** Maximum exports per organisation and hour (R42). */
  readonly hourly: number
}

const HOUR_MS = 3_600_000
const RETRY_AFTER_S = 10

/**
 * Queues an export; a worker writes it. A repeated request with the same key returns the same export (R46). Throws
 * ProblemError `too_many_requests` above the organisation's limits, `bad_input` if the key was used for a different
 * request.
 */
async function startExport(db: Db, exportRequest: ExportRequest, caller: ExportCaller): Promise<ReportExport> {
  const { actor, key, now, address, requestId } = caller
  const { organisationId, userId } = actor
  const id = await db.transaction(async (tx) => {
    const runningExports = await countRecentExports(tx, organisationId, now)
    const repeated = key === undefined ? undefined : await findExportByKey(tx, userId, key, exportRequest)
    if (repeated?.isSame === false) throw new ProblemError('bad_input')
    if (repeated) return repeated.id
    assertWithinLimits(runningExports, caller)
    const id = randomUUID()
    await insertExport(tx, exportRequest, { id, organisationId, userId, key, at: now })
    const detail = {
      export: id,
      format: exportRequest.format,
      query: exportRequest.query,
      columns: exportRequest.columns,
    }
    await recordAuditEvent(tx, { kind: 'export_started', at: now, organisationId, userId, address, requestId, detail })
    return id
  })
  return (await findExport(db, userId, id))!
}

function assertWithinLimits(
  { open, lastHour }: Awaited<ReturnType<typeof countRecentExports>>,
  { now, hourly }: ExportCaller,
): void {
  if (open >= MAX_CONCURRENT_EXPORTS) {
    throw new ProblemError('too_many_requests', {
      text: `องค์กรของคุณกำลังส่งออกอยู่ ${open} ไฟล์แล้ว รอให้เสร็จหรือยกเลิกก่อน`,
      retryAfterSeconds: RETRY_AFTER_S,
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

/** An export without filters contains the whole report, so the caller must reauthenticate first (R64). */
const isEverything = (search: ReportSearch) =>
  Object.keys(search).every((name) => isReportParam(name) && ['ordering', 'count'].includes(findReportParam(name).kind))

export type ReportExportContext = RouteContext & {
  readonly factors: SecondFactorSource
  readonly hourly: number
}

const tags = ['report export']
const config = { feature: 'report', demo: 'forbidden' } as const
const params = z.object({ id: z.string() })
const MAX_KEY_LENGTH = 200

/**
 * Exports of the report, each visible only to its requester: POST and GET /projects/exports, GET
 * /projects/exports/{id}, its file, and POST /projects/exports/{id}/cancel. Not available in the demo (C6).
 */
export function reportExportRoutes(app: RouteApp, context: ReportExportContext): void {
  const { db } = context
  async function findOwnExport(request: FastifyRequest, id: string) {
    const { userId } = await context.actorOf(request)
    const ownExport = await findExport(db, userId, id)
    if (!ownExport) throw new ProblemError('not_found')
    return ownExport
  }

  app.post(
    '/projects/exports',
    {
      config,
      schema: {
        tags,
        summary: 'Request an export of the report; repeatable with the same Idempotency-Key',
        body: exportRequestSchema,
        response: { 202: reportExportSchema },
      },
    },
    async (request, reply) => {
      const { search } = parseReportQueryInput(request.body.query)
      const actor = await context.actorOf(request)
      if (!actor.isProved && isEverything(search))
        throw await createIdentityProofProblem({ db, ...context.factors() }, actor.userId)
      const key = request.headers['idempotency-key']?.toString()
      if (key !== undefined && key.length > MAX_KEY_LENGTH) throw new ProblemError('bad_input')
      const reportExport = await startExport(db, request.body, {
        actor,
        key,
        address: request.ip,
        requestId: request.id,
        now: context.now(),
        hourly: context.hourly,
      })
      return reply.code(202).send(reportExport)
    },
  )

  app.get(
    '/projects/exports',
    {
      config,
      schema: {
        tags,
        summary: "List the caller's exports of the last day, newest first",
        response: { 200: reportExportListSchema },
      },
    },
    async (request) => ({ exports: await listExports(db, (await context.actorOf(request)).userId) }),
  )

  app.get(
    '/projects/exports/:id',
    {
      config,
      schema: { tags, summary: 'Get the progress of one export', params, response: { 200: reportExportSchema } },
    },
    (request) => findOwnExport(request, request.params.id),
  )

  app.post(
    '/projects/exports/:id/cancel',
    {
      config,
      schema: { tags, summary: 'Cancel an export in progress', params, response: { 200: reportExportSchema } },
    },
    async (request) => {
      const { id } = await findOwnExport(request, request.params.id)
      await cancelExport(db, id, context.now())
      return findOwnExport(request, id)
    },
  )

  app.get(
    '/projects/exports/:id/file',
    { config, schema: { tags, summary: 'Download a finished export; available for one day', params } },
    async (request, reply) => {
      const { id, state, format, file_name: name, bytes } = await findOwnExport(request, request.params.id)
      if (state !== 'done') throw new ProblemError('not_found')
      reply.header('content-length', String(bytes))
      return sendAttachment(request, reply, {
        name,
        format,
        record: () => recordExportDownload(context, request, { export: id }),
        content: () => readExportParts(db, id),
      })
    },
  )
}
