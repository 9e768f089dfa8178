import { companyKey } from '#contract/catalogue/company-name.ts'
import { isNaturalPerson } from '#contract/catalogue/natural-person.ts'
import {
  ENOUGH_SIMILAR,
  MOST_SIMILAR,
  type SimilarPrices,
  type SimilarProject,
  type SimilarStep,
} from '#contract/catalogue/similar-prices.ts'
import { fiscalYear } from '#contract/thai/thai-date.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  breakdownOf,
  discountFigures,
  type Grouped,
  type Priced,
  rounded,
  roundedDiscount,
} from './discount-figures.ts'
import { isAlike, likenessOf } from './likeness.ts'
import { nameWords } from './name-words.ts'
import {
  type Buyer,
  type ComparedProject,
  type DecidedProject,
  findDecided,
  loadBuyers,
  loadMinistries,
  loadShown,
  type ShownProject,
} from './similar-project-queries.ts'
import { FAR, type Placed, scopesAround, scopeText } from './similar-scopes.ts'
import {
  ALL_BIDS_KNOWN,
  agencyKindToken,
  agencyOf,
  countryKindToken,
  type Kind,
  type PriceState,
  roadOf,
  sizeAround,
  sizeOf,
} from './trait-tokens.ts'

/**
 * Above this many candidates only the latest are used, plus all of the same agency: old prices are less relevant, and
 * responses stay fast.
 */
const MOST_CANDIDATES = 2_000

type Question = {
  readonly organisationId: number
  /** Today in Bangkok, ISO. */
  readonly today: string
  /** Requested scope; undefined picks the narrowest one with enough projects. */
  readonly step?: SimilarStep | undefined
}

type Candidate = DecidedProject & Placed & { readonly likeness: number; readonly buyer: Buyer }

const ADDED: readonly PriceState[] = ['unclear', 'unpriced']

/** D20 over decided projects like this one: uses the narrowest scope with enough projects, else the widest. */
export async function similarPrices(db: Db, project: ComparedProject, question: Question): Promise<SimilarPrices> {
  const { wordsOf, tellsThing } = nameWords()
  const read = wordsOf(project.name)
  const words = tellsThing(read) ? read : []
  const satang = sizeOf(project)
  const own = agencyOf(project.dept_name, project.dept_province)
  const found = await findAlike(db, project, { words, satang, own })
  const ministries = await loadMinistries(db, [
    ...new Set([searchForm(project.dept_name), ...found.all.map(({ buyer }) => searchForm(buyer.name))]),
  ])
  const ministry = ministries.get(searchForm(project.dept_name))
  const placed = <T extends { readonly buyer: Buyer }>(one: T) => ({
    ...one,
    ministry: ministries.get(searchForm(one.buyer.name)),
  })
  const priced = found.priced.map(placed)
  const others = found.others.map(placed)
  const scopes = scopesAround(project, { agency: own, ministry, satang, today: question.today })
  const circles = scopes.map((scope) => ({ scope, priced: priced.filter(scope.holds) }))
  const taken =
    circles.find(({ scope }) => scope.step === question.step) ??
    circles.find((circle) => circle.priced.length >= ENOUGH_SIMILAR) ??
    circles.at(-1)!
  const closest = taken.priced.toSorted(closestFirst(satang)).slice(0, MOST_SIMILAR)
  const shown = await loadShown(db, {
    projectIds: closest.map(({ project_id }) => project_id),
    withBids: closest.flatMap(({ project_id, tokens }) => (tokens.includes(ALL_BIDS_KNOWN) ? project_id : [])),
    organisationId: question.organisationId,
  })
  const days = closest.flatMap(({ decided_on }) => decided_on ?? []).sort()
  const aside = others.filter(taken.scope.holds)
  const unpriced = aside.filter(({ estimate_satang: estimate }) => estimate === null || estimate <= 0).length
  const present = presenter(project, { words, satang, ministry })
  return {
    scope: scopeText(taken.scope, project, { satang, days }),
    steps: circles.map(({ scope: { step, text }, priced: theirs }) => ({ step, n: theirs.length, text })),
    step: words.length === 0 ? null : taken.scope.step,
    found: taken.priced.length,
    without_reference: unpriced,
    without_clear_price: aside.length - unpriced,
    ...discountFigures(closest.map((one) => pricedOf(one, shown.get(one.project_id)))),
    from_date: days[0] ?? null,
    to_date: days.at(-1) ?? null,
    results: closest.flatMap((one) => {
      const said = shown.get(one.project_id)
      return said ? [present(one, said)] : []
    }),
    breakdown: breakdownOf(priced.map(groupedOf), own),
  }
}

type Asked = { readonly words: readonly number[]; readonly satang: number | undefined; readonly own: string }

