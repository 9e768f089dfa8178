import { z } from 'zod/mini'
import {
  channelPreferencesSchema,
  NOTIFICATION_CHANNELS,
  type NotificationChannel,
  type NotificationChannels,
  notificationChannelsSchema,
} from '#contract/channels/channel.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { loadNotificationChannelSettings, storeChannelPreferences } from './queries.ts'

const tags = ['channel']
const config = { feature: 'report', demo: 'forbidden' } as const

/**
 * Routes for the settings of which notifications a user receives on which channel, and when. `channels` lists those
 * that the operator has configured. The demo organisation sends nothing (C6).
 */
export function notificationChannelRoutes(
  app: RouteApp,
  { channels, ...context }: RouteContext & { readonly channels: readonly NotificationChannel[] },
): void {
  const { db } = context
  const loadChannels = async (userId: number): Promise<NotificationChannels> => ({
    channels: await loadNotificationChannelSettings(db, userId, channels),
  })
  app.get(
    '/users/me/channels',
    {
      config,
      schema: {
        tags,
        summary: 'Get the settings of the push and LINE channels: what is sent, and when',
        response: { 200: notificationChannelsSchema },
      },
    },
    async (request) => loadChannels((await context.actorOf(request)).userId),
  )
  app.put(
    '/users/me/channels/:channel',
    {
      config,
      schema: {
        tags,
        summary: 'Choose what a channel sends: kinds, quiet hours, working days, saved filters',
        params: z.object({ channel: z.enum(NOTIFICATION_CHANNELS) }),
        body: channelPreferencesSchema,
        response: { 200: notificationChannelsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { channel } = request.params
      if (!channels.includes(channel)) throw new ProblemError('not_found')
      await db.transaction((tx) => storeChannelPreferences(tx, actor, channel, request.body))
      return loadChannels(actor.userId)
    },
  )
}
