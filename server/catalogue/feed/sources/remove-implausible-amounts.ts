import type { DataIssue, DataIssueKind } from '#contract/catalogue/data-issue.ts'
import type { FeedContract, FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { hasValidTaxIdCheckDigit } from '#server/catalogue/feed/tax-id-check-digit.ts'

/**
 * A price this many times above both budget and estimate has a misplaced decimal point: 3 of 1.36 million real prices
 * exceed 10 times the budget, 33 exceed 3 times.
 */
const MAX_PRICE_RATIO = 5
/** A price below this share of both budget and estimate is a unit price: 107 of 1.36 million real prices. */
const MIN_PRICE_RATIO = 0.01
/**
 * Bounds of a reference price against both budget and price: 4 of 53,736 real ones are 5 times higher (a lost decimal
 * point), 14 are 20 times lower (the price of one unit: `8,700`). Before the award only the budget is known, which may
 * be the share of one year of a long contract, so only a factor of 100 counts.
 */
const ESTIMATE_RATIOS = { awarded: { min: 0.05, max: 5 }, open: { min: 0.01, max: 100 } }
/** Smaller numbers are always amounts: a juristic id is above 10 billion even without its leading 0. */
const MIN_ID_BAHT = 1_000_000_000

/** Above this amount, digits with a valid check digit are a tax id, not a coincidence. */
const MIN_ANY_ID_BAHT = 100_000_000_000
const hasIdDigits = (baht: number) => Number.isInteger(baht) && hasValidTaxIdCheckDigit(String(baht).padStart(13, '0'))

const BUDGET = 'งบประมาณ'
const ESTIMATE = 'ราคากลาง'
const PRICE = 'ราคาตกลงซื้อ/จ้าง'
const CONTRACT = 'งบสัญญา'

/**
 * Removes impossible amounts and records each as a doubt with its value, so that totals, medians and price advice never
 * include them.
 */
export function removeImplausibleAmounts(record: FeedRecord, existingDoubts: readonly DataIssue[]): FeedRecord {
  const doubts = [...existingDoubts]
  const ids = partyIds(record)
  const leaveOut = (kind: DataIssueKind, field: string, satang: number) => {
    // Write the digits ungrouped, so that `redact-personal-data.ts` recognises and hides a person's id.
    const isLong = satang / 100 >= MIN_ID_BAHT
    const value = isLong ? String(satang / 100) : (satang / 100).toLocaleString('en-US')
    if (!doubts.some((doubt) => doubt.field === field && doubt.value === value)) doubts.push({ kind, field, value })
    return undefined
  }
  const stated = (satang: number | null | undefined, field: string) => {
    if (!satang) {
      // Files write a missing estimate as 0.
      if (satang === 0 && field !== ESTIMATE) leaveOut('amount_zero', field, satang)
      return satang === null ? null : undefined
    }
    const baht = satang / 100
    const isId = ids.has(Math.trunc(baht)) || (baht >= MIN_ANY_ID_BAHT && hasIdDigits(baht))
    return isId ? leaveOut('amount_is_id', field, satang) : satang
  }
  const budgetSatang = stated(record.budgetSatang, BUDGET)
  const estimateSatang = plausibleEstimate(stated(record.estimateSatang, ESTIMATE), budgetSatang, record, leaveOut)
  const references = [budgetSatang, estimateSatang].filter((satang) => typeof satang === 'number')
  const [low, high] = [Math.min(...references), Math.max(...references)]
  const agreed = (satang: number | null | undefined, field: string, isWhole: boolean) => {
    const price = stated(satang, field)
    if (!price || references.length === 0) return price
    if (price > high * MAX_PRICE_RATIO) return leaveOut('amount_too_high', field, price)
    return isWhole && price < low * MIN_PRICE_RATIO ? leaveOut('amount_too_low', field, price) : price
  }
  const winnerSatang = agreed(record.winnerSatang, PRICE, true)
  // One of several contracts may be far below the budget, unless the total is too low as well.
  const isPiece = record.winnerSatang !== undefined && winnerSatang === undefined
  const contracts = record.contracts?.map((contract): FeedContract => {
    const isWhole = isPiece || (record.contracts!.length === 1 && record.winnerSatang === undefined)
    return { ...contract, amountSatang: agreed(contract.amountSatang, CONTRACT, isWhole) }
  })
  return {
    ...record,
    budgetSatang,
    estimateSatang,
    winnerSatang,
    contracts,
    ...(doubts.length > 0 && { doubts }),
  }
}

function plausibleEstimate(
  estimate: number | null | undefined,
  budget: number | null | undefined,
  { winnerSatang, contracts = [] }: FeedRecord,
  leaveOut: (kind: DataIssueKind, field: string, satang: number) => undefined,
): number | null | undefined {
  if (!estimate || !budget) return estimate
  const price = winnerSatang ?? contracts.reduce((sum, { amountSatang }) => sum + (amountSatang ?? 0), 0)
  const { min, max } = price > 0 ? ESTIMATE_RATIOS.awarded : ESTIMATE_RATIOS.open
  const references = price > 0 ? [budget, price] : [budget]
  if (estimate > Math.max(...references) * max) return leaveOut('amount_too_high', ESTIMATE, estimate)
  return estimate < Math.min(...references) * min ? leaveOut('amount_too_low', ESTIMATE, estimate) : estimate
}

function partyIds({ projectId, contracts, bidders }: FeedRecord): ReadonlySet<number> {
  const texts = [
    projectId,
    ...(contracts ?? []).map(({ winnerTin }) => winnerTin),
    ...(bidders ?? []).map(({ tin }) => tin),
  ]
  return new Set(texts.map(Number).filter((id) => id >= MIN_ID_BAHT))
}
