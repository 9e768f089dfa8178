import os from 'node:os'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import {
  computeKeywordTrainingOutcome,
  type KeywordTrainingTerm,
  pickNextKeywordTrainingTitle,
} from '#server/matching/keyword-impact/keyword-training-policy.ts'
import { findTitlesDecidedByTerm, groupTitlesByTerms } from '#server/matching/keyword-impact/title-groups.ts'
import { matchTermsToTitles } from '#server/matching/keyword-impact/year-titles.ts'
import { loadConceptDictionary } from '#server/matching/meaning/concept-dictionary.ts'
import { expandKeywordWithModel } from '#server/matching/meaning/expand-keyword.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { findWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import type { CollectedTitle } from './meaning-collection.ts'

/** Maximum number of titles of a year that the server caches. */
const TITLES = 20_000

/** Returns the CPU time of this process in ms, which other load on the machine hardly affects. */
async function milliseconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

export async function reportKeywordSpeed(keywords: readonly string[], all: readonly CollectedTitle[]): Promise<void> {
  const titles = all.slice(0, TITLES).map(({ compact }) => ({ name_search: compact }))
  const borders = new Map<string, Uint8Array>()
  const bordered = await milliseconds(() => {
    for (const { name_search } of titles) borders.set(name_search, findWordBoundaries(name_search))
  })
  const [model, concepts] = [loadDefaultTermModel(), loadConceptDictionary()]
  // Warm-up, because the first keyword loads the model and its tables.
  expandKeywordWithModel(model, concepts, keywords[0]!)
  const times: Record<'expanded' | 'evidence' | 'answer', { keyword: string; ms: number }[]> = {
    expanded: [],
    evidence: [],
    answer: [],
  }
  for (const keyword of keywords) {
    let terms = expandKeywordWithModel(model, concepts, keyword).terms
    const expanded = await milliseconds(() => {
      terms = expandKeywordWithModel(model, concepts, keyword).terms
    })
    times.expanded.push({ keyword, ms: expanded })
    const forms = terms.map(({ term }) => toNormalisedSearchText(term))
    let titlesByTerm = new Map<string, number[]>()
    const evidence = await milliseconds(async () => {
      titlesByTerm = await matchTermsToTitles(titles, [...new Set(forms)], borders)
      findTitlesDecidedByTerm(
        terms.map(({ facet, state }, at) => ({ term: forms[at]!, facet, acts: state === 'auto' })),
        titlesByTerm,
      )
    })
    times.evidence.push({ keyword, ms: evidence })
    const lessonTerms = terms.map(({ facet, similarity, source, state }): KeywordTrainingTerm => {
      return { facet, similarity, isLiteral: source === 'literal', isAuto: state === 'auto', byHand: undefined }
    })
    const answer = await milliseconds(() => {
      const groups = groupTitlesByTerms(forms.map((form) => titlesByTerm.get(form) ?? []))
      pickNextKeywordTrainingTitle(
        lessonTerms,
        groups,
        computeKeywordTrainingOutcome(lessonTerms, groups, []),
        new Set(),
      )
    })
    times.answer.push({ keyword, ms: answer })
  }
  console.log(
    `\n${keywords.length} keywords, ${titles.length} titles; load ${os.loadavg()[0]!.toFixed(1)} on ${os.cpus().length} × ${os.cpus()[0]!.model}`,
  )
  console.log(`word boundaries of the titles, computed once an hour: ${bordered.toFixed(0)} ms`)
  for (const [name, list] of Object.entries(times)) {
    const sorted = list.toSorted((a, b) => a.ms - b.ms)
    const mean = list.reduce((sum, { ms }) => sum + ms, 0) / list.length
    const { ms, keyword } = sorted.at(-1)!
    console.log(`${name.padEnd(9)} mean ${mean.toFixed(1)} ms, max ${ms.toFixed(1)} ms (${keyword})`)
  }
}
