import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'

/** Hours of the day in Bangkok (`HH:mm`) between which the other side answers; they may pass midnight. */
export type Opening = { readonly opensAt: string; readonly closesAt: string }

/** One night: the day of its evening, and when it begins and ends. */
export type Night = { readonly night: string; readonly begins: Date; readonly ends: Date }

/** Thailand has had no other offset since 1920. */
export const bangkokMoment = (day: string, time: string) => new Date(`${day}T${time}:00+07:00`)

function nightOf(day: string, { opensAt, closesAt }: Opening): Night {
  const end = closesAt <= opensAt ? addDays(day, 1) : day
  return { night: day, begins: bangkokMoment(day, opensAt), ends: bangkokMoment(end, closesAt) }
}

/** The night that goes on at this moment; undefined while it is closed. */
export function nightAt(opening: Opening, at: Date): Night | undefined {
  const today = bangkokToday(at)
  return [nightOf(addDays(today, -1), opening), nightOf(today, opening)].find(
    ({ begins, ends }) => begins <= at && at < ends,
  )
}

/** The first night that begins after this moment. */
export function nextNight(opening: Opening, at: Date): Night {
  const today = bangkokToday(at)
  const tonight = nightOf(today, opening)
  return tonight.begins > at ? tonight : nightOf(addDays(today, 1), opening)
}

/** When such a time of day comes next, later than `at`. */
export function nextTimeOfDay(time: string, at: Date): Date {
  const today = bangkokMoment(bangkokToday(at), time)
  return today > at ? today : bangkokMoment(addDays(bangkokToday(at), 1), time)
}

/** When a source has something to do next: its hours begin, or its probe of a closed day is due. */
export function nextLook(source: Opening & { readonly probeAt: string | null }, at: Date): Date {
  const opens = nextNight(source, at).begins
  if (source.probeAt === null) return opens
  const probe = nextTimeOfDay(source.probeAt, at)
  return probe < opens ? probe : opens
}

/** Saturday or Sunday: nothing is published, so nothing is asked twice. */
export function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6
}
