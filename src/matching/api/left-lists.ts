import { askAgain } from '#src/api/cache-tags.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { followMatching } from './matching-progress.ts'

/**
 * When a save from this tab started, in ms of the device clock. Survives a navigation that happens before the response.
 */
const KEY = 'tamngan.lists-under-way'
/** Maximum duration of a save; after it the save counts as failed (outliving-calls.ts). */
const LONGEST_MS = 30_000
/** Delays, in ms after the save started, at which the next page refetches the lists. */
const AGAIN_MS = [1_000, 4_000, 12_000, LONGEST_MS]

let saves = 0

/** Marks a list change as in flight until the returned function is called. */
export function beginSave(): () => void {
  saves += 1
  write(String(Date.now()))
  return () => {
    saves -= 1
    if (saves === 0) write(undefined)
  }
}

/**
 * Refetches the lists when the previous page was left during a save: that request continues, and this page may have
 * read the lists before the server stored it. Stops when the lists change. Returns a function that cancels it.
 */
export function askForLeftLists(): () => void {
  const beganAt = Number(read() ?? 0)
  if (saves > 0 || Math.abs(Date.now() - beganAt) > LONGEST_MS) return () => undefined
  const before = queryClient.getQueryData(organisationKeys.me)
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = (at: number) => {
    // Structural sharing preserves the object when the lists did not change.
    if (queryClient.getQueryData(organisationKeys.me) !== before) return done()
    if (at > 0) askAgain(['lists'])
    const [last = 0, next] = [AGAIN_MS[at - 1], AGAIN_MS[at]]
    if (next !== undefined) timer = setTimeout(ask, next - last, at + 1)
    else if (saves === 0) write(undefined)
  }
  const done = () => {
    if (saves === 0) write(undefined)
    followMatching()
  }
  ask(0)
  return () => clearTimeout(timer)
}

function write(text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, text)
  } catch {
    // Storage is blocked: skip the refetch.
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
