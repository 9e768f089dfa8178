import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import {
  findDecidingTerms,
  getKeywordConceptNumbers,
  groupTitlesByTerms,
} from '#server/matching/keyword-impact/title-groups.ts'
import { loadConceptDictionary } from '#server/matching/meaning/concept-dictionary.ts'
import { expandKeywordWithModel } from '#server/matching/meaning/expand-keyword.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { computeHideCountPValue, type TermTitleCounts } from '#server/matching/term-advice/term-advice-policy.ts'
import { createSeededRandom } from '../../test/world/seeded.ts'
import { type CollectedTitle, findMatchedTitles, findTitlesByTerm } from './meaning-collection.ts'
import type { KeywordRule } from './meaning-rules.ts'

/**
 * Habits of simulated users: the shares of relevant and of irrelevant titles that they hide, and of relevant titles
 * that they star.
 */
const HABITS = {
  'hides irrelevant projects': { unwanted: 0.9, wanted: 0.05, starred: 0.1 },
  'hides some irrelevant projects': { unwanted: 0.4, wanted: 0.05, starred: 0.1 },
  'hides everything already handled': { unwanted: 0.95, wanted: 0.85, starred: 0.1 },
  'hides by price and place only': { unwanted: 0.4, wanted: 0.4, starred: 0.05 },
} as const

/**
 * Number of titles that one keyword adds to the report in half a year. It is a small share of the collection, because
 * with many titles the evidence for every term would be conclusive.
 */
const SHOWN = 150
const ROUNDS = 20

/**
 * Reports what the weekly advice (`computeHideCountPValue`) would tell users with these habits: half a year
 * per keyword, twenty runs. Advice to remove a term is right when fewer than half of all titles that match only through
 * the term are relevant. Bad terms count only if at least five of the shown titles match only through them; with fewer
 * the evidence is insufficient.
 */
export function reportAdvice(rules: readonly KeywordRule[], titles: readonly CollectedTitle[]): void {
  const expanded = rules.map(
    ({ keyword }) => expandKeywordWithModel(loadDefaultTermModel(), loadConceptDictionary(), keyword).terms,
  )
  const holding = findTitlesByTerm(
    titles,
    expanded.flat().map(({ term }) => toNormalisedSearchText(term)),
  )
  for (const [habit, hides] of Object.entries(HABITS)) {
    const random = createSeededRandom(20_261_126)
    const sum = { told: 0, wrong: 0, bad: 0, found: 0 }
    rules.forEach((rule, at) => {
      const terms = expanded[at]!.map((term) => ({ ...term, acts: term.state === 'auto' }))
      const facets = getKeywordConceptNumbers(terms)
      const isWantedTitle = (index: number) => rule.isWanted(titles[index]!.projectId, titles[index]!.compact)
      const decided = new Map<number, readonly number[]>()
      for (const { termIndexes, titleIndexes } of groupTitlesByTerms(
        terms.map(({ term }) => holding.get(toNormalisedSearchText(term)) ?? []),
      ))
        for (const titleIndex of titleIndexes) decided.set(titleIndex, findDecidingTerms(terms, termIndexes, facets))
      const isWanted = new Map([...decided.keys()].map((titleIndex) => [titleIndex, isWantedTitle(titleIndex)]))
      const all = [
        ...findMatchedTitles(
          terms.filter(({ acts }) => acts),
          holding,
          facets,
        ),
      ]
      const isBad = terms.map((_, index) => {
        const decidedTitles = all.filter((titleIndex) => decided.get(titleIndex)?.includes(index))
        return (
          decidedTitles.length > 0 &&
          decidedTitles.filter((titleIndex) => isWanted.get(titleIndex)).length < decidedTitles.length / 2
        )
      })
      for (let round = 0; round < ROUNDS; round += 1) {
        const sampledTitles = all.toSorted(() => random() - 0.5).slice(0, SHOWN)
        const marks = sampledTitles.map((titleIndex) => {
          const chance = random()
          const good = isWanted.get(titleIndex) === true
          const isHidden = chance < (good ? hides.wanted : hides.unwanted)
          return { place: titleIndex, isHidden, isStarred: good && !isHidden && random() < hides.starred }
        })
        terms.forEach(({ source, acts }, index) => {
          if (!acts || source === 'literal') return
          const termMarks = marks.filter(({ place: titleIndex }) => decided.get(titleIndex)?.includes(index))
          const hidden = termMarks.filter(({ isHidden }) => isHidden).length
          const tally: TermTitleCounts = {
            shown: termMarks.length,
            hidden,
            excluded: 0,
            wanted: termMarks.filter(({ isStarred }) => isStarred).length,
            days: 9,
          }
          const otherMarks = {
            shown: marks.length - termMarks.length,
            unwanted: marks.filter(({ isHidden }) => isHidden).length - hidden,
          }
          const isAdvised = computeHideCountPValue(tally, otherMarks) !== undefined
          if (isAdvised) sum.told += 1
          if (isAdvised && !isBad[index]) sum.wrong += 1
          if (isBad[index] && termMarks.length >= 5) sum.bad += 1
          if (isBad[index] && termMarks.length >= 5 && isAdvised) sum.found += 1
        })
      }
    })
    const halfYears = rules.length * ROUNDS
    console.log(
      `${habit.padEnd(32)} notices ${(sum.told / halfYears).toFixed(2)} per keyword and half-year, wrong ${(sum.wrong / halfYears).toFixed(3)}; bad terms found: ${sum.found} of ${sum.bad}`,
    )
  }
}
