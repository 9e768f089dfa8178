import { isKeywordTermActive } from '#contract/matching/keyword-term.ts'
import type { RematchScope } from '#server/matching/match-requests.ts'
import { isAiKeywordList } from './keyword-list-entries.ts'
import type { StoredKeyword } from './queries.ts'
import type { StoredKeywordTerm } from './store-terms.ts'

export type RematchCriterion =
  | { readonly all: true }
  | { readonly expression: string }
  | { readonly term: string }
  | { readonly unit: string }
  | { readonly project: string }

/**
 * Returns what to rematch after adding or removing a word; `terms` is the expansion of an AI keyword. Returns an empty
 * list while an include word awaits approval.
 */
export function buildRematchScopeForWord(
  { list, word, approved }: Pick<StoredKeyword, 'list' | 'word' | 'approved'>,
  terms: readonly StoredKeywordTerm[] = [],
): RematchCriterion[] {
  const isExclusion = list === 'exclude' || list === 'ai_exclude'
  if (!approved && !isExclusion) return []
  if (list === 'deptsub_include') return [{ unit: word }]
  if (!isAiKeywordList(list)) return [{ expression: word }]
  // A keyword without stored terms matches literally.
  if (terms.length === 0) return [{ term: word }]
  return terms.filter((term) => isKeywordTermActive(list, term)).map(({ term }) => ({ term }))
}

export function buildRematchScopeForTermChanges(
  list: 'ai_include' | 'ai_exclude',
  before: readonly StoredKeywordTerm[],
  after: readonly StoredKeywordTerm[],
): RematchCriterion[] {
  const active = (terms: readonly StoredKeywordTerm[]) => terms.filter((term) => isKeywordTermActive(list, term))
  const [old, now] = [active(before), active(after)]
  const key = ({ facet, term }: StoredKeywordTerm) => `${facet} ${term}`
  const [oldKeys, nowKeys] = [new Set(old.map(key)), new Set(now.map(key))]
  const changedTerms = [
    ...old.filter((term) => !nowKeys.has(key(term))),
    ...now.filter((term) => !oldKeys.has(key(term))),
  ]
  // Adding or removing a term of one facet affects what the other facets match, so rematch the terms of all facets.
  const sides = changedTerms.some(({ facet }) => facet > 0) ? [...old, ...now].filter(({ facet }) => facet > 0) : []
  return [...changedTerms, ...sides].map(({ term }) => ({ term }))
}

export function combineRematchCriteria(parts: readonly RematchCriterion[]): RematchScope | undefined {
  if (parts.length === 0) return undefined
  if (parts.some((part) => 'all' in part)) return { all: true }
  const unique = (texts: string[]) => [...new Set(texts)]
  const projects = unique(parts.flatMap((part) => ('project' in part ? part.project : [])))
  return {
    expressions: unique(parts.flatMap((part) => ('expression' in part ? part.expression : []))),
    terms: unique(parts.flatMap((part) => ('term' in part ? part.term : []))),
    units: unique(parts.flatMap((part) => ('unit' in part ? part.unit : []))),
    ...(projects.length > 0 ? { projects } : {}),
  }
}
