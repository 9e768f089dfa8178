import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { getKeywordConceptNumbers } from '#server/matching/keyword-impact/title-groups.ts'
import type { ExpandedTerm } from '#server/matching/meaning/expand-keyword.ts'
import { isWholeWord, requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import { buildAhoCorasickAutomaton } from '#server/platform/text/aho-corasick-automaton.ts'

export type CollectedTitle = { readonly projectId: string; readonly title: string; readonly compact: string }

/** Shared file of competitive procurements, in which titles have their real frequency. */
export const COMPETITIVE_FILE = path.join(import.meta.dirname, '../../../shared/data/egp-2568-competitive-53736.csv.gz')

export function readCollection(file: string): CollectedTitle[] | undefined {
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const text = file.endsWith('.gz') ? gunzipSync(bytes) : bytes
  const rows = parse(text, { columns: true, bom: true }) as { project_id?: string; project_name: string }[]
  return rows.map(({ project_id = '', project_name: title }) => ({
    projectId: project_id,
    title,
    compact: toNormalisedSearchText(title),
  }))
}

/** Returns ascending title indexes per term, using the product's matching rule; one pass for all terms. */
export function findTitlesByTerm(titles: readonly CollectedTitle[], terms: Iterable<string>): Map<string, number[]> {
  const words = [...new Set(terms)]
  const matches = words.map((): number[] => [])
  const automaton = buildAhoCorasickAutomaton(words)
  titles.forEach(({ compact }, index) => {
    automaton.scan(compact, (word, start, end) => {
      const wordMatches = matches[word]!
      if (wordMatches.at(-1) === index) return
      if (!requiresWordBoundaries(words[word]!) || isWholeWord(compact, start, end)) wordMatches.push(index)
    })
  })
  return new Map(words.map((word, at) => [word, matches[at]!]))
}

type SidedTerm = Pick<ExpandedTerm, 'term' | 'facet'>

/**
 * Returns the indexes of titles that the terms match: a title needs one standalone term, or one term of every facet.
 * `facets`: the facets of the keyword; one without an active term still counts, as in the engine.
 */
export function findMatchedTitles(
  terms: readonly SidedTerm[],
  holding: ReadonlyMap<string, readonly number[]>,
  facets: readonly number[] = getKeywordConceptNumbers(terms),
): Set<number> {
  const hits = new Set<number>()
  const sides = new Map(facets.map((facet) => [facet, new Set<number>()]))
  for (const { term, facet } of terms) {
    const indexes = facet === 0 ? hits : sides.get(facet)!
    for (const index of holding.get(term) ?? []) indexes.add(index)
  }
  const [first, ...otherSides] = [...sides.values()]
  for (const index of first ?? []) if (otherSides.every((side) => side.has(index))) hits.add(index)
  return hits
}
