import type { CustomerConfig } from './organisation.ts'

/** Hours when watch lists are read-only because the nightly matching runs (D13, C12). */
export type WatchListLockWindow = Pick<CustomerConfig, 'not_allow_start_time' | 'not_allow_end_time'>

const BANGKOK_OFFSET_MS = 7 * 60 * 60 * 1000
const DAY_S = 24 * 60 * 60

function toSeconds(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * 60 + seconds
}

/**
 * Returns when the lists become editable again, or undefined while they are editable. The window includes its start and
 * excludes its end, uses Bangkok time regardless of the device, and may cross midnight. Equal times disable it.
 */
export function getWatchListLockEnd(window: WatchListLockWindow, now: Date): Date | undefined {
  const start = toSeconds(window.not_allow_start_time)
  const end = toSeconds(window.not_allow_end_time)
  if (start === end) return undefined
  const local = new Date(now.getTime() + BANGKOK_OFFSET_MS)
  const time = (local.getUTCHours() * 60 + local.getUTCMinutes()) * 60 + local.getUTCSeconds()
  const isInside = start < end ? time >= start && time < end : time >= start || time < end
  if (!isInside) return undefined
  const wait = (end - time + DAY_S) % DAY_S
  return new Date(Math.floor(now.getTime() / 1000) * 1000 + wait * 1000)
}
