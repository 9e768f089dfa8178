import { queryOptions } from '@tanstack/react-query'
import { type Channel, type Channels, type ChannelWish, channelsSchema } from '#contract/channels/channel.ts'
import {
  type PushAddress,
  type PushSample,
  pushDeviceAddedSchema,
  pushSampleSchema,
  pushSchema,
} from '#contract/channels/push.ts'
import { request } from '#src/api/http/client.ts'
import { channelKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { type ChangeMessage, defineChange, mutate } from '#src/api/optimistic.ts'

const PATH = 'users/me/channels'

/** What comes by push and LINE, of the channels that can be had here. */
export const channelsQuery = queryOptions({
  queryKey: channelKeys.mine,
  queryFn: ({ signal }) => request(PATH, { schema: channelsSchema, signal }),
  staleTime: 60_000,
})

type WishChange = ChannelWish & { readonly channel: Channel }

const wishChange = (message: ChangeMessage) =>
  defineChange<WishChange, Channels>({
    name: 'channel wish',
    layers: [
      {
        key: channelKeys.mine,
        apply: ({ channels }: Channels, { channel, ...wish }) => ({
          channels: channels.map((one) => (one.channel === channel ? { ...one, ...wish } : one)),
        }),
        settle: (_cached: Channels, answer) => answer,
      },
    ],
    // Each says all of it: the last word must be the last to arrive.
    scope: 'channels',
    tags: () => ['channels'],
    message,
    send: ({ channel, ...json }, call) => call(`${PATH}/${channel}`, { method: 'put', json, schema: channelsSchema }),
  })

/** Says what comes by a channel and when: shown at once, taken back when the server refuses. */
export async function saveChannelWish(channel: Channel, wish: ChannelWish): Promise<void> {
  await mutate(wishChange({ failed: 'เปลี่ยนการแจ้งไม่สำเร็จ' }), { channel, ...wish }).catch(() => undefined)
}

/** The browsers that push reaches. */
export const pushQuery = queryOptions({
  queryKey: channelKeys.push,
  queryFn: ({ signal }) => request('users/me/push', { schema: pushSchema, signal }),
  staleTime: 60_000,
})

/** Tells the server where this browser is reached. Answers the secret that its worker keeps; rejects with `ProblemError`. */
export async function addPushDevice(json: PushAddress): Promise<{ readonly id: string; readonly secret: string }> {
  const { id, secret, ...push } = await request('users/me/push/devices', {
    method: 'put',
    json,
    schema: pushDeviceAddedSchema,
  })
  queryClient.setQueryData(channelKeys.push, push)
  void queryClient.invalidateQueries({ queryKey: channelKeys.mine })
  return { id, secret }
}

/** Tells a browser nothing more; rejects with `ProblemError`. */
export async function removePushDevice(id: string): Promise<void> {
  const path = `users/me/push/devices/${encodeURIComponent(id)}`
  queryClient.setQueryData(channelKeys.push, await request(path, { method: 'delete', schema: pushSchema }))
  void queryClient.invalidateQueries({ queryKey: channelKeys.mine })
}

/** Sends a sample to a browser at once, and says what its push service answered. */
export async function sendPushSample(id: string): Promise<PushSample> {
  const path = `users/me/push/devices/${encodeURIComponent(id)}/sample`
  const sample = await request(path, { method: 'post', schema: pushSampleSchema })
  void queryClient.invalidateQueries({ queryKey: channelKeys.push })
  return sample
}
