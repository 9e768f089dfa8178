import type { DocumentFact, DocumentFactName, DocumentKind, FactValue } from '#contract/documents/document.ts'
import { detectDocumentKind } from '#server/documents/facts/detect-document-kind.ts'
import { findDocumentFacts } from '#server/documents/facts/find-document-facts.ts'
import { findValueFacts } from '#server/documents/facts/find-value-facts.ts'
import { FoldedDocument } from '#server/documents/facts/folded-document.ts'

/**
 * OCR confuses similar Thai digits (๔ and ๕) consistently, so a second occurrence does not confirm a value with Thai
 * digits.
 */
const THAI_DIGIT = /[๐-๙]/

/**
 * Kinds of values that a second occurrence can confirm. Never dates and windows: days of one month differ by a single
 * digit.
 */
const NUMBERS: ReadonlySet<FactValue['kind']> = new Set(['amount', 'percent', 'duration', 'shares'])
const MIN_OCCURRENCES = 2

function findConfirmedFacts(pages: readonly string[]): ReadonlySet<DocumentFactName> {
  const findingsByFact = Map.groupBy(findValueFacts(new FoldedDocument(pages)), ({ fact }) => fact)
  const confirmed = [...findingsByFact].filter(([, findings]) => {
    const values = new Set(findings.map(({ value }) => JSON.stringify(value)))
    return findings.length >= MIN_OCCURRENCES && values.size === 1 && findings[0]!.value !== undefined
  })
  return new Set(confirmed.map(([fact]) => fact))
}

/**
 * Returns kind and facts of an OCR document. A value is included only if an amount is written in digits and words
 * alike (checked by `findDocumentFacts`), or a number in Arabic digits occurs twice. Never dates or names.
 */
export function findOcrFacts(pages: readonly string[]): {
  readonly kind: DocumentKind
  readonly facts: DocumentFact[]
} {
  const kind = detectDocumentKind([...pages])
  const alike = findConfirmedFacts(pages)
  const facts = findDocumentFacts(pages, kind).map((fact): DocumentFact => {
    const { value, ...factWithoutValue } = fact
    const isSure =
      value &&
      (value.kind === 'amount' || (NUMBERS.has(value.kind) && alike.has(fact.fact) && !THAI_DIGIT.test(fact.sentence)))
    return isSure ? fact : { ...factWithoutValue, state: 'unsure' }
  })
  return { kind, facts }
}
