import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import { stripTitleBoilerplate } from '#server/platform/text/vocabulary-segmenter.ts'

export type ComparableName = {
  readonly length: number
  readonly grams: ReadonlyMap<string, number>
  /** Numbers such as villages, lengths and quantities. `lasting` excludes quantities, which vary from year to year. */
  readonly numbers: readonly string[]
  readonly lasting: readonly string[]
}

/**
 * Years, months and attempt counts, which differ between runs of one purchase. Expects a text without repeated spaces.
 */
const RUN_PATTERN =
  /(?:ประจำ)?(?:ปีงบประมาณ|ปี)?\s?(?:พ\s?\.?\s?ศ\s?\.?)?\s?25[5-9]\d|(?:เดือน)?\s?(?:มกราคม|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม|มิถุนายน|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม|พฤศจิกายน|ธันวาคม)|\(?\s?(?:ครั้งที่|รอบที่|งวดที่)\s?\d+\s?(?:\/\s?25\d\d)?\s?\)?/g
const RETENDER_REMARK =
  /[([]?\s?(?:ยกเลิก\s?(?:และ|แล้ว)?\s?)?(?:ประกาศ(?:เชิญชวน)?|ประกวดราคา|สอบราคา|ดำเนินการ)(?:ซ้ำ|ใหม่)\s?(?=[)\]\s]|$)[)\]]?/g
const METHOD_PREFIX = /^(?:ประกวดราคาอิเล็กทรอนิกส์|ประกวดราคา|สอบราคา)\s*/
const QUANTITY = /จำนวน\d+/g
const NUMBER = /\d+(?:\.\d+)?/g
/** Longer names are cut, because names of whole purchasing plans can span pages. */
const MAX_NAME_LENGTH = 400

export function toComparableName(name: string): ComparableName {
  const title = normaliseThai(name).replace(RETENDER_REMARK, ' ').trim()
  const plain = stripTitleBoilerplate(title).replace(METHOD_PREFIX, '').replaceAll(',', '')
  const content = plain.replace(/\s+/g, ' ').replace(RUN_PATTERN, ' ')
  const text = removeSpacesNextToThai(content.replace(/ {2,}/g, ' ').trim()).slice(0, MAX_NAME_LENGTH)
  // Numbers are compared separately, because a few digits weigh too little among many letters.
  const letters = text.replace(NUMBER, '0')
  const grams = new Map<string, number>()
  for (let at = 0; at + 3 <= letters.length; at += 1) {
    const gram = letters.slice(at, at + 3)
    grams.set(gram, (grams.get(gram) ?? 0) + 1)
  }
  return { length: text.length, grams, numbers: numbersIn(text), lasting: numbersIn(text.replace(QUANTITY, '')) }
}

const numbersIn = (text: string) => (text.match(NUMBER) ?? []).map((number) => String(Number(number)))

/** Returns the Dice similarity of the trigrams of two names, 0 to 1. */
export function computeNameSimilarity(a: ComparableName, b: ComparableName): number {
  return diceOf(a.grams, b.grams)
}

/**
 * Returns the share of matching numbers, 0 to 1; 1 if neither name has any. Distinguishes names that differ only in
 * their numbers.
 */
export function computeNumberSimilarity(a: readonly string[], b: readonly string[]): number {
  return a.length === 0 && b.length === 0 ? 1 : diceOf(countsOf(a), countsOf(b))
}

const countsOf = (texts: readonly string[]) =>
  texts.reduce((counts, text) => counts.set(text, (counts.get(text) ?? 0) + 1), new Map<string, number>())

function diceOf(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const sizeOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)
  const total = sizeOf(a) + sizeOf(b)
  if (total === 0) return 0
  let shared = 0
  for (const [text, count] of a) shared += Math.min(count, b.get(text) ?? 0)
  return (2 * shared) / total
}
