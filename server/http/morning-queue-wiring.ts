import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { MorningQueueContext } from '#server/features/morning-queue/routes.ts'
import { loadQueue } from '#server/features/report/queries-queue.ts'
import { previousVisit } from '#server/features/report/queries-visit.ts'
import { readReportInput } from '#server/features/report/report-input.ts'
import type { RouteContext } from '#server/route/route-app.ts'

/** What the morning queue needs of the report, which it does not know: its filters and its rows. */
export function morningQueueOptions(context: RouteContext): MorningQueueContext {
  const { db } = context
  return {
    ...context,
    async queueOf({ organisationId, userId }, query) {
      const { search } = readReportInput(query)
      const now = context.now()
      const visit = await previousVisit(db, userId, now)
      return loadQueue(db, search, { organisationId, userId, today: bangkokToday(now), visit })
    },
  }
}
