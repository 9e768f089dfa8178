import { qualificationsPatchSchema, qualificationsSchema } from '#contract/account/qualification.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { loadQualifications, saveQualifications } from './queries.ts'

const tags = ['qualification']
/** The demo has none (C6). */
const config = { feature: 'report', demo: 'forbidden' } as const

/** GET and PATCH /qualifications: what the organisation brings to a tender. Members read it beside what documents want; super users change it. */
export function qualificationRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  app.get(
    '/qualifications',
    {
      config,
      schema: {
        tags,
        summary: 'Capital, SME class, past works, certificates and contractor classes of the organisation',
        response: { 200: qualificationsSchema },
      },
    },
    async (request) => loadQualifications(db, (await context.actorOf(request)).organisationId),
  )
  app.patch(
    '/qualifications',
    {
      config: { ...config, role: 'super_user' },
      schema: {
        tags,
        summary: 'Change parts of them; a part that is not sent stays',
        body: qualificationsPatchSchema,
        response: { 200: qualificationsSchema },
      },
    },
    async (request) => {
      const { organisationId, userId } = await context.actorOf(request)
      const changed = Object.fromEntries(Object.entries(request.body).filter(([, value]) => value !== undefined))
      return db.transaction(async (tx) => {
        await saveQualifications(tx, organisationId, changed)
        await recordAuditEvent(tx, {
          kind: 'qualifications_changed',
          at: context.now(),
          organisationId,
          userId,
          address: request.ip,
          requestId: request.id,
          detail: { changed: Object.keys(changed) },
        })
        return loadQualifications(tx, organisationId)
      })
    },
  )
}
