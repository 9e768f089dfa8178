const RETRY_INTERVAL_MS = 5_000
const MAX_KEYS = 10_000

export type PendingSessionRevocations = {
  has(key: string): boolean
  add(keys: readonly string[], store: () => Promise<unknown>): void
}

/**
 * Tracks sessions ended while the database rejected writes, for example on a full disk (R11). This process refuses them
 * until the end is stored. Keys are session ids and refresh token hashes.
 */
export function createPendingSessionRevocations(): PendingSessionRevocations {
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
    timer ??= setTimeout(() => void storeAll(), RETRY_INTERVAL_MS)
    timer.unref()
  }
  return {
    has: (key) => waiting.has(key),
    add(keys, store) {
      for (const key of keys) if (waiting.size < MAX_KEYS) waiting.set(key, store)
      if (waiting.size > 0) plan()
    },
  }
}
