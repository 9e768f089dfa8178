import { type FitReason, MAX_FIT_REASONS } from '#contract/matching/fit.ts'
import { findProvinceByCode, PROVINCES } from '#contract/thai/province.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { type FitTitle, getTitleShare, readFitTitle } from './fit-title.ts'
import {
  type FitCounts,
  type FitEvidenceKind,
  type FitProfile,
  type FitProject,
  listAgencies,
  normOf,
  provinceOf,
  rarityOf,
} from './learn-fit-profile.ts'

const FIT_FEATURES = [
  'words',
  'avoided',
  'similar',
  'unit',
  'department',
  'province',
  'budget',
  'hurry',
  'marked',
] as const
type FitFeature = (typeof FIT_FEATURES)[number]
type FitFeatures = Readonly<Record<FitFeature, number>>

/** Log-odds per unit of a feature. Fitted on firms of seeds that bench/fit.ts does not use by default. */
const FEATURE_WEIGHTS: FitFeatures = {
  words: 0.1,
  avoided: 0.3,
  similar: 3,
  unit: 0.5,
  department: 0.8,
  province: 0.55,
  budget: 0.8,
  hurry: -0.3,
  marked: 2,
}
/** Calibrated so that half of the projects of a report score below 15, and half of those that were won above 73. */
const INTERCEPT = -3.5

/** Number of average examples that a count competes with. */
const PRIOR = 2
const WORD_DECAY = 0.5
const MAX_WORDS = 4
const MAX_REASON_WORDS = 2
const MIN_REASON = 0.3
/** Width of the kernel over the decimal logarithm of budgets: a budget resembles others up to twice or half of it. */
const BUDGET_WIDTH = 0.3
/** Mean and deviation of the logarithm of all budgets of fiscal year 2568, in satang. */
const ALL_BUDGETS = { mean: 7.9, deviation: 0.8 } as const
const MAX_BUDGET_ODDS = 2
/** A bid takes longer to prepare than the days left. */
const HURRY_DAYS = 2

/** `hundredths`: 0 to 10,000, the order of the report; the screen shows it divided by 100. `reasons`: largest first. */
export type FitScore = { readonly hundredths: number; readonly reasons: readonly FitReason[] }

/** Days until bids close; null if unknown. */
export type FitCandidate = FitProject & { readonly daysLeft: number | null }

type WordOdds = { readonly word: number; readonly odds: number; readonly isRejected: boolean }

function oddsOfWord(profile: FitProfile, word: number, counts: FitCounts): number {
  const share = getTitleShare(word)
  const wantedShare = (counts.wanted + PRIOR * share) / (profile.wanted + PRIOR)
  const rejectedShare = (counts.rejected + PRIOR * share) / (profile.rejected + PRIOR)
  return Math.log(wantedShare / rejectedShare)
}

function listWordOdds(profile: FitProfile, title: FitTitle): WordOdds[] {
  const odds: WordOdds[] = []
  for (const word of title) {
    const counts = profile.words.get(word)
    if (counts) odds.push({ word, odds: oddsOfWord(profile, word, counts), isRejected: counts.rejected > 0 })
  }
  return odds.sort((a, b) => b.odds - a.odds || a.word - b.word)
}

/** Words of one title belong together, so each further word counts half of the one before. */
function sumDecayed(odds: readonly number[]): number {
  let [sum, factor] = [0, 1]
  for (const value of odds.slice(0, MAX_WORDS)) {
    sum += value * factor
    factor *= WORD_DECAY
  }
  return sum
}

/** Cosine with the closest wanted title, rare words weighing more. */
function findSimilarity({ titles, titlesByWord }: FitProfile, title: FitTitle): number {
  const dots = new Map<number, number>()
  for (const word of title) {
    const square = rarityOf(word) ** 2
    for (const at of titlesByWord.get(word) ?? []) dots.set(at, (dots.get(at) ?? 0) + square)
  }
  const norm = normOf(title)
  let best = 0
  for (const [at, dot] of dots) best = Math.max(best, (titles[at]!.weight * dot) / (norm * titles[at]!.norm))
  return best
}

const balanceOf = (counts: FitCounts | undefined) =>
  counts === undefined ? 0 : Math.log1p(counts.wanted) - Math.log1p(counts.rejected)

function oddsOfProvince({ provinces, wanted }: FitProfile, code: number | null): number {
  const province = code === null ? undefined : findProvinceByCode(code)
  if (!province) return 0
  const inRegion = PROVINCES.filter(({ region }) => region === province.region)
  const balance = (each: number) => {
    const counts = provinces.get(each)
    return counts ? Math.max(0, counts.wanted - counts.rejected) : 0
  }
  const wantedInRegion = inRegion.reduce((sum, each) => sum + balance(each.code), 0)
  const regionShare = (wantedInRegion + (PRIOR * inRegion.length) / PROVINCES.length) / (wanted + PRIOR)
  const share = (balance(province.code) + (PRIOR * regionShare) / inRegion.length) / (wanted + PRIOR)
  return Math.log(share * PROVINCES.length)
}

