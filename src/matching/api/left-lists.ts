import { askAgain } from '#src/api/cache-tags.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { followMatching } from './matching-progress.ts'

/** When a save of this tab began, ms of the device's clock. It stays there when its page is left before the answer. */
const KEY = 'tamngan.lists-under-way'
/** An answer takes no longer than this; after it a save has failed (outliving-calls.ts). */
const LONGEST_MS = 30_000
/** When a page that came into a save asks for the lists again, ms after it began. */
const AGAIN_MS = [1_000, 4_000, 12_000, LONGEST_MS]

let saves = 0

/** A change of the lists is on its way until the function that it returns is called. */
export function beginSave(): () => void {
  saves += 1
  write(String(Date.now()))
  return () => {
    saves -= 1
    if (saves === 0) write(undefined)
  }
}

/**
 * The page before this one was left while the lists were being saved: its request goes on, and the lists of this page may have been read before the server had it.
 * They are asked for again until they hold something else. Answers a function that ends it.
 */
export function askForLeftLists(): () => void {
  const beganAt = Number(read() ?? 0)
  if (saves > 0 || Math.abs(Date.now() - beganAt) > LONGEST_MS) return () => undefined
  const before = queryClient.getQueryData(organisationKeys.me)
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = (at: number) => {
    // The same lists again are the same object.
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
    // Storage is blocked: the lists are as old as the page.
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
