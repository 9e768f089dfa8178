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
import { invalidateAfter } from '#src/api/http/invalidate-after.ts'
import { isDemoSession } from './demo.ts'
import { QUERY_KEYS_DERIVED_FROM_QUALIFICATIONS, qualificationsQuery } from './qualifications.ts'

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
const withInvalidation = <Data>(request: Promise<Data>) =>
  invalidateAfter(
    request,
    reportCardsQuery.queryKey,
    qualificationsQuery.queryKey,
    ...QUERY_KEYS_DERIVED_FROM_QUALIFICATIONS,
  )
const pathOf = (taxId: string) => `report-cards/${encodeURIComponent(taxId)}`

export const saveReportCard = (taxId: string, json: ReportCardEntry) =>
  withInvalidation(sendApiRequest(pathOf(taxId), { method: 'put', json, schema: reportCardSchema }))

export const deleteReportCard = (taxId: string) => withInvalidation(sendApiRequest(pathOf(taxId), { method: 'delete' }))

export async function importReportCards(content: File): Promise<ReportCardImport> {
  const bytes = new Uint8Array(await content.arrayBuffer())
  const file = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const options = { method: 'post', json: { file }, schema: reportCardImportSchema } as const
  return withInvalidation(sendApiRequest('report-cards/file', options))
}
