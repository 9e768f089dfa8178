import type { Qualifications } from '#contract/account/qualification.ts'
import type { RequirementAnswer, RequirementVerdict } from '#contract/documents/requirement.ts'
import { groupDigits } from '#contract/thai/thai-number.ts'
import { findAmountsInText } from '#server/documents/facts/find-values.ts'
import { foldThaiText } from '#server/documents/facts/folded-document.ts'

/**
 * The tender that a requirement belongs to. Dates are ISO days; `submission` is null until the submission date is
 * published.
 */
export type JudgedTender = { readonly title: string; readonly submission: string | null; readonly today: string }

export type RequirementJudgementInput = {
  readonly folded: string
  readonly qualifications: Qualifications
  readonly tender: JudgedTender
}

const createAnswer =
  (can: RequirementVerdict) =>
  (reason: string, missing: RequirementAnswer['missing'] = null): RequirementAnswer => ({ can, reason, missing })
export const createMetRequirementAnswer = createAnswer('yes')
export const createUnmetRequirementAnswer = createAnswer('no')
export const createUndecidedRequirementAnswer = createAnswer('ask')

export const containsAnyFoldedWord = (folded: string, ...words: readonly string[]): boolean =>
  words.some((word) => folded.includes(foldThaiText(word)))

export const formatBahtAmount = (baht: number): string => `${groupDigits(baht, 0, 2)} บาท`

const AT_LEAST = ['ไม่น้อยกว่า', 'ไม่ต่ำกว่า'].map(foldThaiText)
/**
 * Maximum characters between "not less than" and the amount, for words like "จำนวนเงิน", "มูลค่า", "วงเงินงบประมาณ".
 */
const REACH = 24

/**
 * Minimum amount that a clause requires. `unsure`: digits without matching words, or several amounts; `none`: no amount
 * after "not less than".
 */
export type RequiredMinimumAmount =
  | { readonly state: 'clear' | 'unsure'; readonly baht: number }
  | { readonly state: 'none' }

export function findMinimumAmount(folded: string): RequiredMinimumAmount {
  const amounts = findAmountsInText(folded).filter(({ from }) => {
    const before = folded.slice(Math.max(0, from - REACH), from)
    const at = Math.max(...AT_LEAST.map((words) => before.lastIndexOf(words)))
    return at !== -1 && !/\d/.test(before.slice(at))
  })
  const [firstAmount] = amounts
  if (!firstAmount) return { state: 'none' }
  const isClear =
    amounts.every(({ value }) => value.baht === firstAmount.value.baht) && amounts.some(({ value }) => value.agrees)
  return { state: isClear ? 'clear' : 'unsure', baht: firstAmount.value.baht }
}
