import { z } from 'zod/mini'
import {
  morningQueueSchema,
  QUEUE_KINDS,
  queueDecisionsAnswerSchema,
  queueDecisionsSchema,
} from '#contract/report/morning-queue.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { Actor } from '#server/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { findLatestLoad, forgetDecisions, momentOf, storeDecisions } from './queries.ts'

/** What the report hands over: ids by kind in the order of `QUEUE_KINDS`. */
type QueueOfReport = {
  readonly load_id: number | null
  readonly data_time: string | null
  readonly totals: readonly number[]
  readonly decided: readonly (readonly string[])[]
  readonly undecided: readonly (readonly string[])[]
}

/** What the queue needs of the report, which it does not know. */
export type MorningQueueContext = RouteContext & {
  /** The queue of the report that these query parameters ask for; refuses those that cannot be read. */
  queueOf(actor: Actor, query: unknown): Promise<QueueOfReport>
}

const config = { feature: 'report' } as const
const tags = ['morning queue']

/** GET /projects/queue and what was decided in it (N10). Decisions are the user's own and follow them to other devices. */
export function morningQueueRoutes(app: RouteApp, context: MorningQueueContext): void {
  const { db } = context

  app.get(
    '/projects/queue',
    {
      config,
      schema: {
        tags,
        summary: "What is new, updated and closing soon in the caller's report with these filters, to be decided about",
        querystring: z.looseObject({}),
        response: { 200: morningQueueSchema },
      },
    },
    async (request) => {
      const queue = await context.queueOf(await context.actorOf(request), request.query)
      return {
        load_id: queue.load_id,
        data_time: momentOf(queue.data_time),
        sections: QUEUE_KINDS.map((kind, i) => ({
          kind,
          ids: [...queue.decided[i]!, ...queue.undecided[i]!],
          total: queue.totals[i]!,
        })),
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
        summary: 'Projects of the queue that were decided about, or no longer are; the answer names the latest load',
        body: queueDecisionsSchema,
        response: { 200: queueDecisionsAnswerSchema },
      },
    },
    async (request) => {
      const { userId, organisationId } = await context.actorOf(request)
      const today = bangkokToday(context.now())
      if (request.body.decided) await storeDecisions(db, request.body, { userId, organisationId, today })
      else await forgetDecisions(db, request.body, { userId })
      return findLatestLoad(db)
    },
  )
}
