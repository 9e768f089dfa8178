import { qualificationsPatchSchema, qualificationsSchema } from '#contract/account/qualification.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { loadQualifications, saveQualifications } from './queries.ts'

const tags = ['qualification']
const config = { feature: 'report', demo: 'forbidden' } as const

export function qualificationRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  app.get(
    '/qualifications',
    {
      config,
      schema: {
        tags,
        summary:
          'Get the qualifications of the organisation. These are capital, SME class, past works, certificates and contractor classes',
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
        summary: "Update the organisation's qualifications; omitted parts stay unchanged",
        body: qualificationsPatchSchema,
        response: { 200: qualificationsSchema },
      },
    },
    async (request) => {
      const { organisationId, userId } = await context.actorOf(request)
      const changedSections = Object.fromEntries(
        Object.entries(request.body).filter(([, value]) => value !== undefined),
      )
      return db.transaction(async (tx) => {
        await saveQualifications(tx, organisationId, changedSections)
        await recordAuditEvent(tx, {
          kind: 'qualifications_changed',
          at: context.now(),
          organisationId,
          userId,
          address: request.ip,
          requestId: request.id,
          detail: { changed: Object.keys(changedSections) },
        })
        return loadQualifications(tx, organisationId)
      })
    },
  )
}
