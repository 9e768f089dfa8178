import type { FastifyBaseLogger } from 'fastify'
import type { DocumentStore } from '#server/features/document/store/document-store.ts'

/** A bucket is asked at most this often, whoever wants to know, and the log says at most this often that it is away. */
const CACHED_MS = 15_000
const SAY_EVERY_MS = 60_000
/** Longest that a probe waits for the word of a bucket; then what was known before stands. */
const PATIENCE_MS = 1_000

/**
 * Whether the store of documents would answer, as it was seen last. It is logged when it does not, and when it is back. Files on this machine are always there. Everything but documents goes on
 * without it, so it is told and no reason to send nobody here.
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
