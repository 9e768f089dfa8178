import type { DocumentFact, DocumentKind, FactName, FactValue } from '#contract/documents/document.ts'
import { FoldedText } from './folded-text.ts'
import { FACTS_OF_KIND } from './kind.ts'
import { findNames } from './name-rules.ts'
import { type Finding, findValues } from './value-rules.ts'

/** Facts that may occur several times; for all others, different values contradict each other. */
const MANY: ReadonlySet<FactName> = new Set(['certificate', 'phone', 'email'])
const NAMES: ReadonlySet<FactName> = new Set(['title', 'agency', 'method'])

const keyOf = (value: FactValue | undefined) => JSON.stringify(value)

/** Merges all findings of one fact: clear if every readable one agrees, otherwise unsure. */
function settle(folded: FoldedText, fact: FactName, found: readonly Finding[]): DocumentFact[] {
  const make = ({ from, to, value }: Finding): DocumentFact => ({
    fact,
    state: value ? 'clear' : 'unsure',
    ...(value && { value }),
    ...folded.quote(from, to),
  })
  if (MANY.has(fact)) {
    const first = new Map<string, Finding>()
    for (const one of found) if (!first.has(keyOf(one.value))) first.set(keyOf(one.value), one)
    return [...first.values()].map(make)
  }
  // The heading gives the full name; later mentions may abbreviate it.
  if (NAMES.has(fact)) return [make(found[0]!)]
  const values = new Set(found.map(({ value }) => keyOf(value)))
  if (values.size === 1) return [make(found[0]!)]
  const { value: _, ...unsure } = found.find(({ value }) => value === undefined) ?? found[0]!
  return [make(unsure)]
}

const withoutValue = ({ value: _, ...fact }: DocumentFact): DocumentFact => ({ ...fact, state: 'unsure' })

/**
 * Clears facts that contradict each other: questions end before bids are submitted, and bids follow the announcement.
 */
function crossCheck(facts: readonly DocumentFact[]): DocumentFact[] {
  const stated = (name: FactName) => facts.find(({ fact }) => fact === name)?.value
  const window = stated('bid_window')
  const announced = stated('announced')
  const bidDay = window?.kind === 'window' ? window.from.slice(0, 10) : undefined
  const from = announced?.kind === 'date' ? announced.date : undefined
  const price = stated('reference_price') ?? stated('budget')
  const most = price?.kind === 'amount' ? price.baht : Number.POSITIVE_INFINITY
  return facts.map((fact) => {
    const { value } = fact
    if (fact.fact === 'bid_window' && bidDay && from && bidDay <= from) return withoutValue(fact)
    if (fact.fact === 'question_deadline' && value?.kind === 'date' && bidDay && value.date >= bidDay)
      return withoutValue(fact)
    const isPart = fact.fact === 'past_work' || fact.fact === 'bid_bond'
    return isPart && value?.kind === 'amount' && value.baht > most ? withoutValue(fact) : fact
  })
}

/**
 * Extracts the facts of a document with sentence and page, in document order. Linear time; never throws, whatever the
 * text. Kind `other` yields none.
 */
export function findFacts(pages: readonly string[], kind: DocumentKind): DocumentFact[] {
  const wanted = FACTS_OF_KIND[kind]
  if (wanted.size === 0) return []
  const folded = new FoldedText(pages)
  const heading = kind === 'tor' || kind === 'bidding-document' ? kind : 'announcement'
  const found = Map.groupBy([...findNames(folded, heading), ...findValues(folded)], ({ fact }) => fact)
  const facts = [...found].flatMap(([fact, places]) => {
    if (!wanted.has(fact)) return []
    return settle(
      folded,
      fact,
      places.toSorted((a, b) => a.from - b.from),
    )
  })
  return crossCheck(facts).sort((a, b) => a.page - b.page || a.offset - b.offset)
}
