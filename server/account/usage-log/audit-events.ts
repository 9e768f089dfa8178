import type { FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { recordUsageEvents } from '#server/platform/route/usage-events.ts'
import type { AuditDetail, AuditEvent } from './audit-event.ts'
import { describeAuditEvent } from './describe-audit-event.ts'

export async function recordAuditEvent(db: Db, event: AuditEvent): Promise<void> {
  await db.execute(sql`
    insert into audit_events (at, kind, organisation_id, user_id, address, request_id, detail)
    values (${event.at.toISOString()}::timestamptz, ${event.kind}, ${event.organisationId ?? null}::int, ${event.userId ?? null}::int,
            ${event.address}, ${event.requestId}, ${JSON.stringify(event.detail ?? {})}::jsonb)`)
  const { organisationId, userId, at } = event
  const line = describeAuditEvent(event)
  if (line && organisationId !== undefined && userId !== undefined)
    await recordUsageEvents(db, [{ organisationId, userId, at, ...line }])
}

export async function recordExportDownload(
  context: RouteContext,
  request: FastifyRequest,
  detail: AuditDetail,
): Promise<void> {
  const { organisationId, userId } = await context.actorOf(request)
  await recordAuditEvent(context.db, {
    kind: 'export_fetched',
    at: context.now(),
    organisationId,
    userId,
    address: request.ip,
    requestId: request.id,
    detail,
  })
}
