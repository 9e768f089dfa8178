import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'

/** Opening hours in Bangkok time (`HH:mm`); they may span midnight. */
export type OpeningHours = { readonly opensAt: string; readonly closesAt: string }

export type Night = { readonly night: string; readonly startsAt: Date; readonly endsAt: Date }

/** Thailand has used this offset since 1920. */
export const bangkokDateTime = (day: string, time: string) => new Date(`${day}T${time}:00+07:00`)

function nightStartingOn(day: string, { opensAt, closesAt }: OpeningHours): Night {
  const endDay = closesAt <= opensAt ? addDays(day, 1) : day
  return { night: day, startsAt: bangkokDateTime(day, opensAt), endsAt: bangkokDateTime(endDay, closesAt) }
}

export function nightAt(hours: OpeningHours, at: Date): Night | undefined {
  const today = bangkokToday(at)
  return [nightStartingOn(addDays(today, -1), hours), nightStartingOn(today, hours)].find(
    ({ startsAt, endsAt }) => startsAt <= at && at < endsAt,
  )
}

export function nextNight(hours: OpeningHours, at: Date): Night {
  const today = bangkokToday(at)
  const tonight = nightStartingOn(today, hours)
  return tonight.startsAt > at ? tonight : nightStartingOn(addDays(today, 1), hours)
}

export function nextTimeOfDay(time: string, at: Date): Date {
  const today = bangkokDateTime(bangkokToday(at), time)
  return today > at ? today : bangkokDateTime(addDays(bangkokToday(at), 1), time)
}

export function nextPollAt(source: OpeningHours & { readonly probeAt: string | null }, at: Date): Date {
  const opens = nextNight(source, at).startsAt
  if (source.probeAt === null) return opens
  const probe = nextTimeOfDay(source.probeAt, at)
  return probe < opens ? probe : opens
}

/** True on Saturday and Sunday. Nothing is published then, so no query is repeated. */
export function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6
}
