import { SURE_LINK } from '#contract/market/budget.ts'

/** What speaks for a project being what an item's money went into. Their unit is the same: without that there is nothing to ask. */
export type LinkEvidence = {
  /** 0 to 1: the words that say what is bought. */
  readonly words: number
  /** 0 to 1: the letters of both names, in threes. */
  readonly letters: number
  /** 0 to 1: the numbers in both names. */
  readonly numbers: number
  /** How far the sums lie apart, as a share of the larger; null when one is unknown. */
  readonly apart: number | null
  /** Years that the project comes after its item; negative: before it. */
  readonly yearsLater: number
  readonly isMultiYear: boolean
  /** Each names a place or an owner of its own. */
  readonly isElsewhere: boolean
}

/** Below this a link is not worth a look. */
export const FAINTEST = 0.5
/** Names less alike than this mean something else, whatever the sums are. */
const LEAST_ALIKE = 0.42
/** What the sums say, of the whole; names say the rest. */
const OF_AMOUNT = 0.36
/** Sums twice as far apart say nothing. */
const FAR = 0.4
/** The same thing for another hospital, village or road is another purchase, unless a name is written in two ways. */
const ELSEWHERE = 0.6
/** Unknown sums speak neither for it nor against it. */
const UNKNOWN_AMOUNT = 0.45

/** 0 to 1: how far the years let a project belong to an item. Money may be spent in the year after; a multi-year item goes on for three. */
function yearFactor({ yearsLater, isMultiYear }: LinkEvidence): number {
  if (yearsLater === 0) return 1
  if (yearsLater === 1) return 0.85
  return isMultiYear && yearsLater < 0 && yearsLater >= -3 ? 0.95 : 0
}

/** How alike two names are, 0 to 1: letters tell the place and the owner, words what is bought, numbers which of several. */
export function nameScore({ words, letters, numbers }: LinkEvidence): number {
  return (0.35 * words + 0.65 * letters) * (0.75 + 0.25 * numbers)
}

/** How sure it is, from 0 to 1; 0 for what is not worth a look. Measured on the cases of link-confidence.test.ts. */
export function linkConfidence(evidence: LinkEvidence): number {
  const name = nameScore(evidence)
  if (name < LEAST_ALIKE) return 0
  const { apart } = evidence
  const amount = apart === null ? UNKNOWN_AMOUNT : Math.max(0, 1 - apart / FAR)
  const place = evidence.isElsewhere ? ELSEWHERE : 1
  const confidence = place * yearFactor(evidence) * ((1 - OF_AMOUNT) * name + OF_AMOUNT * amount)
  return confidence < FAINTEST ? 0 : Math.round(confidence * 100) / 100
}

/** Two items between which a project cannot be told to belong: closer than this. */
const TOO_CLOSE = 0.05
/** What a link is cut down to when another item has about as good a claim. */
const GUESS = SURE_LINK - 0.05
/** Guesses kept of one project: somebody reads them. */
const MOST_GUESSES = 3

/**
 * A project is one item's: where one is sure and clearly the best, the others are none; where several are about as good, all are guesses. Items of one
 * obligation (`sameThing`) are no rivals: their money of several years goes into one project.
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

/** What speaks for it, in Thai. */
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
