import { createRecentList } from '#src/lib/recent-list.ts'
import type { PaletteEntry, RecentEntry } from './palette-entries.ts'

const isText = (value: unknown) => value === undefined || typeof value === 'string'
/** An address within the product: what was stored is not trusted to be one. */
const isPath = (value: unknown) => value === undefined || (typeof value === 'string' && /^\/(?!\/)/.test(value))

function isRecent(value: unknown): value is RecentEntry {
  if (typeof value !== 'object' || value === null) return false
  const { id, group, title, note, href } = value as Record<string, unknown>
  return (
    typeof id === 'string' && typeof group === 'string' && typeof title === 'string' && isText(note) && isPath(href)
  )
}

/** What was opened from the palette; gone when somebody logs out. */
export const recentEntries = createRecentList<RecentEntry>('tamngan.palette', {
  isItem: isRecent,
  isSame: (one, other) => one.id === other.id,
})

/** Puts an entry first; a search for a text is not worth keeping. */
export function rememberEntry({ id, group, title, note, href }: PaletteEntry): void {
  if (group !== 'search') recentEntries.remember({ id, group, title, note, href })
}
