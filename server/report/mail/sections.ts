import { DUE_KINDS, DUE_TEXTS } from '#contract/catalogue/bid-state.ts'
import { MAIL_ROWS } from '#contract/report/report-mail.ts'
import type { Candidate } from './mail-content-queries.ts'

/** Sections of a mail in order. A project appears in the first that applies. */
export const SECTIONS = [...DUE_KINDS, 'new', 'updated', 'results'] as const
export type SectionName = (typeof SECTIONS)[number]

export type Section = {
  readonly name: SectionName
  readonly ids: readonly string[]
  readonly shown: readonly string[]
}

/** `tellsClosing` is false if today's mail already listed deadlines; a second one has only news. */
function sectionOf({ is_new, is_changed, has_result, due }: Candidate, tellsClosing: boolean): SectionName | undefined {
  if (tellsClosing && due !== null) return due
  if (is_new) return 'new'
  // Results are changes too, so test them first.
  if (has_result) return 'results'
  return is_changed ? 'updated' : undefined
}

/**
 * Sorts projects into sections. Above the limit each section gets an equal share, and unused room goes to the others in
 * order: a hundred deadlines must not displace the day's new projects.
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

/** Subject counts: new and due projects, or else updates and results. */
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
