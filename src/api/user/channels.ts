import { queryOptions } from '@tanstack/react-query'
import { type Channel, type Channels, type ChannelWish, channelsSchema } from '#contract/user/channel.ts'
import { request } from '../http/client.ts'
import { channelKeys } from '../http/keys.ts'
import { defineChange, mutate } from '../optimistic.ts'

const PATH = 'users/me/channels'

/** What comes by each channel that can be had here, and when. */
export const channelsQuery = queryOptions({
  queryKey: channelKeys.mine,
  queryFn: ({ signal }) => request(PATH, { schema: channelsSchema, signal }),
  staleTime: 60_000,
})

type Wished = { readonly channel: Channel; readonly wish: ChannelWish }

const wishChange = defineChange<Wished, Channels>({
  name: 'channels',
  layers: [
    {
      key: channelKeys.mine,
      apply: ({ channels }: Channels, { channel, wish }) => ({
        channels: channels.map((one) => (one.channel === channel ? { ...one, ...wish } : one)),
      }),
      settle: (_cached: Channels, answer) => answer,
    },
  ],
  // One answer holds all of it.
  scope: 'channels',
  tags: () => ['channels'],
  message: { failed: 'เปลี่ยนการแจ้งไม่สำเร็จ' },
  send: ({ channel, wish }, call) => call(`${PATH}/${channel}`, { method: 'put', json: wish, schema: channelsSchema }),
})

/** Keeps what comes by a channel and when: shown at once, taken back when the server refuses. */
export async function wishChannel(channel: Channel, wish: ChannelWish): Promise<void> {
  await mutate(wishChange, { channel, wish }).catch(() => undefined)
}
