import type { DocumentFact, DocumentKind, FactName, FactValue } from '#contract/documents/document.ts'
import { findFacts } from '#server/documents/facts/find-facts.ts'
import { FoldedText } from '#server/documents/facts/folded-text.ts'
import { kindOf } from '#server/documents/facts/kind.ts'
import { findValues } from '#server/documents/facts/value-rules.ts'

/** Readers of pictures take one Thai digit for another of its shape (๔ for ๕) the same way each time, so a second place proves nothing. */
const THAI_DIGIT = /[๐-๙]/

/** Kinds of values that two places may bear out. A date and a window never are: days of one month differ by a digit. */
const NUMBERS: ReadonlySet<FactValue['kind']> = new Set(['amount', 'percent', 'duration', 'shares'])
const PLACES_NEEDED = 2

/** Facts that stand at two places or more with one and the same value. */
function borneOut(pages: readonly string[]): ReadonlySet<FactName> {
  const found = Map.groupBy(findValues(new FoldedText(pages)), ({ fact }) => fact)
  const sure = [...found].filter(([, places]) => {
    const values = new Set(places.map(({ value }) => JSON.stringify(value)))
    return places.length >= PLACES_NEEDED && values.size === 1 && places[0]!.value !== undefined
  })
  return new Set(sure.map(([fact]) => fact))
}

/**
 * Kind and facts of a document whose text was read from pictures: sentence and page, and a value only where an amount is said in digits and in words alike (`findFacts` asks
 * for that), or where a number stands at two places alike in Arabic digits. No date, no name.
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
