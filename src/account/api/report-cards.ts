import { useQuery } from '@tanstack/react-query'
import {
  type ReportCard,
  type ReportCardEntry,
  type ReportCardImport,
  reportCardImportSchema,
  reportCardSchema,
  reportCardsSchema,
} from '#contract/account/report-card.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { isDemoSession } from './demo.ts'
import { invalidateQualificationDependents, qualificationsQuery } from './qualifications.ts'

export const reportCardsQuery = apiQueryOptions('report-cards', {
  queryKey: ['report-cards'],
  schema: reportCardsSchema,
  select: ({ results }) => results,
  staleTime: 60_000,
})

/** Returns the organisation's report cards of contractors by tax id; empty while loading and in the demo. */
export function useReportCards(): ReadonlyMap<string, ReportCard> {
  const { data } = useQuery({ ...reportCardsQuery, enabled: !isDemoSession() })
  return new Map(data?.map((card) => [card.tax_id, card]))
}

/** The card of the organisation itself also changes its qualifications. */
const invalidateReportCards = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: reportCardsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: qualificationsQuery.queryKey }),
    invalidateQualificationDependents(),
  ])

export async function saveReportCard(taxId: string, json: ReportCardEntry): Promise<void> {
  await sendApiRequest(`report-cards/${encodeURIComponent(taxId)}`, { method: 'put', json, schema: reportCardSchema })
  await invalidateReportCards()
}

export async function deleteReportCard(taxId: string): Promise<void> {
  await sendApiRequest(`report-cards/${encodeURIComponent(taxId)}`, { method: 'delete' })
  await invalidateReportCards()
}

export async function importReportCards(file: File): Promise<ReportCardImport> {
  const result = await sendApiRequest('report-cards/file', {
    method: 'post',
    json: {
      file: btoa(Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte)).join('')),
    },
    schema: reportCardImportSchema,
  })
  await invalidateReportCards()
  return result
}
