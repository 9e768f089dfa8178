import { findKeywordProblem, toKeywordKey } from '#contract/matching/keyword.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import { compileKeywordMatcher } from '#server/platform/text/keyword-matcher.ts'
import { type FirstListGate, listFirstListGates } from './first-list-gates.ts'
import { listTitlePieces } from './title-pieces.ts'

/** A sample of all projects of a year. Each project in it represents `perDay` projects a working day. */
export type BackgroundProjects = { readonly projects: readonly ProjectToMatch[]; readonly perDay: number }

export type FirstListItem = {
  readonly list: 'include' | 'deptsub_include'
  readonly word: string
  /** Indexes of the wins that the entry matches, and projects a working day inside the gate that it matches alone. */
  readonly wins: readonly number[]
  readonly perDay: number
}

export type FirstList = {
  /**
   * `items`: entries of the list, most useful first. `spare`: entries left out of the list, those that match most wins
   * first.
   */
  readonly items: readonly FirstListItem[]
  readonly spare: readonly FirstListItem[]
  readonly gate: FirstListGate
  /** What the whole list is expected to find: projects a working day, and the share of future wins. */
  readonly perDay: number
  readonly expected: number
}

export type FirstListLimits = {
  readonly maxPerDay: number
  readonly maxWords: number
  readonly maxAgencies: number
  readonly blacklist?: ReadonlySet<string>
}
export const FIRST_LIST_LIMITS: FirstListLimits = { maxPerDay: 40, maxWords: 50, maxAgencies: 20 }

/** Words in 5 % of at least 500 titles match nothing until they are approved (D11), so stay below that share. */
const MAX_SHARE = 0.045
const MIN_TITLES_FOR_SHARE = 500
const MAX_CANDIDATES = 6000
const PRICE_STEPS = 9
/** Share of the allowed projects a day that the list may use; the rest is a margin for the sampling error. */
const PLANNED_SHARE = 0.88
/**
 * An entry with k wins finds the next such win with probability (k − this)/k. Tuned, like the next constant, on
 * two draws of firms by seeds that bench/first-list.ts does not use by default.
 */
const SINGLE_WIN_LOSS = 0.85
/** Weight of a further entry for a win that the list already finds: titles of one company repeat each other. */
const REPEATED_GAIN = 0.5
/** Added to the hits of an entry in the sample, because a small count underestimates the true rate. */
const UNSEEN_HITS = 0.3
const MIN_GAIN = 1e-4
const MAX_SPARE = 20

/** Typed arrays, because choosing the items reads the hits of thousands of candidates again and again. */
type Candidate = {
  readonly list: FirstListItem['list']
  readonly word: string
  readonly wins: Int32Array
  /** Indexes of background projects. `trust`: probability that the entry finds the next project like one of `wins`. */
  readonly hits: Int32Array
  readonly trust: number
}

export type FirstListLearner = { learn(count?: number): Promise<FirstList> }

/**
 * Learns watch lists from the projects that a company won. Spends the allowed projects a day where they are expected
 * to find most future wins: phrases of the titles and agencies compete by expected gain per added project. Finding the
 * phrases among the background projects takes longest, so all lists of a learner share it.
 */
export async function createFirstListLearner(
  wins: readonly ProjectToMatch[],
  background: BackgroundProjects,
  limits: FirstListLimits = FIRST_LIST_LIMITS,
): Promise<FirstListLearner> {
  const timeSlice = new TimeSlicer()
  const phrases = await findPhrases(wins, background, limits, timeSlice)
  return {
    async learn(count = wins.length) {
      const learned = wins.slice(0, count)
      const candidates = [...selectPhrases(phrases, background, count), ...listAgencies(learned, background.projects)]
      let best: FilledGate | undefined
      for (const gate of listFirstListGates(learned)) {
        const pause = timeSlice.yieldIfDue()
        if (pause) await pause
        const filling = { gate, wins: learned, background, limits, minExpected: best && best.expected + 0.001 }
        best = fillGate(candidates, filling) ?? best
      }
      return toFirstList(best!, background)
    },
  }
}

export async function learnFirstList(...input: Parameters<typeof createFirstListLearner>): Promise<FirstList> {
  const learner = await createFirstListLearner(...input)
  return learner.learn()
}

function toCandidate(
  list: Candidate['list'],
  word: string,
  wins: readonly number[],
  hits: readonly number[],
): Candidate {
  const trust = (wins.length - SINGLE_WIN_LOSS) / wins.length
  return { list, word, wins: Int32Array.from(wins), hits: Int32Array.from(hits), trust }
}

type Phrase = {
  readonly word: string
  /** Indexes of the wins that the phrase was cut from, and of all that it matches. */
  readonly sources: number[]
  readonly wins: number[]
  readonly hits: number[]
}

