import { invalidateCacheTags } from '#src/api/cache-tags.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { readStoredText, writeStoredText } from '#src/lib/web-storage.ts'
import { pollMatchingProgress } from './matching-progress.ts'

/** Start of a save in this tab, ms of the device clock. Survives a navigation that precedes the response. */
const STORAGE_KEY = 'tamngan.lists-under-way'
/** Maximum duration of a save; a longer one counts as failed (send-change.ts). */
const MAX_SAVE_MS = 30_000
/** Delays, in ms after the save started, at which the next page refetches the lists. */
const REFETCH_DELAYS_MS = [1_000, 4_000, 12_000, MAX_SAVE_MS]

let saves = 0

/** Marks a list change as in flight until the returned function is called. */
export function markWatchListSaveInFlight(): () => void {
  saves += 1
  write(String(Date.now()))
  return () => {
    saves -= 1
    if (saves === 0) write(undefined)
  }
}

/**
 * Refetches the lists when the previous page was left during a save: that request continues, and this page may have
 * read the lists before the server stored the save. Stops when the lists change. Returns a function that cancels the
 * refetches.
 */
export function refetchAfterInterruptedWatchListSave(): () => void {
  const beganAt = Number(readStoredText('sessionStorage', STORAGE_KEY) ?? 0)
  if (saves > 0 || Math.abs(Date.now() - beganAt) > MAX_SAVE_MS) return () => undefined
  const before = queryClient.getQueryData(organisationKeys.me)
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = (at: number) => {
    // Structural sharing keeps the same object if the lists did not change, so a new object means that they did.
    if (queryClient.getQueryData(organisationKeys.me) !== before) return done()
    if (at > 0) invalidateCacheTags(['lists'])
    const [last = 0, next] = [REFETCH_DELAYS_MS[at - 1], REFETCH_DELAYS_MS[at]]
    if (next !== undefined) timer = setTimeout(ask, next - last, at + 1)
    else if (saves === 0) write(undefined)
  }
  const done = () => {
    if (saves === 0) write(undefined)
    pollMatchingProgress()
  }
  ask(0)
  return () => clearTimeout(timer)
}

const write = (text: string | undefined) => writeStoredText('sessionStorage', STORAGE_KEY, text)
