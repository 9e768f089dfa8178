import type { ExportRequest, ReportExport } from '#contract/report/report-export.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { downloadReportExport, isReportExportInProgress, reportExportsQuery } from '#src/report/api/report-exports.ts'
import { showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

const POLL_INTERVAL_MS = 1_000
/** Maximum consecutive failures (one minute) before polling stops; the export list then shows the result. */
const MAX_FAILURES = 60

/** Export requests made in this tab, for retries: the server stores the file but not the request. */
const requests = new Map<string, ExportRequest>()

export function getTrackedReportExportRequest(id: string): ExportRequest | undefined {
  return requests.get(id)
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Follows an export of this tab across screens. A small file is downloaded automatically; a large one is offered in a
 * toast (and in the bell).
 */
export async function trackReportExport(newExport: ReportExport, request: ExportRequest): Promise<void> {
  requests.set(newExport.id, request)
  let latest: ReportExport | undefined = newExport
  let failures = 0
  while (latest && isReportExportInProgress(latest)) {
    await sleep(POLL_INTERVAL_MS)
    try {
      const list = await queryClient.query({ ...reportExportsQuery, retry: false })
      // `latest` is undefined if the export was removed or the session belongs to another user.
      latest = list.find(({ id }) => id === newExport.id)
      failures = 0
    } catch {
      failures += 1
      if (failures > MAX_FAILURES) return
    }
  }
  if (latest?.state === 'done') await offerDownload(latest)
  if (latest?.state === 'failed')
    showToast({ tone: 'error', text: `ส่งออกไม่สำเร็จ ${latest.file_name} เปิด “ส่งออก” เพื่อลองใหม่` })
}

async function offerDownload(finishedExport: ReportExport): Promise<void> {
  const save = () => void downloadFinishedReportExport(finishedExport)
  if (!finishedExport.in_background) return downloadFinishedReportExport(finishedExport)
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
