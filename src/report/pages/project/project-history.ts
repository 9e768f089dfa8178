import type { FieldChange } from '#contract/catalogue/field-change.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { countDaysBetween, getBangkokToday, parseIsoDate } from '#contract/thai/thai-date.ts'

type AnnouncedEntry = {
  readonly kind: 'announced'
  readonly day: string
  readonly movement: string
  readonly link: string | undefined
}
type ChangedEntry = {
  readonly kind: 'changed'
  readonly day: string
  readonly seenAt: string
  readonly changes: readonly FieldChange[]
}
export type ProjectHistoryEntry = (AnnouncedEntry | ChangedEntry) & {
  readonly isNew: boolean
}

const CRITICAL_FIELDS = ['submission_end_date', 'submission_time']

/** True for a change of an existing deadline, because missing it can cost the bid; false for a first date. */
export const isCriticalDeadlineChange = ({ field, old }: Pick<FieldChange, 'field' | 'old'>): boolean =>
  old !== null && CRITICAL_FIELDS.includes(field)

/** Positive for later; undefined for other changes or if either value is not a date. */
export function getSubmissionDateShiftDays({ field, old, new: newValue }: FieldChange): number | undefined {
  if (field !== 'submission_end_date' || old === null || newValue === null) return undefined
  return parseIsoDate(old) && parseIsoDate(newValue) ? countDaysBetween(old, newValue) : undefined
}

/**
 * Merges announcements and changes, newest first, with one entry per load. Entries since the last visit come first.
 * Announcements have no time of day and count as new from the following day.
 */
export function buildProjectHistory(
  { announcements, history }: Pick<ProjectDetail, 'announcements' | 'history'>,
  lastVisit: string | null,
): ProjectHistoryEntry[] {
  const lastDay = lastVisit === null ? undefined : getBangkokToday(new Date(lastVisit))
  const loads = Map.groupBy(history, ({ seen_at }) => seen_at)
  const entries: ProjectHistoryEntry[] = [
    ...[...loads].map(([seenAt, changes]) => ({
      kind: 'changed' as const,
      day: getBangkokToday(new Date(seenAt)),
      seenAt,
      changes: changes.toSorted((a, b) => Number(isCriticalDeadlineChange(b)) - Number(isCriticalDeadlineChange(a))),
      isNew: lastVisit !== null && seenAt > lastVisit,
    })),
    ...announcements.map(({ movement, announced_date: day, link }) => ({
      kind: 'announced' as const,
      day,
      movement,
      link,
      isNew: lastDay !== undefined && day > lastDay,
    })),
  ]
  // Announcements are listed after the load that detected them, because they preceded it.
  const rank = ({ kind }: ProjectHistoryEntry) => (kind === 'changed' ? 1 : 0)
  const timestamp = (entry: ProjectHistoryEntry) => (entry.kind === 'changed' ? entry.seenAt : '')
  return entries.toSorted(
    (a, b) =>
      Number(b.isNew) - Number(a.isNew) ||
      compare(b.day, a.day) ||
      rank(b) - rank(a) ||
      compare(timestamp(b), timestamp(a)),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export function countProjectChangesSinceVisit(history: readonly FieldChange[], lastVisit: string | null): number {
  return lastVisit === null ? 0 : history.filter(({ seen_at }) => seen_at > lastVisit).length
}
