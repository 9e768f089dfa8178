import { type DocumentFact, FACT_NAMES } from '#contract/document/document.ts'
import type { ChangedFact } from '#contract/document/document-comparison.ts'

/** Names are read from headings, where a line more or less is no change of the tender; who is called differs from paper to paper. */
const LEFT_OUT: ReadonlySet<string> = new Set(['title', 'agency', 'phone', 'email', 'document_number', 'announced'])

/** A fact of which a document says one thing for certain. One that stands more than once is none. */
function stated(facts: readonly DocumentFact[], name: DocumentFact['fact']): ChangedFact['before'] | undefined {
  const [fact, more] = facts.filter((one) => one.fact === name)
  if (more || fact?.state !== 'clear' || fact.value === undefined) return undefined
  return { value: fact.value, page: fact.page, sentence: fact.sentence }
}

/** Facts that both documents state clearly, and not alike, in the order of the facts. What only one of them states is told by its clause alone: a reading may have missed it. */
export function compareFacts(before: readonly DocumentFact[], after: readonly DocumentFact[]): ChangedFact[] {
  return FACT_NAMES.flatMap((fact) => {
    const [was, is] = [stated(before, fact), stated(after, fact)]
    if (LEFT_OUT.has(fact) || !was || !is || JSON.stringify(was.value) === JSON.stringify(is.value)) return []
    return [{ fact, before: was, after: is }]
  })
}
