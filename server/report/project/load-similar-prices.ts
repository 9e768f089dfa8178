import { formatPurchasingUnitAgencyName } from '#contract/catalogue/agency-name.ts'
import { getCompanyKey } from '#contract/catalogue/company-name.ts'
import { isNaturalPerson, isPersonalName } from '#contract/catalogue/natural-person.ts'
import {
  type ComparablePriceScope,
  MAX_SIMILAR_PROJECTS,
  MIN_SIMILAR_PROJECTS,
  type PriceBand,
  type SimilarProject,
  type SimilarProjectPrices,
} from '#contract/catalogue/similar-prices.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { getFiscalYear } from '#contract/thai/thai-date.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  type BreakdownProject,
  computeDiscount,
  computeDiscountBreakdown,
  computeDiscountFigures,
  getRoundedDiscount,
  type PricedProject,
  roundShare,
} from './discount-figures.ts'
import { createNameWordExtractor, loadNameWordExtractor } from './name-word-extractor.ts'
import { computePriceBand } from './price-band.ts'
import {
  type ComparedProject,
  countDoubtfulReferences,
  type DecidedProject,
  findDecidedProjects,
  findProjectsWithDoubtfulPrice,
  loadMinistriesByAgencyName,
  loadProjectBuyers,
  loadSimilarProjectDetails,
  type ProjectBuyer,
  type SimilarProjectDetail,
} from './similar-project-queries.ts'
import {
  buildSimilarProjectScopes,
  type ComparableScopeProject,
  formatSimilarProjectScope,
  MAX_COMPARABLE_SIZE_FACTOR,
  NEAR_SIZE_FACTOR,
} from './similar-project-scopes.ts'
import {
  ALL_BIDS_KNOWN_TOKEN,
  type ComparableProjectKind,
  getProcurementMethodGroup,
  getProjectSizeRangeAround,
  getProjectSizeSatang,
  type ProjectPriceQuality,
  toAgencyKey,
  toAgencyKindToken,
  toNationwideKindToken,
} from './trait-tokens.ts'
import { computeWeightedSimilarity, isSameKindOfWork } from './word-similarity.ts'

/**
 * Above this many candidates, only the latest are used, plus all of the same agency. Old prices are less relevant, and
 * responses stay fast.
 */
const MAX_CANDIDATES = 2_000

/** A price of more than twice the reference price is more often a typing error than an award. */
const MAX_CREDIBLE_PRICE_FACTOR = 2

type PriceOptions = {
  readonly organisationId: number
  readonly today: string
  readonly step?: ComparablePriceScope | undefined
  /** Day: ignores projects decided on it or later. Measures the band on past awards. */
  readonly decidedBefore?: string | undefined
}

type Candidate = DecidedProject & ComparableScopeProject & { readonly likeness: number; readonly buyer: ProjectBuyer }
type NamedProject = { readonly project_id: string; readonly tokens: readonly number[] }

const EXCLUDED_PRICE_STATES: readonly ProjectPriceQuality[] = ['unclear', 'unpriced']

/**
 * Returns the discounts (D20) of decided projects that are similar to this one. Uses the narrowest scope that contains
 * enough projects, else the widest.
 */
