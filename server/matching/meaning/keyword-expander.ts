import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import {
  createEmbeddingsProvider,
  type EmbeddingsProvider,
  type EmbeddingsProviderSettings,
} from './embeddings-provider.ts'
import {
  type ExpandedTerm,
  expandKeywordInTimeSlices,
  type KeywordExpansion,
  type KeywordExpansionOptions,
} from './expand-keyword.ts'

const RANK_OFFSET = 60

/**
 * Reorders the suggestions by merging the provider's ranking with the built-in one (reciprocal rank fusion). The
 * provider never activates a term. Returns the expansion unchanged if the provider fails.
 */
async function expandWithProvider(
  word: string,
  expansion: KeywordExpansion,
  provider: EmbeddingsProvider,
  onFailure: (error: unknown) => void = () => {},
): Promise<KeywordExpansion> {
  const waiting = expansion.terms.filter(({ state }) => state === 'suggested')
  if (waiting.length === 0) return expansion
  let similarities: number[]
  try {
    const [keyword, ...vectors] = await provider.embedKeywords([word, ...waiting.map(({ term }) => term)])
    similarities = vectors.map((vector) => dot(keyword!, vector))
  } catch (error) {
    onFailure(error)
    return expansion
  }
  const order = waiting.map((_, index) => index).sort((a, b) => similarities[b]! - similarities[a]! || a - b)
  const rank = new Map(order.map((index, at) => [index, at]))
  const merged = waiting
    .map((term, index) => ({ term, score: 1 / (RANK_OFFSET + index) + 1 / (RANK_OFFSET + rank.get(index)!), index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ term, index }) => withVote(term, similarities[index]!, rank.get(index)! < index))
  return {
    ...expansion,
    engine: `${expansion.engine} และ ${provider.id}`,
    terms: [...expansion.terms.filter(({ state }) => state === 'auto'), ...merged],
  }
}

function withVote(term: ExpandedTerm, similarity: number, isHigher: boolean): ExpandedTerm {
  if (!isHigher) return term
  return { ...term, source: 'provider', similarity: Math.round(Math.min(1, Math.max(0, similarity)) * 100) / 100 }
}

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * right[at]!, 0)
}

/**
 * Expands a keyword with the engines of this installation. If an embeddings provider is unavailable, uses the built-in
 * engine alone instead of rejecting.
 */
export type KeywordExpander = (word: string, options?: KeywordExpansionOptions) => Promise<KeywordExpansion>

export function createKeywordExpander(
  settings: EmbeddingsProviderSettings | undefined,
  onFailure: (error: unknown) => void = () => {},
): KeywordExpander {
  const expand: KeywordExpander = (word, options = {}) => expandKeywordInTimeSlices(word, options, yieldToEventLoop)
  if (!settings) return expand
  const provider = createEmbeddingsProvider(settings)
  return async (word, options) => expandWithProvider(word, await expand(word, options), provider, onFailure)
}
