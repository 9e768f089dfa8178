import { DUE_KINDS, DUE_TEXTS } from '#contract/catalogue/bid-state.ts'
import { MAX_MAIL_ROWS } from '#contract/report/report-mail.ts'
import type { Candidate } from './mail-content-queries.ts'

/** Sections of a mail in display order. A project appears in the first section that applies. */
export const SECTIONS = [...DUE_KINDS, 'new', 'updated', 'results'] as const
export type SectionName = (typeof SECTIONS)[number]

export type Section = {
  readonly name: SectionName
  readonly ids: readonly string[]
  readonly shownIds: readonly string[]
}

/**
 * `showsDeadlines` is false if an earlier mail of today already listed deadlines; the second mail then has only new and
 * changed projects.
 */
function sectionOf(
  { is_new, is_changed, has_result, due }: Candidate,
  showsDeadlines: boolean,
): SectionName | undefined {
  if (showsDeadlines && due !== null) return due
  if (is_new) return 'new'
  // Results also count as changes, so test them first.
  if (has_result) return 'results'
  return is_changed ? 'updated' : undefined
}

/**
 * Sorts projects into sections. Above the limit each section gets an equal share, and unused rows go to the other
 * sections in order, because a hundred deadlines must not displace the day's new projects.
 */
export function sortIntoSections(
  candidates: readonly Candidate[],
  showsDeadlines: boolean,
  maxRows = MAX_MAIL_ROWS,
): Section[] {
  const groups = Map.groupBy(candidates, (candidate) => sectionOf(candidate, showsDeadlines))
  const filled = SECTIONS.flatMap((name) => {
    const ids = (groups.get(name) ?? []).map(({ id }) => id)
    return ids.length === 0 ? [] : [{ name, ids }]
  })
  const rowLimits = allocateRows(
    filled.map(({ ids }) => ids.length),
    maxRows,
  )
  return filled.map(({ name, ids }, i) => ({ name, ids, shownIds: ids.slice(0, rowLimits[i]) }))
}

function allocateRows(counts: readonly number[], maxRows: number): number[] {
  const share = Math.floor(maxRows / Math.max(1, counts.length))
  const allocated = counts.map((count) => Math.min(count, share))
  let unused = maxRows - allocated.reduce((sum, rows) => sum + rows, 0)
  return allocated.map((rows, i) => {
    const extra = Math.min(unused, counts[i]! - rows)
    unused -= extra
    return rows + extra
  })
}

export function subjectCounts(sections: readonly Section[]): string {
  const count = (name: SectionName) => sections.find((section) => section.name === name)?.ids.length ?? 0
  const newAndDue = [
    ['ใหม่', count('new')] as const,
    ...DUE_KINDS.map((kind) => [DUE_TEXTS[kind], count(kind)] as const),
  ]
  const updatesAndResults = [
    ['อัปเดต', count('updated')],
    ['ผล', count('results')],
  ] as const
  const subjectParts = newAndDue.some(([, n]) => n > 0) ? newAndDue : updatesAndResults
  return subjectParts.flatMap(([word, n]) => (n > 0 ? [`${word} ${n.toLocaleString('en-US')}`] : [])).join(' · ')
}
