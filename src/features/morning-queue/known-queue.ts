import type { MorningQueue } from '#contract/report/morning-queue.ts'

/** The queue as this tab knows it: with what was decided here and is still on its way to the server. */
export function knownQueue(queue: MorningQueue, unsent: ReadonlyMap<string, boolean>): MorningQueue {
  if (unsent.size === 0) return queue
  const ids = new Set(queue.sections.flatMap((section) => section.ids))
  const decided = new Set(queue.decided)
  for (const [id, isDecided] of unsent) {
    if (isDecided && ids.has(id)) decided.add(id)
    else decided.delete(id)
  }
  return { ...queue, decided: [...decided] }
}

/** How many there are in all, and how many of them wait for a decision. */
export function countQueue({ sections, decided }: MorningQueue): { readonly total: number; readonly waiting: number } {
  const total = sections.reduce((sum, section) => sum + section.total, 0)
  return { total, waiting: Math.max(0, total - decided.length) }
}
