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
/** Somebody watches the bar move. */
const LOOK_AGAIN_MS = 700

/** Whether an export is still being made. */
export const isUnderWay = ({ state }: Pick<ReportExport, 'state'>) => state === 'waiting' || state === 'running'

/** The user's own exports of the last day, the newest first; asked again while one of them is being made. */
export const reportExportsQuery = queryOptions({
  queryKey: exportKeys.list,
  queryFn: async ({ signal }) =>
    (await request('projects/exports', { schema: reportExportListSchema, signal })).exports,
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_AGAIN_MS : false),
  staleTime: 0,
})

/** Puts what an answer says of one export into the list. */
function storeExport(answer: ReportExport): void {
  queryClient.setQueryData(reportExportsQuery.queryKey, (list) =>
    list?.some(({ id }) => id === answer.id)
      ? list.map((known) => (known.id === answer.id ? answer : known))
      : [answer, ...(list ?? [])],
  )
}

/** Asks for a file. The same key asks for the same file, however often it is sent. */
export async function startExport(asked: ExportRequest, idempotencyKey: string): Promise<ReportExport> {
  const started = await request('projects/exports', {
    method: 'post',
    json: asked,
    idempotencyKey,
    schema: reportExportSchema,
  })
  // A list that was asked for before would not know it.
  await queryClient.cancelQueries({ queryKey: exportKeys.list })
  storeExport(started)
  void queryClient.invalidateQueries({ queryKey: exportKeys.list })
  return started
}

/** Ends an export that is under way. */
export async function cancelExport(id: string): Promise<ReportExport> {
  const cancelled = await request(`${addressOf(id)}/cancel`, { method: 'post', schema: reportExportSchema })
  storeExport(cancelled)
  return cancelled
}

/**
 * Fetches the file of a finished export and gives it to the browser to save. Throws ProblemError 404 when the file is gone (after a day) or
 * not there yet, NetworkError when no answer came.
 */
export async function downloadExport(id: string): Promise<void> {
  // Asked first: it knows the name, and a session that has ended is noticed as with every other call.
  const { file_name: name } = await request(addressOf(id), { schema: reportExportSchema })
  await downloadFile({ path: `${addressOf(id)}/file`, name })
}
