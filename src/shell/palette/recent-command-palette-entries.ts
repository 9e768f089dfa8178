import { createRecentList } from '#src/lib/recent-list.ts'
import type { CommandPaletteEntry, RecentCommandPaletteEntry } from './command-palette-entries.ts'

const isText = (value: unknown) => value === undefined || typeof value === 'string'
/** True for an absent path or one within the app; others are rejected, because stored data is not trusted. */
const isPath = (value: unknown) => value === undefined || (typeof value === 'string' && /^\/(?!\/)/.test(value))

function isRecent(value: unknown): value is RecentCommandPaletteEntry {
  if (typeof value !== 'object' || value === null) return false
  const { id, group, title, note, href } = value as Record<string, unknown>
  return (
    typeof id === 'string' && typeof group === 'string' && typeof title === 'string' && isText(note) && isPath(href)
  )
}

export const recentCommandPaletteEntryList = createRecentList<RecentCommandPaletteEntry>('tamngan.palette', {
  isItem: isRecent,
  isSame: (a, b) => a.id === b.id,
})

/** Moves an entry to the front of the recent entries. Text searches are not stored. */
export function rememberCommandPaletteEntry({ id, group, title, note, href }: CommandPaletteEntry): void {
  if (group !== 'search') recentCommandPaletteEntryList.remember({ id, group, title, note, href })
}