/** Returns the phrases of the titles that a watch list may contain, oldest first, with what each matches. */
async function findPhrases(
  wins: readonly ProjectToMatch[],
  { projects }: BackgroundProjects,
  { blacklist = new Set() }: FirstListLimits,
  timeSlice: TimeSlicer,
): Promise<readonly Phrase[]> {
  const isAllowed = (form: string, text: string) =>
    !blacklist.has(form) && !blacklist.has(toKeywordKey(text)) && findKeywordProblem('include', text).ok
  const phrases = new Map<string, Phrase>()
  for (const [index, { name_spaced }] of wins.entries()) {
    for (const [form, word] of listTitlePieces(name_spaced)) {
      const phrase = phrases.get(form)
      if (phrase) phrase.sources.push(index)
      else if (isAllowed(form, word)) phrases.set(form, { word, sources: [index], wins: [], hits: [] })
    }
  }
  const matcher = compileKeywordMatcher(
    [...phrases.values()].map((phrase) => ({ id: phrase, expression: phrase.word })),
  )
  for (const [index, { name_search, name_spaced }] of wins.entries())
    for (const { id } of matcher.match(name_search, name_spaced)) id.wins.push(index)
  for (let index = 0; index < projects.length; index += 1) {
    const { name_search, name_spaced } = projects[index]!
    for (const { id } of matcher.match(name_search, name_spaced)) id.hits.push(index)
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
  }
  return [...phrases.values()]
}

/** Returns the most frequent phrases of the first `count` wins, without those that match the same projects. */
function selectPhrases(phrases: readonly Phrase[], { projects }: BackgroundProjects, count: number): Candidate[] {
  const countBelow = (indexes: readonly number[]) => indexes.findLastIndex((index) => index < count) + 1
  const frequent = phrases
    .map((phrase) => ({ phrase, n: countBelow(phrase.sources) }))
    .filter(({ n }) => n > 0)
    .sort((a, b) => b.n - a.n)
    .slice(0, MAX_CANDIDATES)
  const maxHits = projects.length < MIN_TITLES_FOR_SHARE ? projects.length : MAX_SHARE * projects.length
  const seen = new Set<string>()
  return frequent.flatMap(({ phrase: { word, wins, hits } }): Candidate[] => {
    const won = wins.slice(0, countBelow(wins))
    if (won.length === 0 || hits.length > maxHits) return []
    const key = `${won.join()} ${hits.join()}`
    if (seen.has(key)) return []
    seen.add(key)
    return [toCandidate('include', word, won, hits)]
  })
}

/** Agencies count like department words of a watch list: a department includes its units (D9). */
function listAgencies(wins: readonly ProjectToMatch[], projects: readonly ProjectToMatch[]): Candidate[] {
  const byAgency = new Map<string, { wins: number[]; hits: number[] }>()
  for (const win of wins) byAgency.set(unitOf(win), { wins: [], hits: [] })
  const add = (list: 'wins' | 'hits') => (project: ProjectToMatch, index: number) => {
    for (const name of new Set([unitOf(project), project.dept_name])) byAgency.get(name)?.[list].push(index)
  }
  wins.forEach(add('wins'))
  projects.forEach(add('hits'))
  return [...byAgency].map(([word, { wins: won, hits }]) => toCandidate('deptsub_include', word, won, hits))
}

const unitOf = ({ dept_name, dept_sub_name }: ProjectToMatch) => dept_sub_name || dept_name

type Filling = {
  readonly gate: FirstListGate
  readonly wins: readonly ProjectToMatch[]
  readonly background: BackgroundProjects
  readonly limits: FirstListLimits
  /** Lists that are expected to find no larger share of the wins need not be completed. */
  readonly minExpected: number | undefined
}
type Gated = { readonly candidate: Candidate; readonly hits: Int32Array }
type FilledGate = Pick<FirstList, 'gate' | 'perDay' | 'expected'> & {
  readonly chosen: readonly Gated[]
  readonly gated: readonly Gated[]
}

function selectFlagged(indexes: Int32Array, flags: Uint8Array): Int32Array {
  const selected = new Int32Array(indexes.length)
  let size = 0
  for (let at = 0; at < indexes.length; at += 1) if (flags[indexes[at]!] === 1) selected[size++] = indexes[at]!
  return selected.subarray(0, size)
}

/**
 * Finds the highest cost per added project at which the list still fits into the allowed projects a day. Returns
 * undefined as soon as a list at a lower cost, which finds more, does not exceed `minExpected`: most gates lose to an
 * earlier one.
 */
