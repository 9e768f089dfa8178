/** How often it is tried again to store them. */
const AGAIN_MS = 5_000
/** Whatever is forgotten past this number ends with its own life. */
const MOST = 10_000

export type UnstoredEnds = {
  has(key: string): boolean
  /** Holds a session as ended from now on; `store` is tried until it succeeds. */
  add(keys: readonly string[], store: () => Promise<unknown>): void
}

/**
 * Sessions that were ended while the database took no writes, as with a full disk (R11): this process refuses them until their end is stored.
 * Keys are ids of sessions and hashes of refresh tokens.
 */
export function createUnstoredEnds(): UnstoredEnds {
  const waiting = new Map<string, () => Promise<unknown>>()
  let timer: NodeJS.Timeout | undefined

  async function storeAll(): Promise<void> {
    timer = undefined
    for (const [key, store] of [...waiting]) {
      const isStored = await store().then(
        () => true,
        () => false,
      )
      if (isStored) waiting.delete(key)
    }
    if (waiting.size > 0) plan()
  }
  function plan(): void {
    timer ??= setTimeout(() => void storeAll(), AGAIN_MS)
    timer.unref()
  }
  return {
    has: (key) => waiting.has(key),
    add(keys, store) {
      for (const key of keys) if (waiting.size < MOST) waiting.set(key, store)
      if (waiting.size > 0) plan()
    },
  }
}
