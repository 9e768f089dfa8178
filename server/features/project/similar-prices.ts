import type { SimilarPrices } from '#contract/project/project-detail.ts'
import type { Db } from '#server/engine/db.ts'
import { isAlike } from './likeness.ts'
import { nameWords } from './name-words.ts'
import {
  type ComparedProject,
  type DecidedProject,
  type DecidedSearch,
  findDecided,
  loadWinners,
} from './queries-similar.ts'
import { type Scope, scopesAround, scopeText } from './similar-scopes.ts'
import { sizeAround, sizeOf } from './trait-tokens.ts'

/** One decided project with a reference price; money in satang. */
export type Priced = {
  readonly estimate: number
  readonly won: number
  readonly winner: string | undefined
}

type DiscountFigures = Pick<
  SimilarPrices,
  'n' | 'median' | 'p25' | 'p75' | 'weighted' | 'bins' | 'discounts' | 'winners'
>

/** Histogram in steps of 2.5 points from −10 % to 50 %: 1 % of real e-biddings lie below 0, 0.5 % above half. */
const STEP = 0.025
const FIRST = -0.1
const LAST = 0.5
const BINS = Math.round((LAST - FIRST) / STEP) + 1
/** A target price needs no more to find its percentile to the tenth of a point. */
const MOST_DISCOUNTS = 1_000
const MOST_WINNERS = 5

/** D20: the share below the reference price; negative is above it. */
const discountOf = ({ estimate, won }: Priced) => (estimate - won) / estimate
/** Shares are told to a hundredth of a point: what a price of whole baht can mean. */
const rounded = (share: number) => Math.round(share * 10_000) / 10_000

/** Median, quartiles, weighted discount, histogram and winners of projects with a reference price. */
export function discountFigures(projects: readonly Priced[]): DiscountFigures {
  const discounts = projects.map(discountOf).sort((a, b) => a - b)
  const estimates = projects.reduce((sum, { estimate }) => sum + estimate, 0)
  const won = projects.reduce((sum, project) => sum + project.won, 0)
  return {
    n: projects.length,
    median: quantile(discounts, 0.5),
    p25: quantile(discounts, 0.25),
    p75: quantile(discounts, 0.75),
    weighted: estimates > 0 ? rounded((estimates - won) / estimates) : null,
    bins: binsOf(discounts),
    discounts: thinned(discounts).map(rounded),
    winners: winnersOf(projects),
  }
}

/** Between the two nearest, in proportion (the usual "type 7"); null of nothing. `sorted` ascends. */
function quantile(sorted: readonly number[], share: number): number | null {
  if (sorted.length === 0) return null
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]!
  const above = sorted[Math.ceil(place)]!
  return rounded(below + (above - below) * (place - Math.floor(place)))
}

/** Without the empty ones at both ends. */
function binsOf(discounts: readonly number[]): SimilarPrices['bins'] {
  if (discounts.length === 0) return []
  const counts = Array.from({ length: BINS }, () => 0)
  // A hair is added, so that 0.1, which is computed as 0.0999…, stands in the bin that begins there.
  for (const discount of discounts)
    counts[Math.max(0, Math.min(BINS - 1, Math.floor((discount - FIRST) / STEP + 1e-9)))]! += 1
  const bins = counts.map((count, i) => ({ from: rounded(FIRST + i * STEP), count }))
  const first = bins.findIndex(({ count }) => count > 0)
  const last = bins.findLastIndex(({ count }) => count > 0)
  return bins.slice(first, last + 1)
}

function thinned(sorted: readonly number[]): readonly number[] {
  if (sorted.length <= MOST_DISCOUNTS) return sorted
  return Array.from(
    { length: MOST_DISCOUNTS },
    (_, i) => sorted[Math.round((i * (sorted.length - 1)) / (MOST_DISCOUNTS - 1))]!,
  )
}

/** Who won most of them; who won as many, by name. */
function winnersOf(projects: readonly Priced[]): SimilarPrices['winners'] {
  const won = Map.groupBy(
    projects.filter(({ winner }) => winner !== undefined),
    ({ winner }) => winner!,
  )
  return [...won]
    .map(([name, theirs]) => ({
      name,
      wins: theirs.length,
      median: quantile(
        theirs.map(discountOf).sort((a, b) => a - b),
        0.5,
      ),
    }))
    .sort((a, b) => b.wins - a.wins || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_WINNERS)
}

/** From so many on a distribution says something. */
const ENOUGH = 10
/** Of more than so many the latest are taken: prices of years ago say less, and the answer stays quick. */
const MOST_CANDIDATES = 2_000

type Asked = {
  readonly project: ComparedProject
  readonly words: readonly number[]
  readonly satang: number | undefined
}

/** D20 over decided projects that resemble this one: the narrowest circle that holds enough of them, else the widest. */
export async function similarPrices(db: Db, project: ComparedProject): Promise<SimilarPrices> {
  const asked = { project, words: nameWords().wordsOf(project.name), satang: sizeOf(project) }
  const { scope, priced } = await narrowest(db, asked)
  const unpriced = await findSimilar(db, asked, scope, 'unpriced')
  const winners = await loadWinners(
    db,
    priced.map(({ project_id }) => project_id),
  )
  const days = priced.flatMap(({ decided_on }) => decided_on ?? []).sort()
  return {
    scope: scopeText(scope, project, { size: sizeAround(asked.satang, scope.factor), days }),
    without_reference: unpriced.length,
    ...discountFigures(
      priced.map(
        ({ project_id, estimate_satang, winner_satang }): Priced => ({
          estimate: estimate_satang!,
          won: winner_satang,
          winner: winners.get(project_id),
        }),
      ),
    ),
    from_date: days[0] ?? null,
    to_date: days.at(-1) ?? null,
  }
}

async function narrowest(db: Db, asked: Asked): Promise<{ scope: Scope; priced: readonly DecidedProject[] }> {
  const scopes = scopesAround(asked.project).filter(({ isAlike: alike }) => !alike || asked.words.length > 0)
  for (const scope of scopes) {
    const priced = await findSimilar(db, asked, scope, 'priced')
    if (priced.length >= ENOUGH || scope === scopes.at(-1)) return { scope, priced }
  }
  throw new Error('no scope around a project')
}

async function findSimilar(
  db: Db,
  { project, words, satang }: Asked,
  scope: Scope,
  which: 'priced' | 'unpriced',
): Promise<readonly DecidedProject[]> {
  const search: DecidedSearch = {
    // A name that is alike speaks of what this one speaks of first.
    tokens: scope.isAlike ? [scope.tokens[which], words[0]!] : [scope.tokens[which]],
    sizes: sizeAround(satang, scope.factor),
    except: project.project_id,
    isSampleOnly: project.isSampleOnly === true,
    most: MOST_CANDIDATES,
  }
  const decided = await findDecided(db, search)
  if (!scope.isAlike) return decided
  const { weightOf } = nameWords()
  return decided.filter(({ tokens }) =>
    isAlike(
      words,
      tokens.filter((token) => token < 0),
      weightOf,
    ),
  )
}