function fillGate(candidates: readonly Candidate[], filling: Filling): FilledGate | undefined {
  const { gate, wins, background, limits, minExpected = Number.NEGATIVE_INFINITY } = filling
  const maxExpected = gate.chances.reduce((sum, chance) => sum + chance, 0) / wins.length
  if (maxExpected <= minExpected) return undefined
  const isInside = new Uint8Array(background.projects.length)
  for (const [index, project] of background.projects.entries()) if (gate.accepts(project)) isInside[index] = 1
  const gated = candidates
    .filter((candidate) => candidate.wins.some((win) => gate.chances[win]! > 0))
    .map((candidate) => ({ candidate, hits: selectFlagged(candidate.hits, isInside) }))
  const maxPerDay = limits.maxPerDay * PLANNED_SHARE
  const cheapest = chooseItems(gated, 0, filling)
  if (cheapest.expected <= minExpected) return undefined
  if (cheapest.perDay <= maxPerDay) return cheapest
  let [low, high] = [-7, 1]
  let filled: FilledGate | undefined
  for (let step = 0; step < PRICE_STEPS; step += 1) {
    const middle = (low + high) / 2
    const tried = chooseItems(gated, 10 ** middle, filling)
    if (tried.perDay > maxPerDay) {
      if (tried.expected <= minExpected) return undefined
      low = middle
    } else {
      high = middle
      filled = tried
    }
  }
  filled ??= chooseItems(gated, 10 ** high, filling)
  return filled.expected <= minExpected ? undefined : filled
}

function chooseItems(gated: readonly Gated[], price: number, { gate, wins, background, limits }: Filling): FilledGate {
  const missing = Float64Array.from(gate.chances)
  const touched = new Uint8Array(wins.length)
  const isCovered = new Uint8Array(background.projects.length)
  const gainOf = ({ wins: won, trust }: Candidate) => {
    let gain = 0
    for (let at = 0; at < won.length; at += 1) {
      const win = won[at]!
      gain += missing[win]! * (touched[win] === 1 ? REPEATED_GAIN : 1)
    }
    return gain * trust
  }
  const netGainOf = (gain: number, hits: number) =>
    gain < MIN_GAIN ? -1 : gain / wins.length - price * (UNSEEN_HITS + hits) * background.perDay
  const countUncovered = (hits: Int32Array) => {
    let uncovered = hits.length
    for (let at = 0; at < hits.length; at += 1) uncovered -= isCovered[hits[at]!]!
    return uncovered
  }
  const queue = gated
    .map((entry) => ({ entry, value: netGainOf(gainOf(entry.candidate), entry.hits.length) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
  const chosen: Gated[] = []
  const left = { include: limits.maxWords, deptsub_include: limits.maxAgencies }
  let covered = 0
  let at = 0
  while (at < queue.length) {
    const { entry, value: estimate } = queue[at]!
    const { candidate, hits } = entry
    if (estimate <= 0) break
    if (left[candidate.list] === 0) {
      at += 1
      continue
    }
    const value = netGainOf(gainOf(candidate), countUncovered(hits))
    const next = queue[at + 1]
    if (next && value < next.value) {
      // Move the entry to its new rank; later entries are estimated when they reach the front.
      const rank = findRank(queue, at + 1, value) - 1
      queue.splice(at, 1)
      queue.splice(rank, 0, { entry, value })
      continue
    }
    at += 1
    if (value <= 0) continue
    left[candidate.list] -= 1
    for (const win of candidate.wins) {
      missing[win]! *= 1 - candidate.trust * (touched[win] === 1 ? REPEATED_GAIN : 1)
      touched[win] = 1
    }
    for (const hit of hits) {
      covered += 1 - isCovered[hit]!
      isCovered[hit] = 1
    }
    chosen.push(entry)
  }
  let expected = 0
  for (let win = 0; win < wins.length; win += 1) expected += gate.chances[win]! - missing[win]!
  return {
    gate,
    gated,
    chosen,
    perDay: (covered + UNSEEN_HITS * chosen.length) * background.perDay,
    expected: expected / wins.length,
  }
}

/** Returns the index of the first entry from `from` on whose value is at most `value`. Values descend. */
function findRank(queue: readonly { readonly value: number }[], from: number, value: number): number {
  let [low, high] = [from, queue.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (queue[middle]!.value > value) low = middle + 1
    else high = middle
  }
  return low
}

function toFirstList({ gate, gated, chosen, perDay, expected }: FilledGate, background: BackgroundProjects): FirstList {
  const toItem = ({ candidate: { list, word, wins }, hits }: Gated): FirstListItem => ({
    list,
    word,
    wins: [...wins],
    perDay: hits.length * background.perDay,
  })
  const taken = new Set(chosen)
  const spare = gated.filter((entry) => entry.candidate.wins.length > 1 && !taken.has(entry)).map(toItem)
  return {
    items: chosen.map(toItem),
    spare: spare.sort((a, b) => b.wins.length - a.wins.length || a.perDay - b.perDay).slice(0, MAX_SPARE),
    gate,
    perDay,
    expected,
  }
}
