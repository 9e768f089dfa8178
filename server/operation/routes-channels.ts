import type { Channel } from '#contract/channels/channel.ts'
import { operatedChannelsSchema } from '#contract/operation/channels.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { readChannelFigures } from '#server/channels/channel/figures.ts'
import { isQuotaOut, type LineChannel, loadChannel } from '#server/channels/line/line-channel-queries.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'

export type ChannelSetUp = {
  readonly channels: readonly Channel[]
  readonly hasMail: boolean
}

/** Operators only (R61). A new channel only needs a row in `readChannelFigures`. */
export function operationChannelRoutes(
  app: RouteApp,
  { db, now, channels, hasMail }: Pick<RouteContext, 'db' | 'now'> & ChannelSetUp,
): void {
  const known: readonly string[] = [...(hasMail ? ['mail'] : []), ...channels]
  app.get(
    '/operation/channels',
    {
      config: { role: OPERATOR_ROLE },
      schema: {
        tags: ['operation'],
        summary: 'Each way of telling people: set up, waiting, sent, failed, last error',
        response: { 200: operatedChannelsSchema },
      },
    },
    async () => {
      const line = channels.includes('line') ? await asOwner(() => loadChannel(db)) : undefined
      const month = line && monthOf(line, now())
      return {
        checked_at: now().toISOString(),
        channels: (await asOwner(() => readChannelFigures(db))).map((each) => ({
          channel: each.channel,
          is_set_up: known.includes(each.channel),
          ...{ users: each.users, waiting: each.waiting, oldest_seconds: Math.round(each.oldestSeconds) },
          ...{ sent: each.sent, failed: each.failed, last_sent_at: each.lastSentAt },
          ...{ last_error: each.lastError, last_error_at: each.lastErrorAt },
          ...(each.channel === 'line' && month && { month }),
        })),
      }
    },
  )
}

const monthOf = (line: LineChannel, now: Date) => ({
  ...{ used: line.used, quota: line.quota, is_out: isQuotaOut(line, now), failure: line.failure },
  asked_at: line.askedAt && new Date(line.askedAt).toISOString(),
})