/** All decided projects of the same kind with a similar name, any agency and year, within a size factor of `FAR`. */
async function findAlike(db: Db, project: ComparedProject, { words, satang, own }: Asked) {
  const [first] = words
  if (first === undefined) return { priced: [], others: [], all: [] }
  const kind = (price: PriceState): Kind => ({ methodType: project.method_type, road: roadOf(project.method), price })
  const find = (kinds: readonly number[]) =>
    findDecided(db, {
      kinds,
      word: first,
      sizes: sizeAround(satang, FAR),
      except: project.project_id,
      isSampleOnly: project.isSampleOnly === true,
      most: MOST_CANDIDATES,
    })
  const { weightOf } = nameWords()
  const alike = async (prices: readonly PriceState[]) => {
    const all = await find(prices.map((price) => countryKindToken(kind(price))))
    // The latest candidates nationwide may not include all of the agency's.
    const ours =
      all.length < MOST_CANDIDATES ? [] : await find(prices.map((price) => agencyKindToken(own, kind(price))))
    const known = new Set(all.map(({ project_id }) => project_id))
    return [...all, ...ours.filter(({ project_id }) => !known.has(project_id))].flatMap((other) => {
      const theirs = other.tokens.filter((token) => token < 0)
      return isAlike(words, theirs, weightOf) ? [{ ...other, likeness: likenessOf(words, theirs, weightOf) }] : []
    })
  }
  const [priced, others] = [await alike(['priced']), await alike(ADDED)]
  const buyers = await loadBuyers(
    db,
    [...priced, ...others].map(({ project_id }) => project_id),
  )
  const bought = <T extends DecidedProject>(one: T) => {
    const buyer = buyers.get(one.project_id)
    return buyer ? [{ ...one, buyer, agency: agencyOf(buyer.name, buyer.province) }] : []
  }
  const [ofPriced, ofOthers] = [priced.flatMap(bought), others.flatMap(bought)]
  return { priced: ofPriced, others: ofOthers, all: [...ofPriced, ...ofOthers] }
}

/** By likeness, then size difference, then date (newest first). */
const closestFirst = (satang: number | undefined) => (a: Candidate, b: Candidate) =>
  b.likeness - a.likeness ||
  farness(a, satang) - farness(b, satang) ||
  compared(b.decided_on ?? '', a.decided_on ?? '') ||
  compared(a.project_id, b.project_id)

const compared = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function farness({ size_satang: size }: Candidate, satang: number | undefined): number {
  return size === null || satang === undefined ? 0 : Math.abs(Math.log(size / satang))
}

function pricedOf({ estimate_satang, winner_satang }: Candidate, shown: ShownProject | undefined): Priced {
  const party = { taxId: shown?.winner_tin ?? null, name: shown?.winner_name ?? null }
  const key = isNaturalPerson(party) ? undefined : companyKey(party)
  const winner = key === undefined ? undefined : { key, name: party.name ?? party.taxId! }
  return { estimate: estimate_satang!, won: winner_satang, winner }
}

const groupedOf = ({ estimate_satang, winner_satang, agency, buyer, decided_on }: Candidate): Grouped => ({
  estimate: estimate_satang!,
  won: winner_satang,
  agency,
  agencyName: buyer.name,
  year: decided_on === null ? 0 : fiscalYear(decided_on),
})

type Own = {
  readonly words: readonly number[]
  readonly satang: number | undefined
  readonly ministry: string | undefined
}

function presenter(project: ComparedProject, { words, satang, ministry }: Own) {
  const texts = nameWords().textsOf(project.name)
  const own = agencyOf(project.dept_name, project.dept_province)
  const buyerOf = ({ buyer, agency, ministry: theirs }: Candidate): SimilarProject['why']['buyer'] => {
    if (buyer.department_id === project.department_id) return 'unit'
    if (agency === own) return 'agency'
    return ministry !== undefined && theirs === ministry ? 'ministry' : null
  }
  return (one: Candidate, shown: ShownProject): SimilarProject => {
    const isPerson = isNaturalPerson({ taxId: shown.winner_tin, name: shown.winner_name })
    const size = one.size_satang
    return {
      project_id: one.project_id,
      name: shown.name,
      dept_name: shown.dept_name,
      dept_sub_name: shown.dept_sub_name,
      decided_date: one.decided_on,
      estimate_budget: one.estimate_satang! / 100,
      winner_budget: one.winner_satang / 100,
      discount: roundedDiscount({ estimate: one.estimate_satang!, won: one.winner_satang }),
      winner_name: isPerson ? null : shown.winner_name,
      bids: shown.bids.map((satangs) => satangs / 100),
      why: {
        words: words.flatMap((word) => (one.tokens.includes(word) ? (texts.get(word) ?? []) : [])),
        likeness: rounded(one.likeness),
        buyer: buyerOf(one),
        is_same_province: shown.project_province !== null && shown.project_province === project.project_province,
        is_same_method: shown.method === project.method,
        times: size === null || satang === undefined ? null : Math.round((size / satang) * 100) / 100,
      },
      in_report: shown.in_report,
    }
  }
}
