import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { getServerTime } from './session-store.ts'

/** Returns `getServerTime()` at each render; the compiler would cache a call of the function itself. */
export function useServerTime(): Date {
  'use no memo'
  return getServerTime()
}

export function useBangkokToday(): string {
  'use no memo'
  return getBangkokToday(getServerTime())
}
