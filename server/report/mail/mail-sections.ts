import { NEAR_DEADLINE_KINDS, NEAR_DEADLINE_LABELS } from '#contract/catalogue/bid-state.ts'
import { MAX_REPORT_MAIL_ROWS } from '#contract/report/report-mail.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { ReportMailProject } from './mail-content-queries.ts'

/** Sections of an email in display order. A project appears in the first section that applies. */
const MAIL_SECTIONS = [...NEAR_DEADLINE_KINDS, 'new', 'updated', 'results'] as const
export type MailSectionName = (typeof MAIL_SECTIONS)[number]

export type MailSection = {
  readonly name: MailSectionName
  /** Number of projects, including new ones that are only counted. */
  readonly count: number
  readonly ids: readonly string[]
  readonly shownIds: readonly string[]
}

/**
 * Returns the section of a project. `showsDeadlines` is false if an earlier email of today already listed deadlines;
 * the second one then has only new and changed projects.
 */
function sectionOf(
  { is_new, is_changed, has_result, due }: ReportMailProject,
  showsDeadlines: boolean,
): MailSectionName | undefined {
  if (showsDeadlines && due !== null) return due
  if (is_new) return 'new'
  // A result also counts as a change, so test for a result first.
  if (has_result) return 'results'
  return is_changed ? 'updated' : undefined
}

/**
 * Sorts projects into sections. Above the limit each section gets an equal share, and unused rows go to the other
 * sections in order, because a hundred deadlines must not displace the day's new projects.
 */
export function groupIntoMailSections(
  candidates: readonly ReportMailProject[],
  showsDeadlines: boolean,
  /** Number of new projects that are only counted, not in `candidates`. */
  unlistedNew = 0,
): MailSection[] {
  const groups = Map.groupBy(candidates, (candidate) => sectionOf(candidate, showsDeadlines))
  const filled = MAIL_SECTIONS.flatMap((name) => {
    const ids = (groups.get(name) ?? []).map(({ id }) => id)
    const count = ids.length + (name === 'new' ? unlistedNew : 0)
    return count === 0 ? [] : [{ name, count, ids }]
  })
  const rowLimits = allocateRows(filled.map(({ ids }) => ids.length))
  return filled.map((section, i) => ({ ...section, shownIds: section.ids.slice(0, rowLimits[i]) }))
}

/** Divides `MAX_REPORT_MAIL_ROWS` evenly. Rows that a section does not need go to the first ones that need more. */
function allocateRows(counts: readonly number[]): number[] {
  const share = Math.floor(MAX_REPORT_MAIL_ROWS / Math.max(1, counts.length))
  const allocated = counts.map((count) => Math.min(count, share))
  let unused = MAX_REPORT_MAIL_ROWS - allocated.reduce((sum, rows) => sum + rows, 0)
  return allocated.map((rows, i) => {
    const extra = Math.min(unused, counts[i]! - rows)
    unused -= extra
    return rows + extra
  })
}

export function formatMailSubjectCounts(sections: readonly MailSection[]): string {
  const count = (name: MailSectionName) => sections.find((section) => section.name === name)?.count ?? 0
  const newAndDue = [
    ['ใหม่', count('new')] as const,
    ...NEAR_DEADLINE_KINDS.map((kind) => [NEAR_DEADLINE_LABELS[kind], count(kind)] as const),
  ]
  const updatesAndResults = [
    ['อัปเดต', count('updated')],
    ['ผล', count('results')],
  ] as const
  const subjectParts = newAndDue.some(([, n]) => n > 0) ? newAndDue : updatesAndResults
  return subjectParts.flatMap(([word, n]) => (n > 0 ? [`${word} ${formatCount(n)}`] : [])).join(' · ')
}
