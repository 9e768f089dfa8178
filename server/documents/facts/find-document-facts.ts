import type { DocumentFact, DocumentFactName, DocumentKind, FactValue } from '#contract/documents/document.ts'
import { DOCUMENT_KIND_FACTS } from './detect-document-kind.ts'
import { findNameFacts } from './find-name-facts.ts'
import { type FactRuleMatch, findValueFacts } from './find-value-facts.ts'
import { FoldedDocument } from './folded-document.ts'

const REPEATABLE_FACTS: ReadonlySet<DocumentFactName> = new Set(['certificate', 'phone', 'email'])
const NAME_FACTS: ReadonlySet<DocumentFactName> = new Set(['title', 'agency', 'method'])

const keyOf = (value: FactValue | undefined) => JSON.stringify(value)

function mergeFindings(
  folded: FoldedDocument,
  fact: DocumentFactName,
  findings: readonly FactRuleMatch[],
): DocumentFact[] {
  const make = ({ from, to, value }: FactRuleMatch): DocumentFact => ({
    fact,
    state: value ? 'clear' : 'unsure',
    ...(value && { value }),
    ...folded.quote(from, to),
  })
  if (REPEATABLE_FACTS.has(fact)) {
    const firstByValue = new Map<string, FactRuleMatch>()
    for (const finding of findings)
      if (!firstByValue.has(keyOf(finding.value))) firstByValue.set(keyOf(finding.value), finding)
    return [...firstByValue.values()].map(make)
  }
  // Only the first mention, in the heading, gives the full name; later mentions may abbreviate it.
  if (NAME_FACTS.has(fact)) return [make(findings[0]!)]
  const values = new Set(findings.map(({ value }) => keyOf(value)))
  if (values.size === 1) return [make(findings[0]!)]
  const { value: _, ...unsure } = findings.find(({ value }) => value === undefined) ?? findings[0]!
  return [make(unsure)]
}

const withoutValue = ({ value: _, ...fact }: DocumentFact): DocumentFact => ({ ...fact, state: 'unsure' })

/**
 * Marks facts that contradict each other as unsure: questions end before bids are submitted, and bids follow the
 * announcement.
 */
function crossCheck(facts: readonly DocumentFact[]): DocumentFact[] {
  const stated = (name: DocumentFactName) => facts.find(({ fact }) => fact === name)?.value
  const window = stated('bid_window')
  const announced = stated('announced')
  const bidDay = window?.kind === 'window' ? window.from.slice(0, 10) : undefined
  const from = announced?.kind === 'date' ? announced.date : undefined
  const price = stated('reference_price') ?? stated('budget')
  const maxAmount = price?.kind === 'amount' ? price.baht : Number.POSITIVE_INFINITY
  return facts.map((fact) => {
    const { value } = fact
    if (fact.fact === 'bid_window' && bidDay && from && bidDay <= from) return withoutValue(fact)
    if (fact.fact === 'question_deadline' && value?.kind === 'date' && bidDay && value.date >= bidDay)
      return withoutValue(fact)
    const isPart = fact.fact === 'past_work' || fact.fact === 'bid_bond'
    return isPart && value?.kind === 'amount' && value.baht > maxAmount ? withoutValue(fact) : fact
  })
}

/**
 * Extracts the facts of a document with their sentence and page, in document order. Linear time; never throws, whatever
 * the text. Returns none for kind `other`.
 */
export function findDocumentFacts(pages: readonly string[], kind: DocumentKind): DocumentFact[] {
  const expectedFacts = DOCUMENT_KIND_FACTS[kind]
  if (expectedFacts.size === 0) return []
  const folded = new FoldedDocument(pages)
  const heading = kind === 'tor' || kind === 'bidding-document' ? kind : 'announcement'
  const findingsByFact = Map.groupBy([...findNameFacts(folded, heading), ...findValueFacts(folded)], ({ fact }) => fact)
  const facts = [...findingsByFact].flatMap(([fact, findings]) => {
    if (!expectedFacts.has(fact)) return []
    return mergeFindings(
      folded,
      fact,
      findings.toSorted((a, b) => a.from - b.from),
    )
  })
  return crossCheck(facts).sort((a, b) => a.page - b.page || a.offset - b.offset)
}
