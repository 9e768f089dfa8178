import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { searchForm } from '#contract/thai/thai-text.ts'
import { createExpander, type Expander } from '#server/matching/meaning/expander.ts'
import { meaningEngine } from '#server/matching/meaning/term-model.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import type { StoredTerm } from './keyword-terms.ts'

/** Words with cached terms, about ten each: 5 MB. */
const KEPT_WORDS = 2_000

export type KeywordContext = RouteContext & {
  /** May call an external endpoint: never use inside a transaction. */
  readonly expand: Expander
  /** Returns the terms active by default today, cached in the process. Never calls an external endpoint. */
  readonly today: (word: string) => Promise<readonly StoredTerm[]>
  readonly engine: string
}

/** `embeddings`: optional endpoint that contributes to suggestions; `onFailure` is called when it was skipped. */
export function keywordContext(
  context: RouteContext,
  embeddings: Parameters<typeof createExpander>[0],
  onFailure: (error: unknown) => void,
): KeywordContext {
  const provider = embeddings ? ` และ ${embeddings.kind}:${embeddings.model}` : ''
  return {
    ...context,
    engine: meaningEngine() + provider,
    expand: createExpander(embeddings, onFailure),
    today: createTodayCache(),
  }
}

/** Entries remain valid: the engine is constant until restart, and a provider does not affect which terms act. */
function createTodayCache(): KeywordContext['today'] {
  const expand = createExpander(undefined)
  const known = new LRUCache<string, Promise<readonly StoredTerm[]>>({ max: KEPT_WORDS })
  return (word) => {
    const key = searchForm(word)
    const kept = known.get(key)
    if (kept) return kept
    const found = expand(word).then(({ terms }) => terms.filter(({ state }) => state === 'auto'))
    known.set(key, found)
    found.catch(() => known.delete(key))
    return found
  }
}

export type Editor = {
  readonly userId: number
  readonly organisationId: number
  readonly at: Date
  readonly address: string
  readonly requestId: string
}

export async function editorOf(context: KeywordContext, request: FastifyRequest): Promise<Editor> {
  const { userId, organisationId } = await context.actorOf(request)
  return { userId, organisationId, at: context.now(), address: request.ip, requestId: request.id }
}
