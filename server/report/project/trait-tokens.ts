import { fnv } from './name-words.ts'

type Money = {
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
}

/** Sizes between which others are looked for, and the tokens that they may have. */
export type SizeRange = { readonly from: number; readonly to: number; readonly tokens: readonly number[] }

/** The budget, else the reference price, else what it was won for; undefined while nobody knows how large the project is. */
export function sizeOf({ budget_satang, estimate_satang, winner_satang }: Money): number | undefined {
  return [budget_satang, estimate_satang, winner_satang].find((money) => money !== null && money > 0) ?? undefined
}

export function sizeAround(satang: number | undefined, factor: number): SizeRange | undefined {
  if (satang === undefined) return undefined
  const from = Math.ceil(satang / factor)
  const to = Math.floor(satang * factor)
  return { from, to, tokens: sizeTokens(from, to) }
}

/** How bids are found decides what comes off the price: half of the open ones lose 2.6 % or more, of the direct ones 0.3 %. */
export const ROADS: Readonly<Record<string, Road>> = {
  e_bidding: 'open',
  e_market: 'open',
  price_enquiry: 'open',
  consultant_open: 'open',
  design_open: 'open',
  design_contest: 'open',
  selective: 'selective',
  consultant_selective: 'selective',
  design_selective: 'selective',
  specific: 'specific',
  consultant_specific: 'specific',
  design_specific: 'specific',
}
export type Road = 'open' | 'selective' | 'specific' | 'other'

/**
 * What a decided project says of its price. `priced`: one winner, a reference price, and contracts that add up to what was announced. `unclear`: several
 * winners, or contracts for another sum: nobody knows which part the reference price belongs to. `unpriced`: no reference price.
 */
export type PriceState = 'priced' | 'unclear' | 'unpriced'

/** Only projects of the same kind are compared: of what was bought, how, and what is known of the price. */
export type Kind = { readonly methodType: string; readonly road: Road; readonly price: PriceState }
export const roadOf = (method: string): Road => ROADS[method] ?? 'other'

/** A positive int4; words are negative. */
const token = (text: string) => fnv(text) & 0x7fff_ffff
const kindText = ({ methodType, road, price }: Kind) => `${methodType}|${road}|${price}`

/** Every project of a unit. */
export const unitToken = (departmentId: number) => token(`unit|${departmentId}`)
/** Decided projects of one kind, of an agency as `agencyOf` names it, and of all. */
export const agencyKindToken = (agency: string, kind: Kind) => token(`agency|${agency}|${kindText(kind)}`)
export const countryKindToken = (kind: Kind) => token(`country|${kindText(kind)}`)
/** Who offered what is known of every bidder. */
export const ALL_BIDS_KNOWN = token('bids|all')

/** Bodies of which many bear one name: in each province it is another. */
const LOCAL_BODIES = ['เทศบาล', 'องค์การบริหารส่วน', 'โรงเรียน', 'วิทยาลัย']
/** The agency above all of its units. */
export const agencyOf = (name: string, province: number | null): string =>
  LOCAL_BODIES.some((head) => name.startsWith(head)) ? `${name}|${province ?? ''}` : name

/** Sizes that lie within a factor of three of each other stand in the same or in neighbouring steps. */
const stepOf = (satang: number) => Math.floor(Math.log(satang) / Math.log(3))
export const sizeToken = (satang: number) => token(`size|${stepOf(satang)}`)
/** Every step between two sizes. */
export function sizeTokens(from: number, to: number): number[] {
  const first = stepOf(from)
  return Array.from({ length: stepOf(to) - first + 1 }, (_, i) => token(`size|${first + i}`))
}

export type TraitFacts = {
  readonly departmentId: number
  readonly agency: string
  readonly kind: Kind
  readonly sizeSatang: number | null
  readonly isDecided: boolean
  readonly knowsAllBids: boolean
}

/** All by which a project is found, but for its words. */
export function tokensOf({ departmentId, agency, kind, sizeSatang, isDecided, knowsAllBids }: TraitFacts): number[] {
  const tokens = [unitToken(departmentId)]
  if (sizeSatang !== null && sizeSatang > 0) tokens.push(sizeToken(sizeSatang))
  if (!isDecided) return tokens
  tokens.push(agencyKindToken(agency, kind), countryKindToken(kind))
  if (knowsAllBids) tokens.push(ALL_BIDS_KNOWN)
  return tokens
}
