import { queryOptions } from '@tanstack/react-query'
import {
  type ExportRequest,
  type ReportExport,
  reportExportListSchema,
  reportExportSchema,
} from '#contract/report/report-export.ts'
import { request } from '#src/api/http/client.ts'
import { downloadFile } from '#src/api/http/file-download.ts'
import { exportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const addressOf = (id: string) => `projects/exports/${encodeURIComponent(id)}`
/** Poll interval, for a moving progress bar. */
const LOOK_AGAIN_MS = 700

export const isUnderWay = ({ state }: Pick<ReportExport, 'state'>) => state === 'waiting' || state === 'running'

/** The user's exports of the last day, newest first; polled while one is in progress. */
export const reportExportsQuery = queryOptions({
  queryKey: exportKeys.list,
  queryFn: async ({ signal }) =>
    (await request('projects/exports', { schema: reportExportListSchema, signal })).exports,
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_AGAIN_MS : false),
  staleTime: 0,
})

function storeExport(answer: ReportExport): void {
  queryClient.setQueryData(reportExportsQuery.queryKey, (list) =>
    list?.some(({ id }) => id === answer.id)
      ? list.map((known) => (known.id === answer.id ? answer : known))
      : [answer, ...(list ?? [])],
  )
}

/** Requests an export. Repeating the idempotency key returns the same file. */
export async function startExport(asked: ExportRequest, idempotencyKey: string): Promise<ReportExport> {
  const started = await request('projects/exports', {
    method: 'post',
    json: asked,
    idempotencyKey,
    schema: reportExportSchema,
  })
  // A list requested earlier would lack the new export.
  await queryClient.cancelQueries({ queryKey: exportKeys.list })
  storeExport(started)
  void queryClient.invalidateQueries({ queryKey: exportKeys.list })
  return started
}

export async function cancelExport(id: string): Promise<ReportExport> {
  const cancelled = await request(`${addressOf(id)}/cancel`, { method: 'post', schema: reportExportSchema })
  storeExport(cancelled)
  return cancelled
}

/**
 * Downloads a finished export. Throws ProblemError 404 when the file has expired (after a day) or does not exist yet,
 * NetworkError without a response.
 */
export async function downloadExport(id: string): Promise<void> {
  // Fetched first for the file name, and to detect an expired session as any other call does.
  const { file_name: name } = await request(addressOf(id), { schema: reportExportSchema })
  await downloadFile({ path: `${addressOf(id)}/file`, name })
}
