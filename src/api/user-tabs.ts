import { reportKeys, userKeys } from './keys.ts'
import { queryClient } from './query-client.ts'

/** Other tabs of the same person hear of a change and ask for the user again; nothing of the change itself is sent. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tamngan.user')

if (channel) {
  channel.onmessage = () => {
    void queryClient.invalidateQueries({ queryKey: userKeys.me })
    void queryClient.invalidateQueries({ queryKey: reportKeys.all })
  }
}

export function tellOtherTabs(): void {
  channel?.postMessage('changed')
}
