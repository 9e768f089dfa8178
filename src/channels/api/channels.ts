import {
  type ChannelPreferences,
  type NotificationChannel,
  type NotificationChannels,
  notificationChannelsSchema,
} from '#contract/channels/channel.ts'
import {
  addedPushDeviceSchema,
  type BrowserPushSubscription,
  pushNotificationStateSchema,
  type TestPushResult,
  testPushResultSchema,
} from '#contract/channels/push.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { notificationChannelKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

const PATH = 'users/me/channels'

export const notificationChannelsQuery = apiQueryOptions('users/me/channels', {
  queryKey: notificationChannelKeys.mine,
  schema: notificationChannelsSchema,
  staleTime: 60_000,
})

type PreferencesChange = ChannelPreferences & { readonly channel: NotificationChannel }

const preferencesMutation = defineOptimisticChange<PreferencesChange, NotificationChannels>({
  name: 'channel wish',
  layers: [
    {
      key: notificationChannelKeys.mine,
      apply: ({ channels }: NotificationChannels, { channel, ...wish }) => ({
        channels: channels.map((setting) => (setting.channel === channel ? { ...setting, ...wish } : setting)),
      }),
      settle: (_cached: NotificationChannels, answer) => answer,
    },
  ],
  // Each request contains the full state, so requests must arrive in order.
  scope: 'channels',
  tags: () => ['channels'],
  message: { failed: 'เปลี่ยนการแจ้งไม่สำเร็จ' },
  send: ({ channel, ...json }, call) =>
    call(`${PATH}/${channel}`, { method: 'put', json, schema: notificationChannelsSchema }),
})

export async function saveNotificationChannelPreferences(
  channel: NotificationChannel,
  wish: ChannelPreferences,
): Promise<void> {
  await runOptimisticChange(preferencesMutation, { channel, ...wish }).catch(() => undefined)
}

export const pushStateQuery = apiQueryOptions('users/me/push', {
  queryKey: ['push'],
  schema: pushNotificationStateSchema,
  staleTime: 60_000,
})

export async function addPushDevice(
  json: BrowserPushSubscription,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { id, secret, ...push } = await sendApiRequest('users/me/push/devices', {
    method: 'put',
    json,
    schema: addedPushDeviceSchema,
  })
  queryClient.setQueryData(pushStateQuery.queryKey, push)
  void queryClient.invalidateQueries({ queryKey: notificationChannelKeys.mine })
  return { id, secret }
}

export async function removePushDevice(id: string): Promise<void> {
  const path = `users/me/push/devices/${encodeURIComponent(id)}`
  queryClient.setQueryData(
    pushStateQuery.queryKey,
    await sendApiRequest(path, { method: 'delete', schema: pushNotificationStateSchema }),
  )
  void queryClient.invalidateQueries({ queryKey: notificationChannelKeys.mine })
}

export async function sendTestPush(id: string): Promise<TestPushResult> {
  const path = `users/me/push/devices/${encodeURIComponent(id)}/sample`
  const sample = await sendApiRequest(path, { method: 'post', schema: testPushResultSchema })
  void queryClient.invalidateQueries({ queryKey: pushStateQuery.queryKey })
  return sample
}
