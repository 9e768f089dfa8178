import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { searchForm } from '#contract/thai/thai-text.ts'
import { facetsOf } from '#server/matching/keyword-impact/title-groups.ts'
import type { ExpandedTerm } from '#server/matching/meaning/expand-keyword.ts'
import { isWholeWord, needsWordBorders } from '#server/matching/meaning/word-borders.ts'
import { buildAutomaton } from '#server/platform/text/automaton.ts'

export type CollectedTitle = { readonly projectId: string; readonly title: string; readonly compact: string }

/** The shared data's competitive file: titles as often as they come. */
export const COMPETITIVE = path.join(import.meta.dirname, '../../../shared/data/egp-2568-competitive-53736.csv.gz')

/** Titles of a CSV file with `project_id` and `project_name`, packed or not; undefined when there is none. */
export function readCollection(file: string): CollectedTitle[] | undefined {
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const text = file.endsWith('.gz') ? gunzipSync(bytes) : bytes
  const rows = parse(text, { columns: true, bom: true }) as { project_id?: string; project_name: string }[]
  return rows.map(({ project_id = '', project_name: title }) => ({
    projectId: project_id,
    title,
    compact: searchForm(title),
  }))
}

/** Numbers of the titles that hold each of the terms, ascending, by the rule by which terms match: one pass for all terms. */
export function titlesOfTerms(titles: readonly CollectedTitle[], terms: Iterable<string>): Map<string, number[]> {
  const words = [...new Set(terms)]
  const found = words.map((): number[] => [])
  const automaton = buildAutomaton(words)
  titles.forEach(({ compact }, index) => {
    automaton.scan(compact, (word, start, end) => {
      const own = found[word]!
      if (own.at(-1) === index) return
      if (!needsWordBorders(words[word]!) || isWholeWord(compact, start, end)) own.push(index)
    })
  })
  return new Map(words.map((word, at) => [word, found[at]!]))
}

type SidedTerm = Pick<ExpandedTerm, 'term' | 'facet'>

/**
 * Numbers of the titles that the terms find: a title needs one term that acts alone, or one term of every side. `facets`: the sides of the keyword; one
 * of which no term acts is still a side, as for the engine.
 */
export function foundBy(
  terms: readonly SidedTerm[],
  holding: ReadonlyMap<string, readonly number[]>,
  facets: readonly number[] = facetsOf(terms),
): Set<number> {
  const alone = new Set<number>()
  const sides = new Map(facets.map((facet) => [facet, new Set<number>()]))
  for (const { term, facet } of terms) {
    const own = facet === 0 ? alone : sides.get(facet)!
    for (const index of holding.get(term) ?? []) own.add(index)
  }
  const [first, ...others] = [...sides.values()]
  for (const index of first ?? []) if (others.every((side) => side.has(index))) alone.add(index)
  return alone
}
