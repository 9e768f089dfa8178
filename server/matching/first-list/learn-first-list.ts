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
  /** Search forms that no watch list may contain. */
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

type Candidate = {
  readonly list: FirstListItem['list']
  readonly word: string
  readonly wins: readonly number[]
  /** Indexes of background projects. `trust`: probability that the entry finds the next project like one of `wins`. */
  readonly hits: readonly number[]
  readonly trust: number
}

/**
 * Learns a watch list from the projects that a company won. Spends the allowed projects a day where they are expected
 * to find most future wins: phrases of the titles and agencies compete by expected gain per added project.
 */
export async function learnFirstList(
  wins: readonly ProjectToMatch[],
  background: BackgroundProjects,
  limits: FirstListLimits = FIRST_LIST_LIMITS,
): Promise<FirstList> {
  const timeSlice = new TimeSlicer()
  const candidates = await listCandidates(wins, background, limits, timeSlice)
  let best: FirstList | undefined
  for (const gate of listFirstListGates(wins)) {
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
    const list = fillGate(candidates, { gate, wins, background, limits })
    if (!best || list.expected > best.expected + 0.001) best = list
  }
  return best!
}

const trustOf = (wins: number) => (wins - SINGLE_WIN_LOSS) / wins

async function listCandidates(
  wins: readonly ProjectToMatch[],
  { projects }: BackgroundProjects,
  { blacklist = new Set() }: FirstListLimits,
  timeSlice: TimeSlicer,
): Promise<Candidate[]> {
  const isAllowed = (form: string, text: string) =>
    !blacklist.has(form) && !blacklist.has(toKeywordKey(text)) && findKeywordProblem('include', text).ok
  const textsByForm = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { name_spaced } of wins) {
    for (const [form, text] of listTitlePieces(name_spaced)) {
      if (!textsByForm.has(form) && isAllowed(form, text)) textsByForm.set(form, text)
      if (textsByForm.has(form)) counts.set(form, (counts.get(form) ?? 0) + 1)
    }
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_CANDIDATES)
  const matcher = compileKeywordMatcher(frequent.map(([form]) => ({ id: form, expression: textsByForm.get(form)! })))
  const winsOf = new Map<string, number[]>(frequent.map(([form]) => [form, []]))
  const hitsOf = new Map<string, number[]>(frequent.map(([form]) => [form, []]))
  for (const [index, { name_search, name_spaced }] of wins.entries())
    for (const { id } of matcher.match(name_search, name_spaced)) winsOf.get(id)!.push(index)
  for (let index = 0; index < projects.length; index += 1) {
    const { name_search, name_spaced } = projects[index]!
    for (const { id } of matcher.match(name_search, name_spaced)) hitsOf.get(id)!.push(index)
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
  }
  const maxHits = projects.length < MIN_TITLES_FOR_SHARE ? projects.length : MAX_SHARE * projects.length
  const seen = new Set<string>()
  const candidates: Candidate[] = []
  for (const [form] of frequent) {
    const [won, hits] = [winsOf.get(form)!, hitsOf.get(form)!]
    const key = `${won.join()} ${hits.join()}`
    if (won.length === 0 || hits.length > maxHits || seen.has(key)) continue
    seen.add(key)
    candidates.push({ list: 'include', word: textsByForm.get(form)!, wins: won, hits, trust: trustOf(won.length) })
  }
  return [...candidates, ...listAgencies(wins, projects)]
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
  return [...byAgency].map(([word, { wins: won, hits }]) => ({
    list: 'deptsub_include',
    word,
    wins: won,
    hits,
    trust: trustOf(won.length),
  }))
}

const unitOf = ({ dept_name, dept_sub_name }: ProjectToMatch) => dept_sub_name || dept_name

type Filling = {
  readonly gate: FirstListGate
  readonly wins: readonly ProjectToMatch[]
  readonly background: BackgroundProjects
  readonly limits: FirstListLimits
}
/** Typed arrays, because choosing the items reads the hits of thousands of candidates again and again. */
type Gated = { readonly candidate: Candidate; readonly wins: Int32Array; readonly hits: Int32Array }

