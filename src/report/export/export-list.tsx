import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, RotateCw } from 'lucide-react'
import { EXPORT_RETENTION_HOURS, type ExportRequest, type ReportExport } from '#contract/report/report-export.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import {
  cancelReportExport,
  isReportExportInProgress,
  reportExportsQuery,
  startReportExport,
} from '#src/report/api/report-exports.ts'
import { Button } from '#src/ui/button.tsx'
import { showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'
import { ProgressBar } from '#src/ui/progress-bar.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import {
  downloadFinishedReportExport,
  getTrackedReportExportRequest,
  trackReportExport,
} from './track-report-export.ts'

export function ReportExportList({ isOpen }: { isOpen: boolean }) {
  const exports = useQuery({ ...reportExportsQuery, enabled: isOpen })
  return (
    <QueryView
      query={exports}
      task="โหลดไฟล์ที่ส่งออกไว้"
      errorClassName="m-4 mt-0"
      isEmpty={(list) => list.length === 0}
      empty={
        <p className="border-t border-line px-4 py-3 text-sm text-ink-muted">
          ไฟล์ที่ส่งออกจะอยู่ที่นี่ ดาวน์โหลดซ้ำได้ {EXPORT_RETENTION_HOURS} ชั่วโมง
        </p>
      }
    >
      {(list) => <ExportItems exports={list} />}
    </QueryView>
  )
}

function ExportItems({ exports }: { exports: readonly ReportExport[] }) {
  const latest = exports[0]!
  return (
    <section aria-label="ไฟล์ที่ส่งออกไว้" className="border-t border-line px-4 pt-3 pb-4">
      <h3 className="text-sm font-medium text-ink-muted">ไฟล์ที่ส่งออกไว้ เก็บให้ {EXPORT_RETENTION_HOURS} ชั่วโมง</h3>
      <VisuallyHidden live>
        {isReportExportInProgress(latest) ? '' : `${latest.file_name} ${STATE_LABELS[latest.state]}`}
      </VisuallyHidden>
      <ul className="divide-y divide-line">
        {exports.map((reportExport) => (
          <ExportItem key={reportExport.id} reportExport={reportExport} />
        ))}
      </ul>
    </section>
  )
}

const STATE_LABELS: Readonly<Record<ReportExport['state'], string>> = {
  waiting: 'รอคิว',
  running: 'กำลังส่งออก',
  done: 'พร้อมแล้ว',
  failed: 'ส่งออกไม่สำเร็จ',
  cancelled: 'ยกเลิกแล้ว',
}

const megabytes = (bytes: number) =>
  bytes < 100_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

function ExportItem({ reportExport }: { reportExport: ReportExport }) {
  const isOn = isReportExportInProgress(reportExport)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 basis-52">
        <p className={reportExport.state === 'cancelled' ? 'truncate text-ink-muted' : 'truncate font-medium'}>
          {reportExport.file_name}
        </p>
        <p className="text-sm text-ink-muted">
          <span className={reportExport.state === 'failed' ? 'text-urgent' : undefined}>{detailOf(reportExport)}</span>{' '}
          · <span className="whitespace-nowrap">{formatThaiDateTime(reportExport.requested_at)}</span>
        </p>
        {isOn && (
          <ProgressBar
            label="ส่งออกแล้ว"
            value={reportExport.total ? reportExport.done : undefined}
            max={reportExport.total ?? 1}
            valueText={reportExport.total === null ? undefined : detailOf(reportExport)}
            className="mt-1.5 w-full"
          />
        )}
      </div>
      {isOn && <CancelButton reportExport={reportExport} />}
      {reportExport.state === 'done' && (
        <Button
          size="sm"
          icon={Download}
          of={`${reportExport.file_name} ${formatThaiDateTime(reportExport.requested_at)}`}
          onClick={() => void downloadFinishedReportExport(reportExport)}
        >
          ดาวน์โหลด
        </Button>
      )}
      {reportExport.state === 'failed' && <RetryButton reportExport={reportExport} />}
    </li>
  )
}

function detailOf({ state, done, total, found: foundCount, bytes }: ReportExport): string {
  if (state === 'running' && total !== null) return `${formatCount(done)} จาก ${formatCount(total)} โครงการ`
  if (state !== 'done') return STATE_LABELS[state]
  const cut = foundCount !== null && foundCount > done ? ` จาก ${formatCount(foundCount)}` : ''
  return `${formatCount(done)}${cut} โครงการ ${megabytes(bytes ?? 0)}`
}

function CancelButton({ reportExport }: { reportExport: ReportExport }) {
  const cancel = useMutation({
    mutationFn: () => cancelReportExport(reportExport.id),
    onError: (error) => showFailureToast('ยกเลิกไม่สำเร็จ', error, () => cancel.mutate()),
  })
  return (
    <Button size="sm" pending={cancel.isPending} of={reportExport.file_name} onClick={() => cancel.mutate()}>
      ยกเลิก
    </Button>
  )
}

function RetryButton({ reportExport }: { reportExport: ReportExport }) {
  const { mutate, isPending } = useMutation({
    mutationFn: (exportRequest: ExportRequest) => startReportExport(exportRequest, crypto.randomUUID()),
    onSuccess: (newExport, exportRequest) => void trackReportExport(newExport, exportRequest),
    onError: (error) => showFailureToast('เริ่มส่งออกไม่สำเร็จ', error),
  })
  const request = getTrackedReportExportRequest(reportExport.id)
  if (!request) return null
  return (
    <Button size="sm" icon={RotateCw} pending={isPending} onClick={() => mutate(request)}>
      ลองใหม่
    </Button>
  )
}
