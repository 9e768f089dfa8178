import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { recordUsage } from '#server/route/usage-events.ts'
import { describeAuditEvent } from './audited-usage.ts'

/** What is worth keeping for ever (R59). `detail` never holds a secret: no password, token, code or typed e-mail. */
export type AuditEvent = {
  readonly kind:
    | 'login'
    | 'login_failed'
    | 'login_blocked'
    | 'auto_login'
    | 'logout'
    | 'refresh_reuse'
    | 'refused'
    | 'register'
    | 'register_code_wrong'
    | 'password_reset_requested'
    | 'password_reset'
    | 'password_changed'
    | 'password_change_failed'
    | 'password_set_by_admin'
    | 'session_ended'
    | 'sessions_ended'
    | 'changed_by_admin'
    | 'lists_changed'
    | 'rescues_changed'
    | 'export_started'
    | 'export_fetched'
    | 'budget_link_decided'
  readonly at: Date
  readonly organisationId?: number | undefined
  readonly userId?: number | undefined
  readonly address: string
  readonly requestId: string
  readonly detail?: AuditDetail
}

type AuditValue = string | number | boolean | null | readonly AuditValue[] | { readonly [name: string]: AuditValue }
export type AuditDetail = { readonly [name: string]: AuditValue }

/** Appends one row to the audit trail, which is never changed afterwards; what its organisation may read of it goes into the usage log as well. */
export async function recordAuditEvent(db: Db, event: AuditEvent): Promise<void> {
  await db.execute(sql`
    insert into audit_events (at, kind, organisation_id, user_id, address, request_id, detail)
    values (${event.at.toISOString()}::timestamptz, ${event.kind}, ${event.organisationId ?? null}::int, ${event.userId ?? null}::int,
            ${event.address}, ${event.requestId}, ${JSON.stringify(event.detail ?? {})}::jsonb)`)
  const { organisationId, userId, at } = event
  const line = describeAuditEvent(event)
  if (line && organisationId !== undefined && userId !== undefined)
    await recordUsage(db, [{ organisationId, userId, at, ...line }])
}
