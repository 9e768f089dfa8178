import { findKeywordProblem, toKeywordKey } from '#contract/matching/keyword.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import { compileKeywordMatcher } from '#server/platform/text/keyword-matcher.ts'
import { type FirstListGate, listFirstListGates } from './first-list-gates.ts'
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

/** Words in more than this share of all titles wait for approval (D11), so that they would find nothing. */
const MAX_SHARE = 0.045
const MAX_CANDIDATES = 6000
const LAMBDA_STEPS = 9
const MAX_SPARE = 20

type Candidate = {
  readonly list: FirstListItem['list']
  readonly word: string
  readonly wins: readonly number[]
  /** Indexes of background projects. */
  readonly hits: readonly number[]
  /** Probability that the next project like one of `wins` is found too. */
  readonly trust: number
}

/**
 * Learns a watch list from the projects that a company won. Spends the allowed projects a day where they are expected
 * to find most future wins: phrases of the titles and agencies compete by expected gain per added project.
 */
export function learnFirstList(
  wins: readonly ProjectToMatch[],
  background: BackgroundProjects,
  limits: FirstListLimits = FIRST_LIST_LIMITS,
): FirstList {
  const candidates = listCandidates(wins, background, limits)
  let best: FirstList | undefined
  for (const gate of listFirstListGates(wins)) {
    const list = fillGate(candidates, { gate, wins, background, limits })
    if (!best || list.expected > best.expected + 0.001) best = list
  }
  return best!
}

export const TUNE = { loss: 0.7, repeat: 0.5, unseen: 0.3, recency: 0, margin: 0.9 }
const trustOf = (wins: number) => (wins - TUNE.loss) / wins

function listCandidates(
  wins: readonly ProjectToMatch[],
  { projects }: BackgroundProjects,
  { blacklist = new Set() }: FirstListLimits,
): Candidate[] {
  const shown = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { name_spaced } of wins) {
    for (const [form, text] of listTitlePieces(name_spaced)) {
      if (blacklist.has(form) || blacklist.has(toKeywordKey(text)) || !findKeywordProblem('include', text).ok) continue
      if (!shown.has(form)) shown.set(form, text)
      counts.set(form, (counts.get(form) ?? 0) + 1)
    }
  }
  const forms = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_CANDIDATES)
  const matcher = compileKeywordMatcher(forms.map(([form]) => ({ id: form, expression: shown.get(form)! })))
  const winsOf = new Map<string, number[]>(forms.map(([form]) => [form, []]))
  const hitsOf = new Map<string, number[]>(forms.map(([form]) => [form, []]))
  for (const [index, { name_search, name_spaced }] of wins.entries())
    for (const { id } of matcher.match(name_search, name_spaced)) winsOf.get(id)!.push(index)
  for (let index = 0; index < projects.length; index += 1) {
    const { name_search, name_spaced } = projects[index]!
    for (const { id } of matcher.match(name_search, name_spaced)) hitsOf.get(id)!.push(index)
  }
  const seen = new Set<string>()
  const candidates: Candidate[] = []
  for (const [form] of forms) {
    const [won, hits] = [winsOf.get(form)!, hitsOf.get(form)!]
    if (won.length === 0 || hits.length > MAX_SHARE * projects.length) continue
    const key = `${won.join()} ${hits.join()}`
    if (seen.has(key)) continue
    seen.add(key)
    candidates.push({ list: 'include', word: shown.get(form)!, wins: won, hits, trust: trustOf(won.length) })
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
    candidate.wins.some((win) => gate.chances[win]! > 0)
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
    for (const win of candidate.wins) gain += weight[win]! * missing[win]! * (touched[win] === 1 ? TUNE.repeat : 1)
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
    for (const win of candidate.wins) {
      missing[win]! *= 1 - candidate.trust * (touched[win] === 1 ? TUNE.repeat : 1)
      touched[win] = 1
    }
    for (const hit of hits) {
      covered += 1 - isCovered[hit]!
      isCovered[hit] = 1
    }
    const { list, word, wins: won } = candidate
    chosen.add(candidate)
    items.push({ list, word, wins: won, perDay: hits.length * background.perDay })
  }
  const spare = queue.flatMap(({ entry: { candidate, hits } }) =>
    chosen.has(candidate) || candidate.wins.length < 2
      ? []
      : [{ list: candidate.list, word: candidate.word, wins: candidate.wins, perDay: hits.length * background.perDay }],
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
