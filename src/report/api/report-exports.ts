import {
  type ExportRequest,
  type ReportExport,
  reportExportListSchema,
  reportExportSchema,
} from '#contract/report/report-export.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { downloadFile } from '#src/api/http/file-download.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const addressOf = (id: string) => `projects/exports/${encodeURIComponent(id)}`
const POLL_INTERVAL_MS = 700

export const isReportExportInProgress = ({ state }: Pick<ReportExport, 'state'>) =>
  state === 'waiting' || state === 'running'

export const reportExportsQuery = apiQueryOptions('projects/exports', {
  queryKey: ['exports'],
  schema: reportExportListSchema,
  select: ({ exports }) => exports,
  refetchInterval: ({ state }) => (state.data?.exports.some(isReportExportInProgress) ? POLL_INTERVAL_MS : false),
  staleTime: 0,
})

function storeExport(reportExport: ReportExport): void {
  queryClient.setQueryData(reportExportsQuery.queryKey, (list) => {
    const exports = list?.exports ?? []
    return {
      exports: exports.some(({ id }) => id === reportExport.id)
        ? exports.map((existing) => (existing.id === reportExport.id ? reportExport : existing))
        : [reportExport, ...exports],
    }
  })
}

/** Starts an export. A repeated call with the same idempotency key returns the same file. */
export async function startReportExport(exportRequest: ExportRequest, idempotencyKey: string): Promise<ReportExport> {
  const newExport = await sendApiRequest('projects/exports', {
    method: 'post',
    json: exportRequest,
    idempotencyKey,
    schema: reportExportSchema,
  })
  // Cancel pending reads of the list, whose responses would lack the new export.
  await queryClient.cancelQueries({ queryKey: reportExportsQuery.queryKey })
  storeExport(newExport)
  void queryClient.invalidateQueries({ queryKey: reportExportsQuery.queryKey })
  return newExport
}

export async function cancelReportExport(id: string): Promise<ReportExport> {
  const cancelled = await sendApiRequest(`${addressOf(id)}/cancel`, { method: 'post', schema: reportExportSchema })
  storeExport(cancelled)
  return cancelled
}

/** Throws ProblemError 404 if the file has expired (after a day) or does not exist yet. */
export async function downloadReportExport(id: string): Promise<void> {
  const { file_name: name } = await sendApiRequest(addressOf(id), { schema: reportExportSchema })
  await downloadFile({ path: `${addressOf(id)}/file`, name })
}
