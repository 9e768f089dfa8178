import { currentSession, ownerOf } from '#src/lib/session-store.ts'

/** Target prices are the user's own and never leave the browser; one list a user, so that the next one on this device sees none of them. */
const KEY = 'tamngan.target-prices'
/** Oldest first out. */
const MOST_KEPT = 300

type Kept = readonly (readonly [projectId: string, text: string])[]

const keyOf = () => `${KEY}.${ownerOf(currentSession()) ?? 'nobody'}`

function readAll(): Kept {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
    if (!Array.isArray(value)) return []
    return value.filter(
      (pair): pair is [string, string] =>
        Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'),
    )
  } catch {
    return []
  }
}

/** What the user typed as the target of this project, or nothing. */
export function readSavedTarget(projectId: string): string {
  return readAll().find(([id]) => id === projectId)?.[1] ?? ''
}

/** Keeps it for the next visit; an empty text forgets it. */
export function saveTarget(projectId: string, text: string): void {
  const others = readAll().filter(([id]) => id !== projectId)
  const next = text.trim() === '' ? others : [[projectId, text] as const, ...others].slice(0, MOST_KEPT)
  try {
    if (next.length === 0) localStorage.removeItem(keyOf())
    else localStorage.setItem(keyOf(), JSON.stringify(next))
  } catch {
    // Storage is blocked or full: the target lasts as long as the page.
  }
}
