import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'

/** Opening hours in Bangkok time (`HH:mm`); they may span midnight. */
export type SourceOpeningHours = { readonly opensAt: string; readonly closesAt: string }

export type NightlyRunWindow = { readonly night: string; readonly startsAt: Date; readonly endsAt: Date }

/** Thailand has used this offset since 1920. */
export const toBangkokDateTime = (day: string, time: string) => new Date(`${day}T${time}:00+07:00`)

function nightStartingOn(day: string, { opensAt, closesAt }: SourceOpeningHours): NightlyRunWindow {
  const endDay = closesAt <= opensAt ? addDays(day, 1) : day
  return { night: day, startsAt: toBangkokDateTime(day, opensAt), endsAt: toBangkokDateTime(endDay, closesAt) }
}

export function findNightlyRunWindowAt(hours: SourceOpeningHours, at: Date): NightlyRunWindow | undefined {
  const today = getBangkokToday(at)
  return [nightStartingOn(addDays(today, -1), hours), nightStartingOn(today, hours)].find(
    ({ startsAt, endsAt }) => startsAt <= at && at < endsAt,
  )
}

export function getNextNightlyRunWindow(hours: SourceOpeningHours, at: Date): NightlyRunWindow {
  const today = getBangkokToday(at)
  const tonight = nightStartingOn(today, hours)
  return tonight.startsAt > at ? tonight : nightStartingOn(addDays(today, 1), hours)
}

export function getNextTimeOfDay(time: string, at: Date): Date {
  const today = toBangkokDateTime(getBangkokToday(at), time)
  return today > at ? today : toBangkokDateTime(addDays(getBangkokToday(at), 1), time)
}

export function getNextPollTime(source: SourceOpeningHours & { readonly probeAt: string | null }, at: Date): Date {
  const opens = getNextNightlyRunWindow(source, at).startsAt
  if (source.probeAt === null) return opens
  const probe = getNextTimeOfDay(source.probeAt, at)
  return probe < opens ? probe : opens
}

/** True on Saturday and Sunday. Nothing is published then, so no query is repeated. */
export function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6
}
