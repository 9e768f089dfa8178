import { useQuery } from '@tanstack/react-query'
import { collectDeadlineDocumentFacts } from '#contract/report/deadline-document-facts.ts'
import type { DeadlineFacts } from '#contract/report/deadlines.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { getDraftCommentDay } from '#contract/team/draft-comment.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { projectDocumentsQuery } from '#src/documents/api/documents.ts'
import { pursuitQuery } from '#src/team/api/pursuits.ts'

export function useDeadlineFacts(detail: ProjectDetail): ProjectDetail['row'] & DeadlineFacts {
  const { row, contracts, contract_signed_date } = detail
  const pursuit = useQuery({ ...useOptimisticQueryOptions(pursuitQuery(row.project_id)), enabled: !isDemoSession() })
  const documents = useQuery(projectDocumentsQuery(row.project_id))
  const signedDates = contracts.flatMap(({ signed_date }) => signed_date ?? []).toSorted()
  return {
    ...row,
    decision: pursuit.data?.pursuit?.decision ?? null,
    draft_commented_on: pursuit.data && getDraftCommentDay(pursuit.data.draft_comments),
    contract_signed_date: contract_signed_date ?? signedDates[0],
    contract_ends: contracts.flatMap(({ end_date }) => end_date ?? []),
    document_facts: documents.data && collectDeadlineDocumentFacts(documents.data),
  }
}
