import { MIN_CERTAIN_BUDGET_LINK_CONFIDENCE } from '#contract/market/budget.ts'

/**
 * Evidence that a project was paid for by a budget item. Both belong to units of the same name; other pairs are never
 * compared.
 */
export type BudgetLinkEvidence = {
  readonly words: number
  readonly letters: number
  readonly numbers: number
  /**
   * Difference of the amounts as a share of the larger, null if one is unknown. `yearsLater`: project year minus
   * item's.
   */
  readonly amountGap: number | null
  readonly yearsLater: number
  readonly isMultiYear: boolean
  readonly isElsewhere: boolean
  /** Another local government of the same name may be the one that the budget means. */
  readonly isBuyerUnknown: boolean
}

const MIN_BUDGET_LINK_CONFIDENCE = 0.5
const MIN_NAME_SCORE = 0.42
const AMOUNT_WEIGHT = 0.36
const MAX_AMOUNT_GAP = 0.4
/**
 * Factor that lowers the score when place or owner differ: the same purchase for another hospital, village or road is
 * another item, unless one name has two spellings.
 */
const ELSEWHERE_FACTOR = 0.6
const UNKNOWN_AMOUNT_SCORE = 0.45

/**
 * Returns the plausibility of the years from 0 to 1. Money may be spent in the following year; multi-year items run for
 * three.
 */
function yearFactor({ yearsLater, isMultiYear }: BudgetLinkEvidence): number {
  if (yearsLater === 0) return 1
  if (yearsLater === 1) return 0.85
  return isMultiYear && yearsLater < 0 && yearsLater >= -3 ? 0.95 : 0
}

/**
 * Returns the similarity of two names from 0 to 1. Shared letters suggest the same place and owner, and shared words
 * the same kind of purchase; shared numbers tell similar purchases apart.
 */
function computeNameSimilarityScore({ words, letters, numbers }: BudgetLinkEvidence): number {
  return (0.35 * words + 0.65 * letters) * (0.75 + 0.25 * numbers)
}

/**
 * Returns the confidence from 0 to 1; 0 below `MIN_BUDGET_LINK_CONFIDENCE`. Calibrated on the cases of
 * link-confidence.test.ts.
 */
export function computeBudgetLinkConfidence(evidence: BudgetLinkEvidence): number {
  const name = computeNameSimilarityScore(evidence)
  if (name < MIN_NAME_SCORE) return 0
  const { amountGap } = evidence
  const amount = amountGap === null ? UNKNOWN_AMOUNT_SCORE : Math.max(0, 1 - amountGap / MAX_AMOUNT_GAP)
  const placeFactor = evidence.isElsewhere ? ELSEWHERE_FACTOR : 1
  const confidence = placeFactor * yearFactor(evidence) * ((1 - AMOUNT_WEIGHT) * name + AMOUNT_WEIGHT * amount)
  if (confidence < MIN_BUDGET_LINK_CONFIDENCE) return 0
  return Math.min(Math.round(confidence * 100) / 100, evidence.isBuyerUnknown ? MAX_GUESS_CONFIDENCE : 1)
}

/** Links whose confidence differs by less than this are rivals. */
const RIVAL_MARGIN = 0.05
const MAX_GUESS_CONFIDENCE = MIN_CERTAIN_BUDGET_LINK_CONFIDENCE - 0.05
const MAX_GUESSES = 3

/**
 * Decides which item a project belongs to: a sure and clearly best link removes the others; similar ones all become
 * guesses. Items of one obligation (`isSameObligation`) are not rivals, because one project may be paid for over several
 * years.
 */
export function resolveRivalBudgetLinks<L extends { readonly confidence: number }>(
  links: readonly L[],
  isSameObligation: (a: L, b: L) => boolean,
): L[] {
  const sorted = links.toSorted((a, b) => b.confidence - a.confidence)
  const [best] = sorted
  if (!best) return []
  const ofBestItem = sorted.filter((link) => isSameObligation(link, best))
  const rival = sorted.find((link) => !ofBestItem.includes(link))?.confidence ?? 0
  if (best.confidence >= MIN_CERTAIN_BUDGET_LINK_CONFIDENCE && best.confidence - rival >= RIVAL_MARGIN)
    return ofBestItem
  return sorted.slice(0, MAX_GUESSES).map((link) => ({
    ...link,
    confidence: rival === 0 ? link.confidence : Math.min(link.confidence, MAX_GUESS_CONFIDENCE),
  }))
}

const percent = (share: number) => `${Math.round(share * 100)}%`

export function describeBudgetLinkEvidence(
  evidence: BudgetLinkEvidence,
  years: { readonly item: number; readonly project: number },
): string[] {
  const { amountGap, letters, yearsLater, isBuyerUnknown } = evidence
  const amount =
    amountGap === null
      ? []
      : amountGap < 0.005
        ? ['วงเงินเท่ากัน']
        : amountGap < MAX_AMOUNT_GAP
          ? [`วงเงินต่างกัน ${percent(amountGap)}`]
          : ['วงเงินต่างกันมาก']
  const year =
    yearsLater === 0
      ? `ปีงบประมาณ ${years.item} เหมือนกัน`
      : yearsLater > 0
        ? `ประกาศในปีงบประมาณ ${years.project} ช้ากว่าปีที่ตั้งงบ`
        : `งบผูกพันต่อจากโครงการปี ${years.project}`
  return [isBuyerUnknown ? 'หน่วยงานชื่อเดียวกัน' : 'หน่วยงานเดียวกัน', `ชื่อตรงกัน ${percent(letters)}`, ...amount, year]
}
