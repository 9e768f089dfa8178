import { qualificationCoverageSchema } from '#contract/account/qualification-coverage.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import type { ReportEngine } from '#server/report/report-queries.ts'
import { measureQualificationCoverage } from './measure-qualification-coverage.ts'

export function eligibilityRoutes(app: RouteApp, context: RouteContext & { readonly reports: ReportEngine }): void {
  app.get(
    '/qualifications/coverage',
    {
      config: { feature: 'report', demo: 'forbidden' },
      schema: {
        tags: ['qualification'],
        summary: 'Count the open projects that have a verdict, and those that each qualification decides',
        response: { 200: qualificationCoverageSchema },
      },
    },
    async (request) => {
      const { organisationId, userId } = await context.actorOf(request)
      return measureQualificationCoverage(context.db, context.reports, {
        organisationId,
        userId,
        today: getBangkokToday(context.now()),
      })
    },
  )
}