const density = (distance: number, width: number) => Math.exp(-0.5 * (distance / width) ** 2) / width

function oddsOfBudget({ budgets }: FitProfile, satang: number | null): number {
  if (!satang || budgets.length === 0) return 0
  const budget = Math.log10(satang)
  const usual = density(budget - ALL_BUDGETS.mean, ALL_BUDGETS.deviation)
  let sum = PRIOR * usual
  for (const wantedBudget of budgets) sum += density(budget - wantedBudget, BUDGET_WIDTH)
  const odds = Math.log(sum / (budgets.length + PRIOR) / Math.max(usual, Number.MIN_VALUE))
  return Math.max(-MAX_BUDGET_ODDS, Math.min(MAX_BUDGET_ODDS, odds))
}

function balanceOfMark(kind: FitEvidenceKind | undefined): number {
  if (kind === undefined) return 0
  return kind === 'hidden' || kind === 'no_bid' ? -1 : 1
}

type Measured = { readonly features: FitFeatures; readonly wordOdds: readonly WordOdds[]; readonly agencies: string[] }

function measure(profile: FitProfile, project: FitCandidate): Measured {
  const title = readFitTitle(project.name_spaced)
  const wordOdds = listWordOdds(profile, title)
  const positive = wordOdds.flatMap(({ odds }) => (odds > 0 ? [odds] : []))
  const negative = wordOdds.flatMap(({ odds, isRejected }) => (isRejected && odds < 0 ? [odds] : [])).reverse()
  const agencies = listAgencies(project)
  const department = agencies.at(-1)!
  const unit = agencies[0]!
  return {
    wordOdds,
    agencies,
    features: {
      words: sumDecayed(positive),
      avoided: sumDecayed(negative),
      similar: title.length === 0 ? 0 : findSimilarity(profile, title),
      unit: unit === department ? 0 : balanceOf(profile.agencies.get(unit)),
      department: balanceOf(profile.agencies.get(department)),
      province: oddsOfProvince(profile, provinceOf(project)),
      budget: oddsOfBudget(profile, project.budget_satang),
      hurry: project.daysLeft !== null && project.daysLeft < HURRY_DAYS ? 1 : 0,
      marked: balanceOfMark(profile.kinds.get(project.project_id)),
    },
  }
}

export function scoreFit(profile: FitProfile, project: FitCandidate): FitScore {
  const measured = measure(profile, project)
  let odds = INTERCEPT
  for (const feature of FIT_FEATURES) odds += FEATURE_WEIGHTS[feature] * measured.features[feature]
  return { hundredths: Math.round(10_000 / (1 + Math.exp(-odds))), reasons: listReasons(profile, project, measured) }
}

function listReasons(
  profile: FitProfile,
  project: FitProject,
  { features, wordOdds, agencies }: Measured,
): FitReason[] {
  const gainOf = (...names: readonly FitFeature[]) =>
    names.reduce((sum, name) => sum + FEATURE_WEIGHTS[name] * features[name], 0)
  const candidates: { readonly gain: number; readonly reason: FitReason }[] = []
  const mark = profile.kinds.get(project.project_id)
  if (mark === 'won' || mark === 'bid' || mark === 'starred')
    candidates.push({ gain: FEATURE_WEIGHTS.marked, reason: { kind: 'marked', mark } })
  const { words } = loadDefaultTermModel()
  const topWords = wordOdds.slice(0, MAX_REASON_WORDS).flatMap(({ word, odds }) => (odds > 0 ? [words[word]!] : []))
  if (topWords.length > 0)
    candidates.push({ gain: gainOf('words', 'similar'), reason: { kind: 'words', words: topWords } })
  const agency = agencies.find((name) => (profile.agencies.get(name)?.wanted ?? 0) > 0)
  if (agency !== undefined)
    candidates.push({
      gain: gainOf('unit', 'department'),
      reason: { kind: 'agency', agency: agency.split('\n').at(-1)!, counts: profile.agencies.get(agency)!.byKind },
    })
  const code = provinceOf(project)
  const province = code === null ? undefined : findProvinceByCode(code)
  const provinceCounts = code === null ? undefined : profile.provinces.get(code)
  if (province && provinceCounts && provinceCounts.wanted > 0)
    candidates.push({
      gain: gainOf('province'),
      reason: { kind: 'province', province: province.th, counts: provinceCounts.byKind },
    })
  candidates.push({ gain: gainOf('budget'), reason: { kind: 'budget' } })
  return candidates
    .filter(({ gain }) => gain >= MIN_REASON)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MAX_FIT_REASONS)
    .map(({ reason }) => reason)
}
