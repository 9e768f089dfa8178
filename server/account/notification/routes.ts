import { dataChangePollResponseSchema } from '#contract/account/notification.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { loadDataChangePollState } from './queries.ts'

export function notificationRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/users/me/pulse',
    {
      config: { setUp: true },
      schema: {
        tags: ['notification'],
        summary:
          'Check for new data, notifications and pursuit changes. Returns the time of the latest load, the newest notification, the number of unread ones, and the version of the pursuits',
        response: { 200: dataChangePollResponseSchema },
      },
    },
    async (request) => {
      const { userId } = await context.actorOf(request)
      const { data_time, newest, unread, pursuit_version } = await loadDataChangePollState(context.db, userId)
      return { data_time, newest_notification: newest === null ? null : String(newest), unread, pursuit_version }
    },
  )
}
