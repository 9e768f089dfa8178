import type { FirstListProposal, PriceBand, ProposedWord } from '#contract/market/first-list.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import { compileMatchRules } from '#server/matching/compile-match-rules.ts'
import { evaluateProjectMatch } from '#server/matching/evaluate-project.ts'
import { toFirstListRules } from '#server/matching/first-list/first-list-rules.ts'
import {
  type BackgroundProjects,
  createFirstListLearner,
  type FirstList,
  type FirstListItem,
  type FirstListLearner,
  type FirstListLimits,
} from '#server/matching/first-list/learn-first-list.ts'
import type { WonProject } from './queries.ts'

const MAX_UNTICKED = 5
const LEARNED_SHARE = 0.75
const MIN_WINS_FOR_RETROSPECT = 5
const baht = (satang: number) => (Number.isFinite(satang) && satang > 0 ? satang / 100 : null)
const round = (perDay: number) => Math.round(perDay * 100) / 100

/** Proposes a watch list for a company with at least one win. */
export async function proposeFirstList(
  wins: readonly WonProject[],
  rivals: FirstListProposal['rivals'],
  background: BackgroundProjects,
  limits: FirstListLimits,
): Promise<FirstListProposal> {
  const learner = await createFirstListLearner(wins, background, limits)
  const list = await learner.learn()
  const retrospect = await testInRetrospect(wins, learner)
  const budgets = wins.flatMap(({ budget_satang }) => budget_satang ?? [])
  const dates = wins.flatMap(({ decided_on }) => decided_on ?? []).sort()
  const values = wins.flatMap(({ value_satang }) => value_satang ?? [])
  return {
    wins: wins.length,
    value: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / 100,
    from_date: dates[0] ?? null,
    to_date: dates.at(-1) ?? null,
    retrospect,
    words: wordsOf(list, 'include'),
    agencies: wordsOf(list, 'deptsub_include'),
    provinces: provincesOf(wins, list),
    is_nationwide: list.gate.provinces === undefined,
    band: { min: baht(list.gate.minSatang), max: baht(list.gate.maxSatang) },
    won_band: budgets.length === 0 ? NO_BAND : { min: Math.min(...budgets) / 100, max: Math.max(...budgets) / 100 },
    rivals: rivals.map(({ name, tax_id, met }) => ({ name, tax_id, met })),
  }
}

/**
 * Learns from the first three quarters of the wins and counts what that list finds of the rest. The proposed list
 * itself is learned from all wins, so its matches among them would prove nothing.
 */
async function testInRetrospect(
  wins: readonly WonProject[],
  learner: FirstListLearner,
): Promise<FirstListProposal['retrospect']> {
  const learned = Math.floor(wins.length * LEARNED_SHARE)
  if (wins.length < MIN_WINS_FOR_RETROSPECT) return null
  const { items, gate } = await learner.learn(learned)
  const rules = compileMatchRules([toFirstListRules(0, items, gate)])
  const later = wins.slice(learned)
  const matchedWins = later.filter((win) => evaluateProjectMatch(rules, win).length > 0)
  return { learned, later: later.length, found: matchedWins.length }
}

const NO_BAND: PriceBand = { min: null, max: null }

function wordsOf({ items, spare }: FirstList, list: FirstListItem['list']): ProposedWord[] {
  const present = (is_ticked: boolean) => (item: FirstListItem) => ({
    word: item.word,
    wins: item.wins.length,
    per_day: round(item.perDay),
    is_ticked,
  })
  const isOfList = (item: FirstListItem) => item.list === list
  return [
    ...items.filter(isOfList).map(present(true)),
    ...spare.filter(isOfList).slice(0, MAX_UNTICKED).map(present(false)),
  ].sort((a, b) => Number(b.is_ticked) - Number(a.is_ticked) || b.wins - a.wins || a.per_day - b.per_day)
}

function provincesOf(wins: readonly WonProject[], { gate }: FirstList): FirstListProposal['provinces'] {
  const counts = new Map<number, number>()
  for (const { project_province, dept_province } of wins) {
    const code = project_province ?? dept_province
    if (code !== null) counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .flatMap(([code, count]) => {
      const province = findProvinceByCode(code)
      return province ? [{ name: province.th, wins: count, is_ticked: gate.provinces?.has(code) ?? false }] : []
    })
}
