import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { searchForm } from '#contract/thai/thai-text.ts'
import { createExpander, type Expander } from '#server/matching/meaning/expander.ts'
import { meaningEngine } from '#server/matching/meaning/term-model.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import type { StoredTerm } from './keyword-terms.ts'

/** Words whose acting terms are remembered, some ten terms each: 5 MB. */
const KEPT_WORDS = 2_000

/** What editing watch lists needs beside the context of every route. */
export type KeywordContext = RouteContext & {
  /** May ask an endpoint elsewhere: never called inside a transaction. */
  readonly expand: Expander
  /** What acts unasked today of a word, kept in the process: 0 ms after the first question. Asks nobody elsewhere. */
  readonly today: (word: string) => Promise<readonly StoredTerm[]>
  /** Who expands, as users are told. */
  readonly engine: string
}

/** `embeddings`: an endpoint that has a say in suggested terms; `onFailure` hears when it was left out. */
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

/** The engine is the same until the next start, and a provider has no say in what acts: the same word gives the same terms. */
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

/** Who changes the lists, when and from where. */
export type Editor = {
  readonly userId: number
  readonly organisationId: number
  readonly at: Date
  readonly address: string
  readonly requestId: string
}

/** The signed-in user as one who changes lists. */
export async function editorOf(context: KeywordContext, request: FastifyRequest): Promise<Editor> {
  const { userId, organisationId } = await context.actorOf(request)
  return { userId, organisationId, at: context.now(), address: request.ip, requestId: request.id }
}
