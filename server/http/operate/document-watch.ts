import type { FastifyBaseLogger } from 'fastify'
import type { DocumentStore } from '#server/documents/store/document-store.ts'

/** A bucket is asked at most this often, whoever wants to know, and the log says at most this often that it is away. */
const CACHED_MS = 15_000
const SAY_EVERY_MS = 60_000
/** Longest that a probe waits for the word of a bucket; then what was known before stands. */
const PATIENCE_MS = 1_000

/**
 * Whether the document store answered when it was last asked; logged when it stops and when it is back. Files on this machine are always there. Everything but documents works without
 * the store, so the server stays ready and only says it.
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
