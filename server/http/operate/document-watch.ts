import type { FastifyBaseLogger } from 'fastify'
import type { DocumentStore } from '#server/documents/store/document-store.ts'

/** Minimum interval between probes of a bucket, and between log lines about an outage. */
const CACHED_MS = 15_000
const SAY_EVERY_MS = 60_000
/** How long a caller waits for a probe before it gets the last known state. */
const PATIENCE_MS = 1_000

/**
 * Returns a check whether the document store answered its last probe; logs when it stops answering and when it is back.
 * Local files are always available. Everything but documents works without the store, so the server stays ready and
 * only reports the outage.
 */
export function createDocumentWatch(
  { probe }: Pick<DocumentStore, 'probe'>,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY
  let saidAt = Number.NEGATIVE_INFINITY
  let isThere = true
  let asking = Promise.resolve()

  async function look(ask: () => Promise<void>): Promise<void> {
    try {
      await ask()
      if (!isThere) log.warn({}, 'the store of documents is back')
      isThere = true
      saidAt = Number.NEGATIVE_INFINITY
    } catch (error) {
      isThere = false
      if (performance.now() - saidAt < SAY_EVERY_MS) return
      saidAt = performance.now()
      log.error({ err: error }, 'the store of documents is away: files are neither read nor taken in')
    }
  }
  return async () => {
    if (probe && performance.now() - askedAt > CACHED_MS) {
      askedAt = performance.now()
      asking = look(probe)
    }
    let timer: NodeJS.Timeout | undefined
    const gaveUp = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS)
    })
    await Promise.race([asking, gaveUp])
    clearTimeout(timer)
    return isThere
  }
}
