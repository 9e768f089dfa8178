import { z } from 'zod/mini'
import { METRIC_PERIODS, type MetricPeriod, operationMetricsSchema } from '#contract/operation/metrics.ts'
import { operationOverviewSchema } from '#contract/operation/overview.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { type OperatorContext, runAdminReadRequest } from './operator-requests.ts'

const PERIODS = Object.keys(METRIC_PERIODS) as [MetricPeriod, ...MetricPeriod[]]

export function operationOverviewRoutes(
  app: RouteApp,
  { areDocumentsThere, ...context }: OperatorContext & { readonly areDocumentsThere: () => Promise<boolean> },
): void {
  app.get(
    '/operation/overview',
    {
      config: { role: OPERATOR_ROLE },
      schema: {
        tags: ['operation'],
        summary: 'Count what needs attention: sources, loads, jobs, e-mails, webhooks, keywords',
        response: { 200: operationOverviewSchema },
      },
    },
    async (request) => {
      const answer = await runAdminReadRequest(context, request, { do: 'attention' })
      if (!('attention' in answer)) throw new Error('the attention command returned no counts')
      const { failedSources, failedLoads, unreadableRows, deadJobs, failedMails } = answer.attention
      const { pausedWebhooks, waitingKeywords, undoneFacts } = answer.attention
      return {
        checked_at: context.now().toISOString(),
        failed_sources: failedSources,
        failed_loads: failedLoads,
        unreadable_rows: unreadableRows,
        dead_jobs: deadJobs,
        failed_mails: failedMails,
        paused_webhooks: pausedWebhooks,
        waiting_keywords: waitingKeywords,
        undone_facts: undoneFacts,
        missing_stores: (await areDocumentsThere()) ? 0 : 1,
      }
    },
  )

  app.get(
    '/operation/metrics',
    {
      config: { role: OPERATOR_ROLE },
      schema: {
        tags: ['operation'],
        summary: 'Get server, job and mail metrics in steps over the last hour, day or two days',
        querystring: z.object({ period: z._default(z.enum(PERIODS), 'hour') }),
        response: { 200: operationMetricsSchema },
      },
    },
    async (request) => {
      const answer = await runAdminReadRequest(context, request, { do: 'metrics', period: request.query.period })
      if (!('metrics' in answer)) throw new Error('the metrics command returned no points')
      return {
        points: answer.metrics.map((point) => ({
          ...{ at: point.at, requests: point.requests, errors: point.errors },
          ...{ report_pages: point.reportPages, report_half_ms: point.reportHalfMs, report_p99_ms: point.reportP99Ms },
          ...{ jobs_due: point.jobsDue, jobs_done: point.jobsDone, jobs_dead: point.jobsDead },
          ...{ mails_sent: point.mailsSent, mails_failed: point.mailsFailed },
          ...{ loop_lag_ms: point.loopLagMs, memory_mb: point.memoryMb },
        })),
      }
    },
  )
}
