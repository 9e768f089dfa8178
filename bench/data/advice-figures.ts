import { searchForm } from '#contract/thai/thai-text.ts'
import { deciders, facetsOf, groupTitles } from '#server/matching/keyword-impact/title-groups.ts'
import { dictionary } from '#server/matching/meaning/dictionary.ts'
import { expandWith } from '#server/matching/meaning/expand-keyword.ts'
import { termModel } from '#server/matching/meaning/term-model.ts'
import { adviceOn, type Tally } from '#server/matching/term-advice/advice-policy.ts'
import { type CollectedTitle, foundBy, titlesOfTerms } from './meaning-collection.ts'
import type { KeywordRule } from './meaning-rules.ts'

/** How somebody works: which share of what is wanted, and of what is not, they hide, and which share of what is wanted they star. */
const HABITS = {
  'hides what is not meant': { unwanted: 0.9, wanted: 0.05, starred: 0.1 },
  'hides some of it': { unwanted: 0.4, wanted: 0.05, starred: 0.1 },
  'hides all that is done with': { unwanted: 0.95, wanted: 0.85, starred: 0.1 },
  'hides by price and place alone': { unwanted: 0.4, wanted: 0.4, starred: 0.05 },
} as const

/** Titles that come into the report of one keyword in half a year: a small share of the collection, else every term would be sure. */
const SHOWN = 150
const ROUNDS = 20

/** Always the same numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * What the weekly look would tell people of these habits (`adviceOn`), half a year of each keyword, twenty times. A term is rightly told of when less than half
 * of all titles that it decides is wanted. Of bad terms those count that decide five of the shown titles: of fewer nobody can know.
 */
export function reportAdvice(rules: readonly KeywordRule[], titles: readonly CollectedTitle[]): void {
  const expanded = rules.map(({ keyword }) => expandWith(termModel(), dictionary(), keyword).terms)
  const holding = titlesOfTerms(
    titles,
    expanded.flat().map(({ term }) => searchForm(term)),
  )
  for (const [habit, hides] of Object.entries(HABITS)) {
    const random = randomFrom(20_261_126)
    const sum = { told: 0, wrong: 0, bad: 0, found: 0 }
    rules.forEach((rule, at) => {
      const terms = expanded[at]!.map((term) => ({ ...term, acts: term.state === 'auto' }))
      const facets = facetsOf(terms)
      const wanted = (place: number) => rule.isWanted(titles[place]!.projectId, titles[place]!.compact)
      const decided = new Map<number, readonly number[]>()
      for (const { held, places } of groupTitles(terms.map(({ term }) => holding.get(searchForm(term)) ?? [])))
        for (const place of places) decided.set(place, deciders(terms, held, facets))
      const isWanted = new Map([...decided.keys()].map((place) => [place, wanted(place)]))
      const all = [
        ...foundBy(
          terms.filter(({ acts }) => acts),
          holding,
          facets,
        ),
      ]
      const isBad = terms.map((_, index) => {
        const own = all.filter((place) => decided.get(place)?.includes(index))
        return own.length > 0 && own.filter((place) => isWanted.get(place)).length < own.length / 2
      })
      for (let round = 0; round < ROUNDS; round += 1) {
        const shown = all.toSorted(() => random() - 0.5).slice(0, SHOWN)
        const marks = shown.map((place) => {
          const chance = random()
          const good = isWanted.get(place) === true
          const isHidden = chance < (good ? hides.wanted : hides.unwanted)
          return { place, isHidden, isStarred: good && !isHidden && random() < hides.starred }
        })
        terms.forEach(({ source, acts }, index) => {
          if (!acts || source === 'literal') return
          const own = marks.filter(({ place }) => decided.get(place)?.includes(index))
          const hidden = own.filter(({ isHidden }) => isHidden).length
          const tally: Tally = {
            shown: own.length,
            hidden,
            excluded: 0,
            wanted: own.filter(({ isStarred }) => isStarred).length,
            days: 9,
          }
          const rest = {
            shown: marks.length - own.length,
            unwanted: marks.filter(({ isHidden }) => isHidden).length - hidden,
          }
          const isTold = adviceOn(tally, rest) !== undefined
          if (isTold) sum.told += 1
          if (isTold && !isBad[index]) sum.wrong += 1
          if (isBad[index] && own.length >= 5) sum.bad += 1
          if (isBad[index] && own.length >= 5 && isTold) sum.found += 1
        })
      }
    })
    const halfYears = rules.length * ROUNDS
    console.log(
      `${habit.padEnd(32)} told ${(sum.told / halfYears).toFixed(2)} a keyword and half year, wrongly ${(sum.wrong / halfYears).toFixed(3)}; of bad terms ${sum.found} of ${sum.bad}`,
    )
  }
}
