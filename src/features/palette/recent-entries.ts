import { currentSession, ownerOf } from '#src/lib/session-store.ts'
import type { PaletteEntry, RecentEntry } from './palette-entries.ts'

/** What was opened from the palette; kept in this browser alone, one list a user, and gone when somebody logs out. */
const KEY = 'tamngan.palette'
/** Oldest first out. */
const MOST_KEPT = 6

const keyOf = () => `${KEY}.${ownerOf(currentSession()) ?? 'nobody'}`

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

/** The newest first. */
export function recentEntries(): readonly RecentEntry[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
    return Array.isArray(value) ? value.filter(isRecent).slice(0, MOST_KEPT) : []
  } catch {
    return []
  }
}

/** Puts an entry first; a search for a text is not worth keeping. */
export function rememberEntry({ id, group, title, note, href }: PaletteEntry): void {
  if (group === 'search') return
  const others = recentEntries().filter((one) => one.id !== id)
  try {
    localStorage.setItem(keyOf(), JSON.stringify([{ id, group, title, note, href }, ...others].slice(0, MOST_KEPT)))
  } catch {
    // Storage is blocked or full: nothing is offered next time.
  }
}

/** Forgets what anybody opened on this device. */
export function forgetRecent(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(`${KEY}.`)) localStorage.removeItem(key)
  } catch {
    // Storage is blocked: nothing was kept.
  }
}
