import type { DocumentFact, FactValue } from '../documents/document.ts'
import type { ProjectDocument } from '../documents/project-document.ts'
import type { DeadlineDocumentFacts } from './deadlines.ts'

type StatedDocument = Pick<ProjectDocument, 'id' | 'kind' | 'facts'>

/**
 * Returns what documents clearly state about dates. A fact that two documents state differently is dropped, and drafts
 * are ignored, because their dates are blank or planned.
 */
export function collectDeadlineDocumentFacts(documents: readonly StatedDocument[]): DeadlineDocumentFacts {
  const question = findAgreedFact(documents, 'question_deadline', 'date')
  const fee = findAgreedFact(documents, 'document_fee', 'amount')
  const warranty = findAgreedFact(documents, 'warranty', 'duration')
  return {
    ...(question && { question_deadline: { day: question.value.date, source: question.source } }),
    ...(fee && { document_fee: fee.value.baht }),
    ...(warranty && { warranty: { count: warranty.value.count, unit: warranty.value.unit } }),
  }
}

function findAgreedFact<Kind extends FactValue['kind']>(
  documents: readonly StatedDocument[],
  name: DocumentFact['fact'],
  kind: Kind,
): { readonly value: Extract<FactValue, { kind: Kind }>; readonly source: { id: string; page: number } } | undefined {
  const stated = documents.flatMap((document) =>
    document.kind === 'draft'
      ? []
      : document.facts.flatMap(({ fact, state, value, page }) =>
          fact === name && state === 'clear' && value?.kind === kind
            ? [{ value: value as Extract<FactValue, { kind: Kind }>, source: { id: document.id, page } }]
            : [],
        ),
  )
  const values = new Set(stated.map(({ value }) => JSON.stringify(value)))
  return values.size === 1 ? stated[0] : undefined
}
