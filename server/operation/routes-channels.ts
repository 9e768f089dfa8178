import type { NotificationChannel } from '#contract/channels/channel.ts'
import { operatorChannelsSchema } from '#contract/operation/operator-channels.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { readNotificationChannelMetrics } from '#server/channels/channel/channel-figures.ts'
import {
  isLineQuotaExhausted,
  type LineAccountStatus,
  loadLineAccountStatus,
} from '#server/channels/line/line-account-queries.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'

export type OperationChannelSetup = {
  readonly channels: readonly NotificationChannel[]
  readonly hasMail: boolean
}

/** Routes for operators only (R61). To add a channel, add a row in `readNotificationChannelMetrics`. */
export function operationChannelRoutes(
  app: RouteApp,
  { db, now, channels, hasMail }: Pick<RouteContext, 'db' | 'now'> & OperationChannelSetup,
): void {
  const configuredChannels: readonly string[] = [...(hasMail ? ['mail'] : []), ...channels]
  app.get(
    '/operation/channels',
    {
      config: { role: OPERATOR_ROLE },
      schema: {
        tags: ['operation'],
        summary: 'List the status of notification channels: set up, waiting, sent, failed, last error',
        response: { 200: operatorChannelsSchema },
      },
    },
    async () => {
      const line = channels.includes('line') ? await runWithoutTenant(() => loadLineAccountStatus(db)) : undefined
      const month = line && monthOf(line, now())
      return {
        checked_at: now().toISOString(),
        channels: (await runWithoutTenant(() => readNotificationChannelMetrics(db))).map((figures) => ({
          channel: figures.channel,
          is_set_up: configuredChannels.includes(figures.channel),
          ...{ users: figures.users, waiting: figures.waiting, oldest_seconds: Math.round(figures.oldestSeconds) },
          ...{ sent: figures.sent, failed: figures.failed, last_sent_at: figures.lastSentAt },
          ...{ last_error: figures.lastError, last_error_at: figures.lastErrorAt },
          ...(figures.channel === 'line' && month && { month }),
        })),
      }
    },
  )
}

const monthOf = (line: LineAccountStatus, now: Date) => ({
  ...{ used: line.used, quota: line.quota, is_out: isLineQuotaExhausted(line, now), failure: line.failure },
  asked_at: line.askedAt && new Date(line.askedAt).toISOString(),
})
