import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'

/** Open hours in Bangkok (`HH:mm`); they may span midnight. */
export type Opening = { readonly opensAt: string; readonly closesAt: string }

export type Night = { readonly night: string; readonly begins: Date; readonly ends: Date }

/** Thailand has used this offset since 1920. */
export const bangkokMoment = (day: string, time: string) => new Date(`${day}T${time}:00+07:00`)

function nightOf(day: string, { opensAt, closesAt }: Opening): Night {
  const end = closesAt <= opensAt ? addDays(day, 1) : day
  return { night: day, begins: bangkokMoment(day, opensAt), ends: bangkokMoment(end, closesAt) }
}

/** Returns undefined outside the open hours. */
export function nightAt(opening: Opening, at: Date): Night | undefined {
  const today = bangkokToday(at)
  return [nightOf(addDays(today, -1), opening), nightOf(today, opening)].find(
    ({ begins, ends }) => begins <= at && at < ends,
  )
}

export function nextNight(opening: Opening, at: Date): Night {
  const today = bangkokToday(at)
  const tonight = nightOf(today, opening)
  return tonight.begins > at ? tonight : nightOf(addDays(today, 1), opening)
}

export function nextTimeOfDay(time: string, at: Date): Date {
  const today = bangkokMoment(bangkokToday(at), time)
  return today > at ? today : bangkokMoment(addDays(bangkokToday(at), 1), time)
}

/** Returns when a source next has work: its opening time, or a due probe while closed. */
export function nextLook(source: Opening & { readonly probeAt: string | null }, at: Date): Date {
  const opens = nextNight(source, at).begins
  if (source.probeAt === null) return opens
  const probe = nextTimeOfDay(source.probeAt, at)
  return probe < opens ? probe : opens
}

/** Saturday or Sunday: nothing is published, so no query is repeated. */
export function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6
}
