import type { FieldChange } from '#contract/catalogue/field-change.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { bangkokToday, daysBetween, readIsoDate } from '#contract/thai/thai-date.ts'

type Announced = {
  readonly kind: 'announced'
  readonly day: string
  readonly movement: string
  /** The announcement itself, as the source gave it. */
  readonly link: string | undefined
}
type Changed = {
  readonly kind: 'changed'
  readonly day: string
  /** UTC ISO: one load. */
  readonly seenAt: string
  readonly changes: readonly FieldChange[]
}
export type HistoryEntry = (Announced | Changed) & {
  /** Seen after the visit before this one. */
  readonly isNew: boolean
}

const CRITICAL = ['submission_end_date', 'submission_time']

/** A change that costs the bid when it is missed; a first date is news, and replaces nothing that one counted on. */
export const isCritical = ({ field, old }: Pick<FieldChange, 'field' | 'old'>): boolean =>
  old !== null && CRITICAL.includes(field)

/**
 * Days by which the last day of submission moved, positive for later; undefined for every other change and where a side is no date.
 */
export function submissionShift({ field, old, new: now }: FieldChange): number | undefined {
  if (field !== 'submission_end_date' || old === null || now === null) return undefined
  return readIsoDate(old) && readIsoDate(now) ? daysBetween(old, now) : undefined
}

/**
 * What was announced and what changed, newest first, with all that one load brought in one entry. What is newer than the last visit
 * comes first whatever it is: announcements know their day alone, and count as new from the day after.
 */
export function historyOf(
  { announcements, history }: Pick<ProjectDetail, 'announcements' | 'history'>,
  lastLook: string | null,
): HistoryEntry[] {
  const lastDay = lastLook === null ? undefined : bangkokToday(new Date(lastLook))
  const loads = Map.groupBy(history, ({ seen_at }) => seen_at)
  const entries: HistoryEntry[] = [
    ...[...loads].map(([seenAt, changes]) => ({
      kind: 'changed' as const,
      day: bangkokToday(new Date(seenAt)),
      seenAt,
      changes: changes.toSorted((a, b) => Number(isCritical(b)) - Number(isCritical(a))),
      isNew: lastLook !== null && seenAt > lastLook,
    })),
    ...announcements.map(({ movement, announced_date: day, link }) => ({
      kind: 'announced' as const,
      day,
      movement,
      link,
      isNew: lastDay !== undefined && day > lastDay,
    })),
  ]
  // What a load brought was announced before it was seen.
  const rank = ({ kind }: HistoryEntry) => (kind === 'changed' ? 1 : 0)
  const moment = (entry: HistoryEntry) => (entry.kind === 'changed' ? entry.seenAt : '')
  return entries.toSorted(
    (a, b) =>
      Number(b.isNew) - Number(a.isNew) || compare(b.day, a.day) || rank(b) - rank(a) || compare(moment(b), moment(a)),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** How many fields changed since the last visit; 0 on the first. */
export function changesSince(history: readonly FieldChange[], lastLook: string | null): number {
  return lastLook === null ? 0 : history.filter(({ seen_at }) => seen_at > lastLook).length
}