export async function loadSimilarPrices(
  db: Db,
  project: ComparedProject,
  options: PriceOptions,
): Promise<SimilarProjectPrices> {
  const { wordsOf, namesObject } = createNameWordExtractor()
  const nameHashes = wordsOf(project.name)
  const words = namesObject(nameHashes) ? nameHashes : []
  const satang = getProjectSizeSatang(project)
  const ownAgency = toAgencyKey(project.dept_name, project.dept_province)
  const candidates = await findAlikeProjects(db, project, {
    words,
    satang,
    ownAgency,
    decidedBefore: options.decidedBefore,
  })
  const ministries = await loadMinistriesByAgencyName(db, [
    ...new Set([
      toNormalisedSearchText(project.dept_name),
      ...candidates.all.map(({ buyer }) => toNormalisedSearchText(buyer.name)),
    ]),
  ])
  const ministry = ministries.get(toNormalisedSearchText(project.dept_name))
  const placed = <T extends { readonly buyer: ProjectBuyer }>(candidate: T) => ({
    ...candidate,
    ministry: ministries.get(toNormalisedSearchText(candidate.buyer.name)),
  })
  const priced = candidates.priced.map(placed)
  const excluded = candidates.others.map(placed)
  const inDoubt = candidates.inDoubt.map(placed)
  const scopes = buildSimilarProjectScopes(project, { agency: ownAgency, ministry, satang, today: options.today })
  const circles = scopes.map((scope) => ({ scope, priced: priced.filter(scope.includes) }))
  const chosen =
    circles.find(({ scope }) => scope.step === options.step) ??
    circles.find((circle) => circle.priced.length >= MIN_SIMILAR_PROJECTS) ??
    circles.at(-1)!
  const closest = chosen.priced.toSorted(closestFirst(satang)).slice(0, MAX_SIMILAR_PROJECTS)
  const details = await loadSimilarProjectDetails(db, {
    projectIds: closest.map(({ project_id }) => project_id),
    withBids: closest.flatMap(({ project_id, tokens }) => (tokens.includes(ALL_BIDS_KNOWN_TOKEN) ? project_id : [])),
    organisationId: options.organisationId,
  })
  const days = closest.flatMap(({ decided_on }) => decided_on ?? []).sort()
  const aside = excluded.filter(chosen.scope.includes)
  const amountsInDoubt = inDoubt.filter(chosen.scope.includes).length
  const unpriced = aside.filter(({ estimate_satang: estimate }) => estimate === null || estimate <= 0)
  const referencesInDoubt = await countDoubtfulReferences(
    db,
    unpriced.map(({ project_id }) => project_id),
  )
  const step = words.length === 0 ? undefined : chosen.scope.step
  const band =
    asBand('similar', computePriceBand(closest.map(discountOfDecided), step)) ??
    (await loadAgencyBand(db, project, { satang, ownAgency, decidedBefore: options.decidedBefore }))
  const present = createPresenter(project, { words, satang, ministry })
  return {
    scope: formatSimilarProjectScope(chosen.scope, project, { satang, days }),
    steps: circles.map(({ scope: { step, text }, priced: pricedInScope }) => ({ step, n: pricedInScope.length, text })),
    step: step ?? null,
    found: chosen.priced.length,
    without_reference: unpriced.length,
    ...(referencesInDoubt > 0 ? { references_in_doubt: referencesInDoubt } : {}),
    without_clear_price: aside.length - unpriced.length,
    ...(amountsInDoubt > 0 ? { amounts_in_doubt: amountsInDoubt } : {}),
    ...computeDiscountFigures(
      closest.map((candidate) => toPricedProject(candidate, details.get(candidate.project_id))),
    ),
    band,
    no_band_reason: band ? null : step === undefined ? 'name_without_words' : 'too_few',
    from_date: days[0] ?? null,
    to_date: days.at(-1) ?? null,
    results: closest.flatMap((candidate) => {
      const detail = details.get(candidate.project_id)
      return detail ? [present(candidate, detail)] : []
    }),
    breakdown: computeDiscountBreakdown(priced.map(groupedOf), ownAgency),
  }
}

type AlikeSearch = {
  readonly words: readonly number[]
  readonly satang: number | undefined
  readonly ownAgency: string
  readonly decidedBefore: string | undefined
}

const discountOfDecided = ({ estimate_satang, winner_satang }: DecidedProject) =>
  computeDiscount({ estimate: estimate_satang!, won: winner_satang })

const asBand = (basis: PriceBand['basis'], band: Omit<PriceBand, 'basis'> | undefined) => band && { ...band, basis }

const hasCrediblePrice = ({ estimate_satang, winner_satang }: DecidedProject) =>
  winner_satang <= MAX_CREDIBLE_PRICE_FACTOR * estimate_satang!

/** Returns the band of the agency's latest work of the same type, method and size, whatever its name. */
async function loadAgencyBand(
  db: Db,
  project: ComparedProject,
  { satang, ownAgency, decidedBefore }: Omit<AlikeSearch, 'words'>,
): Promise<PriceBand | null> {
  const work = await findDecidedProjects(db, {
    kinds: [toAgencyKindToken(ownAgency, kindOf(project, 'priced'))],
    word: undefined,
    sizes: getProjectSizeRangeAround(satang, NEAR_SIZE_FACTOR),
    except: project.project_id,
    limit: MAX_SIMILAR_PROJECTS,
    decidedBefore,
  })
  return asBand('agency', computePriceBand(work.filter(hasCrediblePrice).map(discountOfDecided), undefined)) ?? null
}

const kindOf = ({ method, method_type }: ComparedProject, price: ProjectPriceQuality): ComparableProjectKind => ({
  methodType: method_type,
  methodGroup: getProcurementMethodGroup(method),
  price,
})

