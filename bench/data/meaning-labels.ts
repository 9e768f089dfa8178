import { readFileSync } from 'node:fs'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { ExpandedTerm } from '#server/matching/meaning/expand-keyword.ts'
import { isWholeWord, requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'

export type LabelledTitle = { readonly relevant: boolean; readonly projectId: string; readonly compact: string }
export type Score = { readonly precision: number; readonly recall: number; readonly f1: number }

/** Reads labelled titles by keyword from `keyword, relevant, project_id, title` lines below a header. */
export function readLabels(file: string): Map<string, LabelledTitle[]> {
  const labels = new Map<string, LabelledTitle[]>()
  for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
    const [keyword, relevant, projectId, title] = line.split('\t')
    if (keyword === undefined || title === undefined) continue
    const list = labels.get(keyword) ?? []
    list.push({ relevant: relevant === '1', projectId: projectId!, compact: toNormalisedSearchText(title) })
    labels.set(keyword, list)
  }
  return labels
}

export function containsTerm(compact: string, term: string): boolean {
  const borders = requiresWordBoundaries(term)
  for (let at = compact.indexOf(term); at >= 0; at = compact.indexOf(term, at + 1)) {
    if (!borders || isWholeWord(compact, at, at + term.length)) return true
  }
  return false
}

export function isHit(compact: string, terms: readonly Pick<ExpandedTerm, 'term' | 'facet'>[]): boolean {
  const sides = new Map<number, boolean>()
  for (const { term, facet } of terms) {
    const isMatched = sides.get(facet) ?? false
    if (!isMatched) sides.set(facet, containsTerm(compact, term))
    if (facet === 0 && sides.get(0) === true) return true
  }
  const facetResults = [...sides].filter(([facet]) => facet > 0)
  return facetResults.length > 0 && facetResults.every(([, isMatched]) => isMatched)
}

export function computeScore(titles: readonly LabelledTitle[], hit: (title: LabelledTitle) => boolean): Score {
  let hitCount = 0
  let right = 0
  let relevantCount = 0
  for (const title of titles) {
    const isFound = hit(title)
    if (isFound) hitCount += 1
    if (title.relevant) relevantCount += 1
    if (isFound && title.relevant) right += 1
  }
  const precision = hitCount === 0 ? 0 : right / hitCount
  const recall = relevantCount === 0 ? 0 : right / relevantCount
  return { precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

/** Returns the half a project belongs to: terms learned on one half are scored on the other. */
export function getHalf(projectId: string): 0 | 1 {
  let hash = 0
  for (let at = 0; at < projectId.length; at += 1) hash = (Math.imul(hash, 31) + projectId.charCodeAt(at)) | 0
  return ((hash ^ (hash >>> 16)) & 1) as 0 | 1
}

/** Simulated user: accepts a suggestion when at least this share of the titles that contain it is relevant. */
const TICKED_FROM = 0.6

/** Returns the active terms after a careful user has reviewed the suggestions, having seen only the given titles. */
export function simulateReview(terms: readonly ExpandedTerm[], seen: readonly LabelledTitle[]): ExpandedTerm[] {
  return terms.filter(({ term, state }) => {
    if (state === 'auto') return true
    const holding = seen.filter(({ compact }) => containsTerm(compact, term))
    return holding.length > 0 && holding.filter(({ relevant }) => relevant).length >= TICKED_FROM * holding.length
  })
}
