import { z } from 'zod/mini'
import { NEAR_DEADLINE_KINDS } from '#contract/catalogue/bid-state.ts'
import {
  MORNING_QUEUE_KINDS,
  morningQueueDecisionsResponseSchema,
  morningQueueDecisionsSchema,
  morningQueueSchema,
} from '#contract/report/morning-queue.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { parseReportQueryInput } from '#server/report/report-input.ts'
import type { ReportEngine } from '#server/report/report-queries.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'
import {
  deleteMorningQueueDecisions,
  findLatestMorningQueueDataLoad,
  storeMorningQueueDecisions,
  toIsoTimestamp,
} from './queries.ts'

const config = { feature: 'report' } as const
const tags = ['morning queue']

/** GET /projects/queue and its decisions (N10). Decisions are per user and shared across devices. */
export function morningQueueRoutes(app: RouteApp, context: RouteContext & { readonly reports: ReportEngine }): void {
  const { db } = context

  app.get(
    '/projects/queue',
    {
      config,
      schema: {
        tags,
        summary:
          'List projects in the report of the caller that await a decision. The given filters apply; each project is new, updated, closing soon or open for comments',
        querystring: z.looseObject({}),
        response: { 200: morningQueueSchema },
      },
    },
    async (request) => {
      const { organisationId, userId } = await context.actorOf(request)
      const { search } = parseReportQueryInput(request.query)
      const now = context.now()
      const visit = await findPreviousReportVisit(db, userId, now)
      const queue = await context.reports.queue(search, {
        organisationId,
        userId,
        today: getBangkokToday(now),
        visit,
      })
      return {
        load_id: queue.load_id,
        data_time: toIsoTimestamp(queue.data_time),
        sections: MORNING_QUEUE_KINDS.map((kind, i) => {
          const due = (NEAR_DEADLINE_KINDS as readonly string[]).indexOf(kind)
          return {
            kind,
            ids: [...queue.decided[i]!, ...queue.undecided[i]!],
            total: queue.totals[i]!,
            ...(due !== -1 && { near: queue.near[due]! }),
          }
        }),
        decided: queue.decided.flat(),
      }
    },
  )

  app.post(
    '/projects/queue/decisions',
    {
      config,
      schema: {
        tags,
        summary: 'Mark projects of the queue as decided or undecided; returns the latest data load',
        body: morningQueueDecisionsSchema,
        response: { 200: morningQueueDecisionsResponseSchema },
      },
    },
    async (request) => {
      const { userId, organisationId } = await context.actorOf(request)
      const today = getBangkokToday(context.now())
      if (request.body.decided) await storeMorningQueueDecisions(db, request.body, { userId, organisationId, today })
      else await deleteMorningQueueDecisions(db, request.body, { userId })
      return findLatestMorningQueueDataLoad(db)
    },
  )
}