async function findAlikeProjects(
  db: Db,
  project: ComparedProject,
  { words, satang, ownAgency, decidedBefore }: AlikeSearch,
) {
  const [firstWord] = words
  if (firstWord === undefined) return { priced: [], others: [], inDoubt: [], all: [] }
  const search = {
    word: firstWord,
    sizes: getProjectSizeRangeAround(satang, MAX_COMPARABLE_SIZE_FACTOR),
    except: project.project_id,
  }
  const find = (kinds: readonly number[]) =>
    findDecidedProjects(db, { ...search, kinds, limit: MAX_CANDIDATES, decidedBefore })
  const { weightOf } = await loadNameWordExtractor()
  const filterAlike = <T extends NamedProject>(found: readonly T[]) =>
    found.flatMap((candidate) => {
      const candidateWords = candidate.tokens.filter((token) => token < 0)
      return isSameKindOfWork(words, candidateWords, weightOf)
        ? [{ ...candidate, likeness: computeWeightedSimilarity(words, candidateWords, weightOf) }]
        : []
    })
  const alike = async (prices: readonly ProjectPriceQuality[]) => {
    const nationwide = await find(prices.map((price) => toNationwideKindToken(kindOf(project, price))))
    // The latest candidates nationwide may not include all candidates of the agency.
    const ofAgency =
      nationwide.length < MAX_CANDIDATES
        ? []
        : await find(prices.map((price) => toAgencyKindToken(ownAgency, kindOf(project, price))))
    const nationwideIds = new Set(nationwide.map(({ project_id }) => project_id))
    return filterAlike([...nationwide, ...ofAgency.filter(({ project_id }) => !nationwideIds.has(project_id))])
  }
  const [priced, excluded] = [await alike(['priced']), await alike(EXCLUDED_PRICE_STATES)]
  const doubtful = filterAlike(
    (await findProjectsWithDoubtfulPrice(db, { ...search, methodType: project.method_type })).filter(
      ({ method }) => getProcurementMethodGroup(method) === getProcurementMethodGroup(project.method),
    ),
  )
  const buyers = await loadProjectBuyers(
    db,
    [...priced, ...excluded, ...doubtful].map(({ project_id }) => project_id),
  )
  const bought = <T extends NamedProject>(project: T) => {
    const buyer = buyers.get(project.project_id)
    return buyer ? [{ ...project, buyer, agency: toAgencyKey(buyer.name, buyer.province) }] : []
  }
  const [credible, incredible] = [priced.filter(hasCrediblePrice), priced.filter((found) => !hasCrediblePrice(found))]
  const ofPriced = credible.flatMap(bought)
  const ofOthers = excluded.flatMap(bought)
  const inDoubt = [...incredible.flatMap(bought), ...doubtful.flatMap(bought)]
  return { priced: ofPriced, others: ofOthers, inDoubt, all: [...ofPriced, ...ofOthers, ...inDoubt] }
}

const closestFirst = (satang: number | undefined) => (a: Candidate, b: Candidate) =>
  b.likeness - a.likeness ||
  sizeDistance(a, satang) - sizeDistance(b, satang) ||
  compared(b.decided_on ?? '', a.decided_on ?? '') ||
  compared(a.project_id, b.project_id)

const compared = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function sizeDistance({ size_satang: size }: Candidate, satang: number | undefined): number {
  return size === null || satang === undefined ? 0 : Math.abs(Math.log(size / satang))
}

function toPricedProject(
  { estimate_satang, winner_satang }: Candidate,
  detail: SimilarProjectDetail | undefined,
): PricedProject {
  const party = { taxId: detail?.winner_tin ?? null, name: detail?.winner_name ?? null }
  const key = isNaturalPerson(party) ? undefined : getCompanyKey(party)
  const winner = key === undefined ? undefined : { key, name: party.name ?? party.taxId! }
  return { estimate: estimate_satang!, won: winner_satang, winner }
}

const groupedOf = ({ estimate_satang, winner_satang, agency, buyer, decided_on }: Candidate): BreakdownProject => ({
  estimate: estimate_satang!,
  won: winner_satang,
  agency,
  agencyName: formatPurchasingUnitAgencyName(buyer.name, getProvinceName(buyer.province)),
  year: decided_on === null ? 0 : getFiscalYear(decided_on),
})

type PresenterContext = {
  readonly words: readonly number[]
  readonly satang: number | undefined
  readonly ministry: string | undefined
}

function createPresenter(project: ComparedProject, { words, satang, ministry }: PresenterContext) {
  const texts = createNameWordExtractor().textsOf(project.name)
  const ownAgency = toAgencyKey(project.dept_name, project.dept_province)
  const buyerOf = ({ buyer, agency, ministry: buyerMinistry }: Candidate): SimilarProject['why']['buyer'] => {
    if (buyer.department_id === project.department_id) return 'unit'
    if (agency === ownAgency) return 'agency'
    return ministry !== undefined && buyerMinistry === ministry ? 'ministry' : null
  }
  return (candidate: Candidate, detail: SimilarProjectDetail): SimilarProject => {
    const isHidden = isPersonalName({ taxId: detail.winner_tin, name: detail.winner_name })
    const size = candidate.size_satang
    return {
      project_id: candidate.project_id,
      name: detail.name,
      dept_name: detail.dept_name,
      dept_sub_name: detail.dept_sub_name,
      decided_date: candidate.decided_on,
      estimate_budget: candidate.estimate_satang! / 100,
      winner_budget: candidate.winner_satang / 100,
      discount: getRoundedDiscount({ estimate: candidate.estimate_satang!, won: candidate.winner_satang }),
      winner_name: isHidden ? null : detail.winner_name,
      bids: detail.bids.map((satangs) => satangs / 100),
      why: {
        words: words.flatMap((word) => (candidate.tokens.includes(word) ? (texts.get(word) ?? []) : [])),
        likeness: roundShare(candidate.likeness),
        buyer: buyerOf(candidate),
        is_same_province: detail.project_province !== null && detail.project_province === project.project_province,
        is_same_method: detail.method === project.method,
        times: size === null || satang === undefined ? null : Math.round((size / satang) * 100) / 100,
      },
      in_report: detail.in_report,
    }
  }
}
