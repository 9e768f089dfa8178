import { SURE_LINK } from '#contract/market/budget.ts'

/**
 * Evidence that a project was paid for by a budget item. Both belong to the same unit; other pairs are never compared.
 */
export type LinkEvidence = {
  readonly words: number
  readonly letters: number
  readonly numbers: number
  /** Difference of the amounts as a share of the larger; null when one is unknown. */
  readonly apart: number | null
  /** Project year minus item year; negative: the project is earlier. */
  readonly yearsLater: number
  readonly isMultiYear: boolean
  readonly isElsewhere: boolean
}

export const FAINTEST = 0.5
/** Names less alike than this are unrelated, whatever the amounts. */
const LEAST_ALIKE = 0.42
/** Weight of the amounts; the names have the rest. */
const OF_AMOUNT = 0.36
/** Amounts that differ by this share or more score 0. */
const FAR = 0.4
/**
 * Penalty factor: the same purchase for another hospital, village or road is another item, unless a name is spelled in
 * two ways.
 */
const ELSEWHERE = 0.6
/** Neutral score for unknown amounts. */
const UNKNOWN_AMOUNT = 0.45

/** 0 to 1: plausibility of the years. Money may be spent in the following year; multi-year items run for three. */
function yearFactor({ yearsLater, isMultiYear }: LinkEvidence): number {
  if (yearsLater === 0) return 1
  if (yearsLater === 1) return 0.85
  return isMultiYear && yearsLater < 0 && yearsLater >= -3 ? 0.95 : 0
}

/**
 * Similarity of two names, 0 to 1: letters identify place and owner, words what is bought, numbers which of several.
 */
export function nameScore({ words, letters, numbers }: LinkEvidence): number {
  return (0.35 * words + 0.65 * letters) * (0.75 + 0.25 * numbers)
}

/** Returns the confidence from 0 to 1; 0 below `FAINTEST`. Calibrated on the cases of link-confidence.test.ts. */
export function linkConfidence(evidence: LinkEvidence): number {
  const name = nameScore(evidence)
  if (name < LEAST_ALIKE) return 0
  const { apart } = evidence
  const amount = apart === null ? UNKNOWN_AMOUNT : Math.max(0, 1 - apart / FAR)
  const place = evidence.isElsewhere ? ELSEWHERE : 1
  const confidence = place * yearFactor(evidence) * ((1 - OF_AMOUNT) * name + OF_AMOUNT * amount)
  return confidence < FAINTEST ? 0 : Math.round(confidence * 100) / 100
}

/** Two items whose confidence differs by less than this are rivals. */
const TOO_CLOSE = 0.05
/** Confidence cap of a link when another item matches about as well. */
const GUESS = SURE_LINK - 0.05
/** Guesses stored per project; users review them by hand. */
const MOST_GUESSES = 3

/**
 * Settles which item a project belongs to: a sure and clearly best link removes the others; similar ones all become
 * guesses. Items of one obligation (`sameThing`) are not rivals, because several years pay for one project.
 */
export function settleRivals<L extends { readonly confidence: number }>(
  links: readonly L[],
  sameThing: (a: L, b: L) => boolean,
): L[] {
  const sorted = links.toSorted((a, b) => b.confidence - a.confidence)
  const [best] = sorted
  if (!best) return []
  const own = sorted.filter((link) => sameThing(link, best))
  const rival = sorted.find((link) => !own.includes(link))?.confidence ?? 0
  if (best.confidence >= SURE_LINK && best.confidence - rival >= TOO_CLOSE) return own
  return sorted
    .slice(0, MOST_GUESSES)
    .map((link) => ({ ...link, confidence: rival === 0 ? link.confidence : Math.min(link.confidence, GUESS) }))
}

const percent = (share: number) => `${Math.round(share * 100)}%`

export function linkReasons(
  evidence: LinkEvidence,
  years: { readonly item: number; readonly project: number },
): string[] {
  const { apart, letters, yearsLater } = evidence
  const amount =
    apart === null
      ? []
      : apart < 0.005
        ? ['วงเงินเท่ากัน']
        : apart < FAR
          ? [`วงเงินต่างกัน ${percent(apart)}`]
          : ['วงเงินต่างกันมาก']
  const year =
    yearsLater === 0
      ? `ปีงบประมาณ ${years.item} เหมือนกัน`
      : yearsLater > 0
        ? `ประกาศในปีงบประมาณ ${years.project} ช้ากว่าปีที่ตั้งงบ`
        : `งบผูกพันต่อจากโครงการปี ${years.project}`
  return ['หน่วยงานเดียวกัน', `ชื่อตรงกัน ${percent(letters)}`, ...amount, year]
}
