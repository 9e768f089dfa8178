import { QueryObserver } from '@tanstack/react-query'
import type { ExportRequest, ReportExport } from '#contract/report/report-export.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { downloadReportExport, isReportExportInProgress, reportExportsQuery } from '#src/report/api/report-exports.ts'
import { showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

/** Maximum failed polls, about a minute, before polling stops; the export list then shows the result. */
const MAX_FAILURES = 60

/** Export requests made in this tab, for retries: the server stores the file but not the request. */
const requests = new Map<string, ExportRequest>()

export function getTrackedReportExportRequest(id: string): ExportRequest | undefined {
  return requests.get(id)
}

/** Downloads a small file when it is finished, on whatever screen; offers a large one in a toast (and in the bell). */
export function trackReportExport({ id }: ReportExport, request: ExportRequest): void {
  requests.set(id, request)
  const observer = new QueryObserver(queryClient, { ...reportExportsQuery, refetchIntervalInBackground: true })
  const { errorUpdateCount: earlierFailures } = observer.getCurrentResult()
  const stop = observer.subscribe(({ data, isFetching, errorUpdateCount }) => {
    if (errorUpdateCount - earlierFailures > MAX_FAILURES) return stop()
    const latest = data?.find((listed) => listed.id === id)
    // The export is missing if it was removed or the session belongs to another user.
    if (isFetching || !data || (latest && isReportExportInProgress(latest))) return
    stop()
    if (latest?.state === 'done') offerDownload(latest)
    if (latest?.state === 'failed')
      showToast({ tone: 'error', text: `ส่งออกไม่สำเร็จ ${latest.file_name} เปิด “ส่งออก” เพื่อลองใหม่` })
  })
}

function offerDownload(finishedExport: ReportExport): void {
  const save = () => void downloadFinishedReportExport(finishedExport)
  if (!finishedExport.in_background) save()
  else
    showToast({
      tone: 'done',
      text: `ไฟล์ ${finishedExport.file_name} พร้อมแล้ว ${formatCount(finishedExport.done)} โครงการ`,
      action: { label: 'ดาวน์โหลด', run: save },
    })
}

export async function downloadFinishedReportExport(
  finishedExport: Pick<ReportExport, 'id' | 'file_name'>,
): Promise<void> {
  try {
    await downloadReportExport(finishedExport.id)
  } catch (error) {
    const retry = () => void downloadFinishedReportExport(finishedExport)
    showFailureToast(`ดาวน์โหลด ${finishedExport.file_name} ไม่สำเร็จ`, error, retry)
  }
}
