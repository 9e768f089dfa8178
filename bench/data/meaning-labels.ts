import { readFileSync } from 'node:fs'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { ExpandedTerm } from '#server/matching/meaning/expand-keyword.ts'
import { isWholeWord, needsWordBorders } from '#server/matching/meaning/word-borders.ts'

export type LabelledTitle = { readonly relevant: boolean; readonly projectId: string; readonly compact: string }
export type Score = { readonly precision: number; readonly recall: number; readonly f1: number }

/** Labelled titles by keyword, from `keyword, relevant, project_id, title` lines with a heading. */
export function readLabels(file: string): Map<string, LabelledTitle[]> {
  const labels = new Map<string, LabelledTitle[]>()
  for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
    const [keyword, relevant, projectId, title] = line.split('\t')
    if (keyword === undefined || title === undefined) continue
    const list = labels.get(keyword) ?? []
    list.push({ relevant: relevant === '1', projectId: projectId!, compact: searchForm(title) })
    labels.set(keyword, list)
  }
  return labels
}

/** Whether a title holds the term as matching by meaning demands: short terms on word borders. */
export function holdsTerm(compact: string, term: string): boolean {
  const borders = needsWordBorders(term)
  for (let at = compact.indexOf(term); at >= 0; at = compact.indexOf(term, at + 1)) {
    if (!borders || isWholeWord(compact, at, at + term.length)) return true
  }
  return false
}

/** Whether a title is a hit: a term that acts alone, or one of every side. */
export function isHit(compact: string, terms: readonly Pick<ExpandedTerm, 'term' | 'facet'>[]): boolean {
  const sides = new Map<number, boolean>()
  for (const { term, facet } of terms) {
    const known = sides.get(facet) ?? false
    if (!known) sides.set(facet, holdsTerm(compact, term))
    if (facet === 0 && sides.get(0) === true) return true
  }
  const others = [...sides].filter(([facet]) => facet > 0)
  return others.length > 0 && others.every(([, isHeld]) => isHeld)
}

/** Precision, recall and their harmonic mean of `hit` over labelled titles. */
export function scoreOf(titles: readonly LabelledTitle[], hit: (title: LabelledTitle) => boolean): Score {
  let found = 0
  let right = 0
  let wanted = 0
  for (const title of titles) {
    const isFound = hit(title)
    if (isFound) found += 1
    if (title.relevant) wanted += 1
    if (isFound && title.relevant) right += 1
  }
  const precision = found === 0 ? 0 : right / found
  const recall = wanted === 0 ? 0 : right / wanted
  return { precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

/** Which half of the labels a project is in: ticks learnt on one half are judged on the other. */
export function halfOf(projectId: string): 0 | 1 {
  let hash = 0
  for (let at = 0; at < projectId.length; at += 1) hash = (Math.imul(hash, 31) + projectId.charCodeAt(at)) | 0
  return ((hash ^ (hash >>> 16)) & 1) as 0 | 1
}

/** A user who sees the counts keeps a suggestion when this share of the titles that hold it is what they want. */
const TICKED_FROM = 0.6

/** The terms in force after a careful user has gone through the suggestions, knowing only the given titles. */
export function afterTicking(terms: readonly ExpandedTerm[], seen: readonly LabelledTitle[]): ExpandedTerm[] {
  return terms.filter(({ term, state }) => {
    if (state === 'auto') return true
    const holding = seen.filter(({ compact }) => holdsTerm(compact, term))
    return holding.length > 0 && holding.filter(({ relevant }) => relevant).length >= TICKED_FROM * holding.length
  })
}
