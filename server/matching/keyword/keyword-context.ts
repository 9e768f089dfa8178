import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { createKeywordExpander, type KeywordExpander } from '#server/matching/meaning/keyword-expander.ts'
import { getBuiltInKeywordExpanderName } from '#server/matching/meaning/term-model.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import type { StoredKeywordTerm } from './store-terms.ts'

/** Maximum cached words. A word has about ten terms, so the cache takes 5 MB. */
const MAX_CACHED_WORDS = 2_000

export type KeywordRouteContext = RouteContext & {
  /** Expands a keyword. May call an external endpoint, so never use this inside a transaction. */
  readonly expand: KeywordExpander
  /**
   * Returns the terms that are active by default with the current engine. Cached in the process; never calls an
   * external endpoint.
   */
  readonly defaultTerms: (word: string) => Promise<readonly StoredKeywordTerm[]>
  readonly engine: string
}

/**
 * Creates the context of the keyword routes. `embeddings`: optional endpoint that contributes to suggestions.
 * `onFailure` is called when the endpoint failed and was skipped.
 */
export function createKeywordRouteContext(
  context: RouteContext,
  embeddings: Parameters<typeof createKeywordExpander>[0],
  onFailure: (error: unknown) => void,
): KeywordRouteContext {
  const provider = embeddings ? ` และ ${embeddings.kind}:${embeddings.model}` : ''
  return {
    ...context,
    engine: getBuiltInKeywordExpanderName() + provider,
    expand: createKeywordExpander(embeddings, onFailure),
    defaultTerms: createDefaultTermsCache(),
  }
}

/**
 * Creates a cache of default terms. Entries never expire: the engine does not change until restart, and an embeddings
 * provider does not affect which terms are active.
 */
function createDefaultTermsCache(): KeywordRouteContext['defaultTerms'] {
  const expand = createKeywordExpander(undefined)
  const cache = new LRUCache<string, Promise<readonly StoredKeywordTerm[]>>({ max: MAX_CACHED_WORDS })
  return (word) => {
    const key = toNormalisedSearchText(word)
    const cached = cache.get(key)
    if (cached) return cached
    const pendingTerms = expand(word).then(({ terms }) => terms.filter(({ state }) => state === 'auto'))
    cache.set(key, pendingTerms)
    pendingTerms.catch(() => cache.delete(key))
    return pendingTerms
  }
}

export type KeywordListEditingActor = {
  readonly userId: number
  readonly organisationId: number
  readonly at: Date
  readonly address: string
  readonly requestId: string
}

export async function requireKeywordListEditingActor(
  context: KeywordRouteContext,
  request: FastifyRequest,
): Promise<KeywordListEditingActor> {
  const { userId, organisationId } = await context.actorOf(request)
  return { userId, organisationId, at: context.now(), address: request.ip, requestId: request.id }
}
