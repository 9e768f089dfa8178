import type { KeywordMatch } from '#server/platform/text/keyword-matcher.ts'

export type MatchSource = 'name' | 'ai' | 'deptsub' | 'document'
/**
 * A keyword that matched a project, with those of its words or terms that occur in the name, for highlighting. `page`
 * is set if a page of a document matched instead of the name.
 */
export type StoredMatchReason = { readonly keyword: number; readonly terms: readonly string[]; readonly page?: number }

export type MatchSummary = {
  readonly matched_by: readonly MatchSource[]
  readonly matched_words: readonly string[]
  readonly reasons: readonly StoredMatchReason[]
}
type Hit = KeywordMatch<{ readonly id: number }>
type SummaryNode = MatchSummary & { next: Map<Hit, SummaryNode> | undefined }

/** Maximum number of interned summaries, about 300 bytes each. */
const MAX_NODES = 400_000
const MATCHED_BY_ORDER: readonly MatchSource[] = ['name', 'ai', 'deptsub', 'document']

export function addMatchReason(before: MatchSummary, by: MatchSource, reason: StoredMatchReason): MatchSummary {
  return {
    matched_by: MATCHED_BY_ORDER.filter((kind) => kind === by || before.matched_by.includes(kind)),
    matched_words: [...new Set([...before.matched_words, ...reason.terms])],
    reasons: [...before.reasons, reason],
  }
}

/**
 * Interns match reasons: matches with the same entries in the same order share one `MatchSummary`, so callers compare
 * them by identity. 4.4 million matches of 20,000 projects and a thousand organisations had 269,000 distinct reasons.
 */
export class MatchSummaryPool {
  #emptyNode = toNode({ matched_by: [], matched_words: [], reasons: [] })
  #steps = 0

  get nothing(): MatchSummary {
    return this.#emptyNode
  }

  /**
   * Returns the summary `before` (from this pool) extended by `hit`. The same words of the same entry always give the
   * same object.
   */
  after(before: MatchSummary, hit: Hit, by: MatchSource): MatchSummary {
    const from = before as SummaryNode
    const existing = from.next?.get(hit)
    if (existing) return existing
    const created = toNode(addMatchReason(before, by, { keyword: hit.id.id, terms: hit.words }))
    this.#steps += 1
    if (this.#steps > MAX_NODES) this.#forget()
    from.next ??= new Map()
    from.next.set(hit, created)
    return created
  }

  #forget(): void {
    this.#emptyNode = toNode(this.#emptyNode)
    this.#steps = 0
  }
}

const toNode = ({ matched_by, matched_words, reasons }: MatchSummary): SummaryNode => ({
  matched_by,
  matched_words,
  reasons,
  next: undefined,
})
