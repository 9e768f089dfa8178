import { findKeywordProblem, toKeywordKey } from '#contract/matching/keyword.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import { compileKeywordMatcher } from '#server/platform/text/keyword-matcher.ts'
import { type FirstListGate, listFirstListGates } from './first-list-gates.ts'
import { listSimilarWords } from './similar-words.ts'
import { listTitlePieces } from './title-pieces.ts'

/** A sample of all projects of a year. Each of its projects stands for `perDay` projects a working day. */
export type BackgroundProjects = { readonly projects: readonly ProjectToMatch[]; readonly perDay: number }

export type FirstListItem = {
  readonly list: 'include' | 'deptsub_include'
  readonly word: string
  /** Indexes of the wins that the entry matches. */
  readonly wins: readonly number[]
  /** Projects a working day inside the gate that the entry matches alone. */
  readonly perDay: number
  /** The word of the titles that this word, which may be in none of them, is similar to. */
  readonly similarTo?: string
}

export type FirstList = {
  /** Most useful first. */
  readonly items: readonly FirstListItem[]
  /** Entries that the list does without, those that find most wins first. */
  readonly spare: readonly FirstListItem[]
  readonly gate: FirstListGate
  /** Projects a working day that the whole list is expected to find. */
  readonly perDay: number
  /** Expected share of future wins that the list finds. */
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

/** Words in 5 % of at least 500 titles wait for approval (D11), so that they would find nothing. */
const MAX_SHARE = 0.045
const MIN_TITLES_FOR_SHARE = 500
const MAX_CANDIDATES = 6000
const LAMBDA_STEPS = 9
const MAX_SPARE = 20

type Candidate = {
  readonly list: FirstListItem['list']
  readonly word: string
  readonly wins: readonly number[]
  /** Indexes of the wins that it stands for: for a similar word, those of the word that it is similar to. */
  readonly near: readonly number[]
  readonly similarTo?: string
  /** Indexes of background projects. */
  readonly hits: readonly number[]
  /** Probability that the entry finds the next project like one of `near`. */
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

export const TUNE = { loss: 0.7, repeat: 0.5, unseen: 0.3, recency: 0, margin: 0.9, near: 1 }
const trustOf = (wins: number) => (wins - TUNE.loss) / wins

async function listCandidates(
  wins: readonly ProjectToMatch[],
  { projects }: BackgroundProjects,
  { blacklist = new Set() }: FirstListLimits,
  timeSlice: TimeSlicer,
): Promise<Candidate[]> {
  const isAllowed = (form: string, text: string) =>
    !blacklist.has(form) && !blacklist.has(toKeywordKey(text)) && findKeywordProblem('include', text).ok
  const shown = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { name_spaced } of wins) {
    for (const [form, text] of listTitlePieces(name_spaced)) {
      if (!shown.has(form) && isAllowed(form, text)) shown.set(form, text)
      if (shown.has(form)) counts.set(form, (counts.get(form) ?? 0) + 1)
    }
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_CANDIDATES)
  const similarWords = await listSimilarWords(frequent, timeSlice)
  const similar = similarWords.filter(({ form, word }) => !counts.has(form) && isAllowed(form, word))
  const phrases = [...frequent.map(([form]) => ({ form, word: shown.get(form)! })), ...similar]
  const matcher = compileKeywordMatcher(phrases.map(({ form, word }) => ({ id: form, expression: word })))
  const winsOf = new Map<string, number[]>(phrases.map(({ form }) => [form, []]))
  const hitsOf = new Map<string, number[]>(phrases.map(({ form }) => [form, []]))
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
  const add = (candidate: Candidate) => {
    const key = `${candidate.near.join()} ${candidate.hits.join()}`
    if (candidate.near.length === 0 || candidate.hits.length > maxHits || seen.has(key)) return
    seen.add(key)
    candidates.push(candidate)
  }
  for (const [form] of frequent) {
    const won = winsOf.get(form)!
    const trust = trustOf(won.length)
    add({ list: 'include', word: shown.get(form)!, wins: won, near: won, hits: hitsOf.get(form)!, trust })
  }
  for (const { form, word, source, closeness } of similar) {
    const near = winsOf.get(source)!
    const trust = TUNE.near * closeness * (near.length / (near.length + 1))
    const similarTo = shown.get(source)!
    // A word that no title of the sample contains is of no use.
    if (hitsOf.get(form)!.length > 0)
      add({ list: 'include', word, wins: winsOf.get(form)!, near, hits: hitsOf.get(form)!, trust, similarTo })
  }
  return [...candidates, ...listAgencies(wins, projects)]
}

function listAgencies(wins: readonly ProjectToMatch[], projects: readonly ProjectToMatch[]): Candidate[] {
  const byAgency = new Map<string, { wins: number[]; hits: number[] }>()
  for (const [index, { dept_name, dept_sub_name }] of wins.entries()) {
    const name = dept_sub_name || dept_name
    const agency = byAgency.get(name) ?? { wins: [], hits: [] }
    byAgency.set(name, agency)
    agency.wins.push(index)
  }
  for (const [index, { dept_name, dept_sub_name }] of projects.entries()) {
    byAgency.get(dept_sub_name || dept_name)?.hits.push(index)
  }
  return [...byAgency].map(([word, { wins: won, hits }]) => ({
    list: 'deptsub_include',
    word,
    wins: won,
    near: won,
    hits,
    trust: trustOf(won.length),
  }))
}

type Filling = {
  readonly gate: FirstListGate
  readonly wins: readonly ProjectToMatch[]
  readonly background: BackgroundProjects
  readonly limits: FirstListLimits
}
type Gated = { readonly candidate: Candidate; readonly hits: readonly number[] }

/** Finds the price of a project a day at which the list just fits into the allowed projects a day. */
function fillGate(candidates: readonly Candidate[], filling: Filling): FirstList {
  const { gate, background, limits } = filling
  const isInside = Uint8Array.from(background.projects, (project) => (gate.accepts(project) ? 1 : 0))
  const gated = candidates.flatMap((candidate) =>
    candidate.near.some((win) => gate.chances[win]! > 0)
      ? [{ candidate, hits: candidate.hits.filter((hit) => isInside[hit] === 1) }]
      : [],
  )
  let list = chooseItems(gated, 0, filling)
  const maxPerDay = limits.maxPerDay * TUNE.margin
  if (list.perDay <= maxPerDay) return list
  let [low, high] = [-7, 1]
  list = chooseItems(gated, 10 ** high, filling)
  for (let step = 0; step < LAMBDA_STEPS; step += 1) {
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
  const weight = Float64Array.from(wins, (_, win) => 1 + TUNE.recency * ((2 * win) / Math.max(1, wins.length - 1) - 1))
  const isCovered = new Uint8Array(background.projects.length)
  const netGainOf = ({ candidate, hits }: Gated) => {
    let gain = 0
    for (const win of candidate.near) gain += weight[win]! * missing[win]! * (touched[win] === 1 ? TUNE.repeat : 1)
    gain *= candidate.trust
    if (gain < 1e-4) return -1
    let added = TUNE.unseen
    for (const hit of hits) added += 1 - isCovered[hit]!
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
      // Move the entry to its place; the values of the others are still upper estimates.
      let to = at
      for (; to + 1 < queue.length && queue[to + 1]!.value > value; to += 1) queue[to] = queue[to + 1]!
      queue[to] = { entry: top.entry, value }
      continue
    }
    at += 1
    if (value <= 0) continue
    left[candidate.list] -= 1
    for (const win of candidate.near) {
      missing[win]! *= 1 - candidate.trust * (touched[win] === 1 ? TUNE.repeat : 1)
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
    chosen.has(candidate) || candidate.wins.length < 2
      ? []
      : [toItem(candidate, hits, background.perDay)],
  )
  let expected = 0
  for (let win = 0; win < wins.length; win += 1) expected += gate.chances[win]! - missing[win]!
  return {
    items,
    spare: spare.sort((a, b) => b.wins.length - a.wins.length || a.perDay - b.perDay).slice(0, MAX_SPARE),
    gate,
    perDay: (covered + TUNE.unseen * items.length) * background.perDay,
    expected: expected / wins.length,
  }
}

const toItem = (
  { list, word, wins, similarTo }: Candidate,
  hits: readonly number[],
  perProject: number,
): FirstListItem => ({
  list,
  word,
  wins,
  perDay: hits.length * perProject,
  ...(similarTo === undefined ? {} : { similarTo }),
})
