import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { toSearchForm } from '#contract/thai/thai-text.ts'
import { createExpander, type Expander } from '#server/matching/meaning/expander.ts'
import { meaningEngineId } from '#server/matching/meaning/term-model.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import type { StoredTerm } from './store-terms.ts'

/** Maximum cached words. A word has about ten terms, so the cache takes 5 MB. */
const MAX_CACHED_WORDS = 2_000

export type KeywordContext = RouteContext & {
  /** Expands a keyword. May call an external endpoint, so never use this inside a transaction. */
  readonly expand: Expander
  /**
   * Returns the terms that are active by default with the current engine. Cached in the process; never calls an
   * external endpoint.
   */
  readonly defaultTerms: (word: string) => Promise<readonly StoredTerm[]>
  readonly engine: string
}

/**
 * `embeddings`: optional endpoint that contributes to suggestions; `onFailure` is called when the endpoint was skipped.
 */
export function createKeywordContext(
  context: RouteContext,
  embeddings: Parameters<typeof createExpander>[0],
  onFailure: (error: unknown) => void,
): KeywordContext {
  const provider = embeddings ? ` และ ${embeddings.kind}:${embeddings.model}` : ''
  return {
    ...context,
    engine: meaningEngineId() + provider,
    expand: createExpander(embeddings, onFailure),
    defaultTerms: createDefaultTermsCache(),
  }
}

/**
 * Entries never expire: the engine does not change until restart, and a provider does not affect which terms are
 * active.
 */
function createDefaultTermsCache(): KeywordContext['defaultTerms'] {
  const expand = createExpander(undefined)
  const cache = new LRUCache<string, Promise<readonly StoredTerm[]>>({ max: MAX_CACHED_WORDS })
  return (word) => {
    const key = toSearchForm(word)
    const cached = cache.get(key)
    if (cached) return cached
    const pendingTerms = expand(word).then(({ terms }) => terms.filter(({ state }) => state === 'auto'))
    cache.set(key, pendingTerms)
    pendingTerms.catch(() => cache.delete(key))
    return pendingTerms
  }
}

export type ListEditor = {
  readonly userId: number
  readonly organisationId: number
  readonly at: Date
  readonly address: string
  readonly requestId: string
}

export async function requireListEditor(context: KeywordContext, request: FastifyRequest): Promise<ListEditor> {
  const { userId, organisationId } = await context.actorOf(request)
  return { userId, organisationId, at: context.now(), address: request.ip, requestId: request.id }
}
