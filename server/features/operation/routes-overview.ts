import { OPERATOR_ROLE } from '#contract/operation/operator.ts'
import { operationOverviewSchema } from '#contract/operation/overview.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { type OperateContext, readAdmin } from './operate-admin.ts'

/** `/operation`: what needs a hand first, for operators (R61). */
export function operationOverviewRoutes(app: RouteApp, context: OperateContext): void {
  app.get(
    '/operation/overview',
    {
      config: { role: OPERATOR_ROLE },
      schema: {
        tags: ['operation'],
        summary: 'How much of what needs a hand: sources, loads, jobs, mails, keywords',
        response: { 200: operationOverviewSchema },
      },
    },
    async (request) => {
      const answer = await readAdmin(context, request, { do: 'attention' })
      if (!('attention' in answer)) throw new Error('attention answers counts')
      const { failedSources, failedLoads, unreadableRows, deadJobs, failedMails, waitingKeywords } = answer.attention
      return {
        checked_at: context.now().toISOString(),
        failed_sources: failedSources,
        failed_loads: failedLoads,
        unreadable_rows: unreadableRows,
        dead_jobs: deadJobs,
        failed_mails: failedMails,
        waiting_keywords: waitingKeywords,
      }
    },
  )
}
