import { ALL_MARKS, refetchMarks, type StaleMarks } from '../report/stale-marks.ts'

/** Other tabs of the same person hear what kind of marks changed and ask for them again; nothing of the change itself is sent. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('tamngan.user')

if (channel) {
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    refetchMarks(Array.isArray(data) ? ALL_MARKS.filter((kind) => data.includes(kind)) : ALL_MARKS)
  }
}

export function tellOtherTabs(stale: StaleMarks): void {
  channel?.postMessage(stale)
}
