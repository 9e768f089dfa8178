import type { CustomerConfig } from '#contract/account/organisation.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
const BANGKOK_MINUTES = 7 * 60

function parseMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

type LoadWindow = Pick<CustomerConfig, 'not_allow_start_time' | 'not_allow_end_time'>

/**
 * Returns the end of the nightly load, `09:00`, while it runs (D13): `now` is in the not-allowed window (Bangkok time,
 * may cross midnight) and the data was loaded before it started. Otherwise undefined.
 */
export function getRunningNightlyLoadEndTime(
  config: LoadWindow,
  dataTime: string | null,
  now: Date,
): string | undefined {
  const start = parseMinutes(config.not_allow_start_time)
  const end = parseMinutes(config.not_allow_end_time)
  const minute = (Math.floor(now.getTime() / MINUTE_MS) + BANGKOK_MINUTES) % DAY_MINUTES
  const sinceStart = (minute - start + DAY_MINUTES) % DAY_MINUTES
  const length = (end - start + DAY_MINUTES) % DAY_MINUTES
  if (sinceStart >= length) return undefined
  const startedAtMs = now.getTime() - sinceStart * MINUTE_MS
  if (dataTime !== null && new Date(dataTime).getTime() > startedAtMs) return undefined
  return config.not_allow_end_time.slice(0, 5)
}
