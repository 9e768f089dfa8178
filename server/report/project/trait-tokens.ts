import { isLocalGovernmentName } from '#contract/catalogue/agency-name.ts'
import { hashFnv1a } from './name-word-extractor.ts'

type ProjectMoney = {
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
}

export type ProjectSizeRange = { readonly from: number; readonly to: number; readonly tokens: readonly number[] }

export function getProjectSizeSatang({
  budget_satang,
  estimate_satang,
  winner_satang,
}: ProjectMoney): number | undefined {
  return [budget_satang, estimate_satang, winner_satang].find((money) => money !== null && money > 0) ?? undefined
}

export function getProjectSizeRangeAround(satang: number | undefined, factor: number): ProjectSizeRange | undefined {
  if (satang === undefined) return undefined
  const from = Math.ceil(satang / factor)
  const to = Math.floor(satang * factor)
  return { from, to, tokens: toProjectSizeRangeTokens(from, to) }
}

/**
 * Procurement methods grouped by typical discount: half of open biddings drop 2.6 % or more, half of direct ones 0.3 %.
 */
const PROCUREMENT_METHOD_GROUPS: Readonly<Record<string, ProcurementMethodGroup>> = {
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
export type ProcurementMethodGroup = 'open' | 'selective' | 'specific' | 'other'

/**
 * Price quality of a decided project. `priced`: one winner, a reference price, and contracts that add up to the
 * announced price. `unclear`: several winners or a different contract sum, so the reference price cannot be attributed.
 * `unpriced`: no reference price.
 */
export type ProjectPriceQuality = 'priced' | 'unclear' | 'unpriced'

/**
 * Kind of a decided project. Only projects of the same kind are compared: same type of purchase, method and price
 * quality.
 */
export type ComparableProjectKind = {
  readonly methodType: string
  readonly methodGroup: ProcurementMethodGroup
  readonly price: ProjectPriceQuality
}
export const getProcurementMethodGroup = (method: string): ProcurementMethodGroup =>
  PROCUREMENT_METHOD_GROUPS[method] ?? 'other'

/** Returns a positive int4. Word hashes are negative, so a token never equals a word hash. */
const token = (text: string) => hashFnv1a(text) & 0x7fff_ffff
const kindText = ({ methodType, methodGroup, price }: ComparableProjectKind) => `${methodType}|${methodGroup}|${price}`

export const toPurchasingUnitToken = (departmentId: number) => token(`unit|${departmentId}`)
export const toAgencyKindToken = (agency: string, kind: ComparableProjectKind) =>
  token(`agency|${agency}|${kindText(kind)}`)
export const toNationwideKindToken = (kind: ComparableProjectKind) => token(`country|${kindText(kind)}`)
export const ALL_BIDS_KNOWN_TOKEN = token('bids|all')

/** Identifies an agency. A college has one province too, like a local government. */
export const toAgencyKey = (name: string, province: number | null): string =>
  isLocalGovernmentName(name) || name.startsWith('วิทยาลัย') ? `${name}|${province ?? ''}` : name

/** Returns the size class of an amount. Sizes within a factor of three fall in the same class or in adjacent ones. */
const stepOf = (satang: number) => Math.floor(Math.log(satang) / Math.log(3))
const toProjectSizeToken = (satang: number) => token(`size|${stepOf(satang)}`)
function toProjectSizeRangeTokens(from: number, to: number): number[] {
  const firstStep = stepOf(from)
  return Array.from({ length: stepOf(to) - firstStep + 1 }, (_, i) => token(`size|${firstStep + i}`))
}

export type ProjectTraitFacts = {
  readonly departmentId: number
  readonly agency: string
  readonly kind: ComparableProjectKind
  readonly sizeSatang: number | null
  readonly isDecided: boolean
  readonly areAllBidsKnown: boolean
}

export function toTraitTokens({
  departmentId,
  agency,
  kind,
  sizeSatang,
  isDecided,
  areAllBidsKnown,
}: ProjectTraitFacts): number[] {
  const tokens = [toPurchasingUnitToken(departmentId)]
  if (sizeSatang !== null && sizeSatang > 0) tokens.push(toProjectSizeToken(sizeSatang))
  if (!isDecided) return tokens
  tokens.push(toAgencyKindToken(agency, kind), toNationwideKindToken(kind))
  if (areAllBidsKnown) tokens.push(ALL_BIDS_KNOWN_TOKEN)
  return tokens
}
