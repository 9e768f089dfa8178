import type { CustomerConfig } from '#contract/account/organisation.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
/** Bangkok is seven hours ahead of UTC, all year. */
const BANGKOK_MINUTES = 7 * 60

/** `01:00:00` → minutes after midnight. */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

type Window = Pick<CustomerConfig, 'not_allow_start_time' | 'not_allow_end_time'>

/**
 * Whether the nightly load is running (D13): `now` lies in the not-allowed window (Bangkok time, may cross midnight)
 * and the data shown were loaded before it began. Gives the window's end, `09:00`; undefined otherwise.
 */
export function nightlyLoadUntil(config: Window, dataTime: string | null, now: Date): string | undefined {
  const start = minutesOf(config.not_allow_start_time)
  const end = minutesOf(config.not_allow_end_time)
  const minute = (Math.floor(now.getTime() / MINUTE_MS) + BANGKOK_MINUTES) % DAY_MINUTES
  const sinceStart = (minute - start + DAY_MINUTES) % DAY_MINUTES
  const length = (end - start + DAY_MINUTES) % DAY_MINUTES
  if (sinceStart >= length) return undefined
  const began = now.getTime() - sinceStart * MINUTE_MS
  if (dataTime !== null && new Date(dataTime).getTime() > began) return undefined
  return config.not_allow_end_time.slice(0, 5)
}