function selectFlagged(indexes: readonly number[], flags: Uint8Array): Int32Array {
  const selected = new Int32Array(indexes.length)
  let size = 0
  for (const index of indexes) if (flags[index] === 1) selected[size++] = index
  return selected.subarray(0, size)
}

/** Finds the highest cost per added project at which the list still fits into the allowed projects a day. */
function fillGate(candidates: readonly Candidate[], filling: Filling): FirstList {
  const { gate, background, limits } = filling
  const isInside = Uint8Array.from(background.projects, (project) => (gate.accepts(project) ? 1 : 0))
  const gated = candidates.flatMap((candidate) =>
    candidate.wins.some((win) => gate.chances[win]! > 0)
      ? [{ candidate, wins: Int32Array.from(candidate.wins), hits: selectFlagged(candidate.hits, isInside) }]
      : [],
  )
  let list = chooseItems(gated, 0, filling)
  const maxPerDay = limits.maxPerDay * PLANNED_SHARE
  if (list.perDay <= maxPerDay) return list
  let [low, high] = [-7, 1]
  list = chooseItems(gated, 10 ** high, filling)
  for (let step = 0; step < PRICE_STEPS; step += 1) {
    const middle = (low + high) / 2
    const tried = chooseItems(gated, 10 ** middle, filling)
    if (tried.perDay > maxPerDay) low = middle
    else {
      high = middle
      list = tried
    }
  }
  return list
}

function chooseItems(gated: readonly Gated[], price: number, { gate, wins, background, limits }: Filling): FirstList {
  const missing = Float64Array.from(gate.chances)
  const touched = new Uint8Array(wins.length)
  const isCovered = new Uint8Array(background.projects.length)
  const netGainOf = ({ candidate, wins: won, hits }: Gated) => {
    let gain = 0
    for (let at = 0; at < won.length; at += 1) {
      const win = won[at]!
      gain += missing[win]! * (touched[win] === 1 ? REPEATED_GAIN : 1)
    }
    gain *= candidate.trust
    if (gain < MIN_GAIN) return -1
    let covered = 0
    for (let at = 0; at < hits.length; at += 1) covered += isCovered[hits[at]!]!
    const added = UNSEEN_HITS + (hits.length - covered)
    return gain / wins.length - price * added * background.perDay
  }
  const queue = gated.map((entry) => ({ entry, value: netGainOf(entry) })).sort((a, b) => b.value - a.value)
  const items: FirstListItem[] = []
  const chosen = new Set<Candidate>()
  const left = { include: limits.maxWords, deptsub_include: limits.maxAgencies }
  let covered = 0
  let at = 0
  while (at < queue.length) {
    const top = queue[at]!
    if (top.value <= 0) break
    const { candidate, hits } = top.entry
    if (left[candidate.list] === 0) {
      at += 1
      continue
    }
    const value = netGainOf(top.entry)
    const next = queue[at + 1]
    if (next && value < next.value) {
      // Move the entry to its new rank; later entries are estimated when they reach the front.
      const rank = findRank(queue, at + 1, value) - 1
      queue.splice(at, 1)
      queue.splice(rank, 0, { entry: top.entry, value })
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
    chosen.add(candidate)
    items.push(toItem(candidate, hits, background.perDay))
  }
  const spare = queue.flatMap(({ entry: { candidate, hits } }) =>
    chosen.has(candidate) || candidate.wins.length < 2 ? [] : [toItem(candidate, hits, background.perDay)],
  )
  let expected = 0
  for (let win = 0; win < wins.length; win += 1) expected += gate.chances[win]! - missing[win]!
  return {
    items,
    spare: spare.sort((a, b) => b.wins.length - a.wins.length || a.perDay - b.perDay).slice(0, MAX_SPARE),
    gate,
    perDay: (covered + UNSEEN_HITS * items.length) * background.perDay,
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

const toItem = ({ list, word, wins }: Candidate, hits: Int32Array, perProject: number): FirstListItem => ({
  list,
  word,
  wins,
  perDay: hits.length * perProject,
})
