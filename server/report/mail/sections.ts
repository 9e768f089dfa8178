import { DUE_KINDS, DUE_TEXTS } from '#contract/catalogue/bid-state.ts'
import { MAIL_ROWS } from '#contract/report/report-mail.ts'
import type { Candidate } from './queries-content.ts'

/** The parts of a mail, in the order in which they stand. A project stands in the first that it belongs to. */
export const SECTIONS = [...DUE_KINDS, 'new', 'updated', 'results'] as const
export type SectionName = (typeof SECTIONS)[number]

export type Section = {
  readonly name: SectionName
  /** All of its projects. */
  readonly ids: readonly string[]
  /** Those that the mail shows in full. */
  readonly shown: readonly string[]
}

/** `tellsClosing` false: this day's mail has named the deadlines already, a second load brings only its news. */
function sectionOf({ is_new, is_changed, has_result, due }: Candidate, tellsClosing: boolean): SectionName | undefined {
  if (tellsClosing && due !== null) return due
  if (is_new) return 'new'
  // Every result is a change too: it would never be found under its own heading otherwise.
  if (has_result) return 'results'
  return is_changed ? 'updated' : undefined
}

/**
 * Sorts projects into the parts of a mail. When there are more than it shows, every part keeps an equal share and what one does not
 * need goes to the others in their order: a hundred deadlines must not push the day's new projects out.
 */
export function sortIntoSections(candidates: readonly Candidate[], tellsClosing: boolean, most = MAIL_ROWS): Section[] {
  const groups = Map.groupBy(candidates, (candidate) => sectionOf(candidate, tellsClosing))
  const filled = SECTIONS.flatMap((name) => {
    const ids = (groups.get(name) ?? []).map(({ id }) => id)
    return ids.length === 0 ? [] : [{ name, ids }]
  })
  const rooms = shareOut(
    filled.map(({ ids }) => ids.length),
    most,
  )
  return filled.map(({ name, ids }, i) => ({ name, ids, shown: ids.slice(0, rooms[i]) }))
}

/** How many of each, at most `most` together. */
function shareOut(wanted: readonly number[], most: number): number[] {
  const share = Math.floor(most / Math.max(1, wanted.length))
  const rooms = wanted.map((count) => Math.min(count, share))
  let left = most - rooms.reduce((sum, room) => sum + room, 0)
  return rooms.map((room, i) => {
    const more = Math.min(left, wanted[i]! - room)
    left -= more
    return room + more
  })
}

/** What stands in the subject: what is new and what is due, or, where there is neither, what else there is. */
export function subjectCounts(sections: readonly Section[]): string {
  const count = (name: SectionName) => sections.find((section) => section.name === name)?.ids.length ?? 0
  const parts = [['ใหม่', count('new')] as const, ...DUE_KINDS.map((kind) => [DUE_TEXTS[kind], count(kind)] as const)]
  const others = [
    ['อัปเดต', count('updated')],
    ['ผล', count('results')],
  ] as const
  const said = parts.some(([, n]) => n > 0) ? parts : others
  return said.flatMap(([word, n]) => (n > 0 ? [`${word} ${n.toLocaleString('en-US')}`] : [])).join(' · ')
}
