import type { DocumentFact, DocumentKind, FactName, FactValue } from '#contract/documents/document.ts'
import { findFacts } from '#server/documents/facts/find-facts.ts'
import { FoldedText } from '#server/documents/facts/folded-text.ts'
import { kindOf } from '#server/documents/facts/kind.ts'
import { findValues } from '#server/documents/facts/value-rules.ts'

/** OCR confuses similar Thai digits (๔ and ๕) consistently, so a second occurrence proves nothing. */
const THAI_DIGIT = /[๐-๙]/

/**
 * Kinds of values that two occurrences can confirm. Never dates and windows: days of one month differ by a single
 * digit.
 */
const NUMBERS: ReadonlySet<FactValue['kind']> = new Set(['amount', 'percent', 'duration', 'shares'])
const PLACES_NEEDED = 2

function borneOut(pages: readonly string[]): ReadonlySet<FactName> {
  const found = Map.groupBy(findValues(new FoldedText(pages)), ({ fact }) => fact)
  const sure = [...found].filter(([, places]) => {
    const values = new Set(places.map(({ value }) => JSON.stringify(value)))
    return places.length >= PLACES_NEEDED && values.size === 1 && places[0]!.value !== undefined
  })
  return new Set(sure.map(([fact]) => fact))
}

/**
 * Returns kind and facts of an OCR document. A value is included only if an amount is written in digits and words
 * alike (checked by `findFacts`), or a number in Arabic digits occurs twice. Never dates or names.
 */
export function findPictureFacts(pages: readonly string[]): {
  readonly kind: DocumentKind
  readonly facts: DocumentFact[]
} {
  const kind = kindOf([...pages])
  const alike = borneOut(pages)
  const facts = findFacts(pages, kind).map((fact): DocumentFact => {
    const { value, ...rest } = fact
    const isSure =
      value &&
      (value.kind === 'amount' || (NUMBERS.has(value.kind) && alike.has(fact.fact) && !THAI_DIGIT.test(fact.sentence)))
    return isSure ? fact : { ...rest, state: 'unsure' }
  })
  return { kind, facts }
}
