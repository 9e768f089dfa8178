import type { FastifyBaseLogger } from 'fastify'
import type { DocumentStore } from '#server/documents/store/document-store.ts'

const PROBE_INTERVAL_MS = 15_000
const LOG_INTERVAL_MS = 60_000
const MAX_WAIT_MS = 1_000

/**
 * Returns a function that reports whether the document store answered its last probe; logs when the store stops
 * answering and when it is back. Local files are always available. Everything but documents works without the store, so
 * the server stays ready and only reports the outage.
 */
export function createDocumentStoreCheck(
  { probe }: Pick<DocumentStore, 'probe'>,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): () => Promise<boolean> {
  let probedAt = Number.NEGATIVE_INFINITY
  let loggedAt = Number.NEGATIVE_INFINITY
  let isAvailable = true
  let lastProbe = Promise.resolve()

  async function runProbe(sendProbe: () => Promise<void>): Promise<void> {
    try {
      await sendProbe()
      if (!isAvailable) log.warn({}, 'document store reachable again')
      isAvailable = true
      loggedAt = Number.NEGATIVE_INFINITY
    } catch (error) {
      isAvailable = false
      if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
      loggedAt = performance.now()
      log.error({ err: error }, 'document store unreachable: files can be neither read nor added')
    }
  }
  return async () => {
    if (probe && performance.now() - probedAt > PROBE_INTERVAL_MS) {
      probedAt = performance.now()
      lastProbe = runProbe(probe)
    }
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS)
    })
    await Promise.race([lastProbe, timeout])
    clearTimeout(timer)
    return isAvailable
  }
}
