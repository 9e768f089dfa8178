import type { MorningQueue } from '#contract/report/morning-queue.ts'

/** How many there are in all, and how many of them wait for a decision. */
export function countQueue({ sections, decided }: MorningQueue): { readonly total: number; readonly waiting: number } {
  const total = sections.reduce((sum, section) => sum + section.total, 0)
  return { total, waiting: Math.max(0, total - decided.length) }
}
