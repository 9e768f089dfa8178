import { provinceCoded } from '#contract/project/province.ts'
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

/** Only projects of the same kind are compared: of what was bought, how, and whether the reference price is known. */
export type Kind = { readonly methodType: string; readonly road: Road; readonly isPriced: boolean }
export const roadOf = (method: string): Road => ROADS[method] ?? 'other'

/** A positive int4; words are negative. */
const token = (text: string) => fnv(text) & 0x7fff_ffff
const kindText = ({ methodType, road, isPriced }: Kind) => `${methodType}|${road}|${isPriced ? 'priced' : 'unpriced'}`

/** Every project of a unit. */
export const unitToken = (departmentId: number) => token(`unit|${departmentId}`)
/** Decided projects of one kind. */
export const unitKindToken = (departmentId: number, kind: Kind) => token(`unit|${departmentId}|${kindText(kind)}`)
export const provinceKindToken = (province: number, kind: Kind) => token(`province|${province}|${kindText(kind)}`)
export const regionKindToken = (region: string, kind: Kind) => token(`region|${region}|${kindText(kind)}`)
export const countryKindToken = (kind: Kind) => token(`country|${kindText(kind)}`)

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
  readonly province: number | null
  readonly kind: Kind
  readonly sizeSatang: number | null
  readonly isDecided: boolean
}

/** All by which a project is found, but for its words. */
export function tokensOf({ departmentId, province, kind, sizeSatang, isDecided }: TraitFacts): number[] {
  const tokens = [unitToken(departmentId)]
  if (sizeSatang !== null && sizeSatang > 0) tokens.push(sizeToken(sizeSatang))
  if (!isDecided) return tokens
  tokens.push(unitKindToken(departmentId, kind), countryKindToken(kind))
  const place = province === null ? undefined : provinceCoded(province)
  if (place) tokens.push(provinceKindToken(place.code, kind), regionKindToken(place.region, kind))
  return tokens
}
