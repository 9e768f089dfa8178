import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Lock, Printer, RotateCw } from 'lucide-react'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import type { User } from '#contract/account/user.ts'
import { type ColumnLayout, mergeColumnSettings } from '#contract/catalogue/column.ts'
import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import {
  BACKGROUND_EXPORT_THRESHOLD_ROWS,
  EXPORT_FORMATS,
  EXPORT_RETENTION_HOURS,
  type ExportFormat,
  type ExportRequest,
  MAX_EXPORT_ROWS,
  type ReportExport,
} from '#contract/report/report-export.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { pickReportListSearch } from '#src/lib/report-url.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { pickSearch } from '#src/lib/typed-search.ts'
import {
  cancelReportExport,
  isReportExportInProgress,
  reportExportsQuery,
  startReportExport,
} from '#src/report/api/report-exports.ts'
import { getReportColumnTitle } from '#src/report/columns/column-layout-edits.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'
import { ProgressBar } from '#src/ui/progress-bar.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { closeReportExportPanel, type ReportExportSource } from './export-panel.tsx'
import {
  downloadFinishedReportExport,
  getTrackedReportExportRequest,
  trackReportExport,
} from './track-report-export.ts'

/** Maximum ids that one URL parameter accepts (contract/report/report-params.ts). */
const MAX_SELECTED_IDS = 200

export function getVisibleReportExportColumns({
  customize_report_table: settings,
}: Pick<User, 'customize_report_table'>): ReportColumnField[] {
  const { order, hidden, pinned }: ColumnLayout = mergeColumnSettings(settings)
  const columns = order.filter((field) => !hidden.has(field))
  const ordered = [...columns.filter((field) => pinned.has(field)), ...columns.filter((field) => !pinned.has(field))]
  return hidden.has('project_id')
    ? ordered.flatMap((field) => (field === 'name' ? ['project_id', field] : [field]))
    : ordered
}

/** Returns the selected projects if their ids fit in one URL, otherwise everything the filters match. */
export function selectReportExportScope(
  { search, total }: ReportExportSource,
  selected: readonly string[] | undefined,
) {
  if (selected === undefined || selected.length > MAX_SELECTED_IDS) {
    const query = formatReportSearch(pickReportListSearch(search))
    return { query, count: Math.min(total, MAX_EXPORT_ROWS), isCut: total > MAX_EXPORT_ROWS }
  }
  const { ordering, is_archived, project_hidden } = search
  const query = formatReportSearch(
    pickSearch<ReportSearch>({
      ordering,
      is_archived: is_archived || undefined,
      project_hidden: project_hidden || undefined,
      project_id__in: selected,
    }),
  )
  return { query, count: selected.length, isCut: false }
}

const NOTES: Readonly<Record<ExportFormat, string>> = {
  xlsx: 'วันที่เป็น พ.ศ. จำนวนเงินรวมยอดได้ มีแผ่นบอกตัวกรองที่ใช้',
  csv: 'สำหรับนำเข้าโปรแกรมอื่น วันที่เป็น ค.ศ. เช่น 2026-11-21',
}

type ReportExportProps = { source: ReportExportSource; selected: readonly string[] | undefined }

function ExportForm({ source, selected }: ReportExportProps) {
  const { register, handleSubmit } = useForm<{ format: ExportFormat }>({ defaultValues: { format: 'xlsx' } })
  // The idempotency key lets a retry of an unanswered request return the same file.
  const key = useRef<{ readonly of: string; readonly key: string }>(undefined)
  const scope = selectReportExportScope(source, selected)
  const columns = getVisibleReportExportColumns(source.user)
  const isTooMany = selected !== undefined && selected.length > MAX_SELECTED_IDS
  const isLarge = scope.count > BACKGROUND_EXPORT_THRESHOLD_ROWS

  const start = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const request = { format, query: { ...scope.query }, columns }
      const of = JSON.stringify(request)
      if (key.current?.of !== of) key.current = { of, key: crypto.randomUUID() }
      const newExport = await startReportExport(request, key.current.key)
      key.current = undefined
      trackReportExport(newExport, request)
      return scope.count
    },
  })
  const submit = handleSubmit(({ format }) => {
    if (!start.isPending) start.mutate(format)
  })

  return (
    <form noValidate onSubmit={submit} className="space-y-4 p-4">
      <div>
        <p>
          <b className="font-semibold tabular-nums">{formatCount(scope.count)}</b> โครงการ
          {selected === undefined || isTooMany ? ' ทุกหน้าของผลลัพธ์ตามตัวกรองตอนนี้' : ' ที่เลือกไว้'}
        </p>
        <p className="text-ink-muted">
          <span className="tabular-nums">{columns.length}</span> คอลัมน์ตามที่เห็นในตาราง{' '}
          <span className="line-clamp-2 text-sm text-ink-faint" title={columns.map(getReportColumnTitle).join(', ')}>
            {columns.map(getReportColumnTitle).join(', ')}
          </span>
        </p>
        {isTooMany && (
          <p className="mt-1 text-updated">
            เลือกไว้ {formatCount(selected.length)} โครงการ แต่ส่งออกเฉพาะที่เลือกได้ครั้งละไม่เกิน {MAX_SELECTED_IDS}{' '}
            ไฟล์นี้จึงเป็นทั้งผลลัพธ์
          </p>
        )}
        {scope.isCut && (
          <p className="mt-1 text-updated">
            ผลลัพธ์มี {formatCount(source.total)} โครงการ ไฟล์หนึ่งใส่ได้ {formatCount(scope.count)} โครงการแรก
          </p>
        )}
      </div>
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">รูปแบบไฟล์</legend>
        {EXPORT_FORMATS.map(({ code, th }) => (
          <label
            key={code}
            className="flex cursor-pointer items-start gap-2 rounded-control border border-line px-3 py-2.5 has-checked:border-accent-line has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              {...register('format')}
              type="radio"
              value={code}
              className="mt-1 size-4 shrink-0 accent-accent outline-none"
            />
            <span>
              <span className="block font-medium">{th}</span>
              <span className="block text-sm text-ink-muted">{NOTES[code]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {start.error && <ErrorNotice title="เริ่มส่งออกไม่สำเร็จ" error={start.error} onRetry={() => void submit()} />}
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
        <p className="mr-auto min-w-0 flex-1 basis-56 text-sm text-ink-muted">
          {scope.count === 0
            ? 'ไม่มีโครงการให้ส่งออก'
            : isLarge
              ? 'ไฟล์ใหญ่ ทำต่อให้เบื้องหลัง ปิดหน้าต่างนี้ได้ จะแจ้งเตือนเมื่อเสร็จ'
              : 'ไฟล์จะดาวน์โหลดเองเมื่อเสร็จ ปิดหน้าต่างนี้ได้'}
        </p>
        {selected === undefined && <PrintButton />}
        <Button
          type="submit"
          variant="primary"
          icon={Download}
          pending={start.isPending}
          disabled={scope.count === 0}
          data-autofocus
        >
          ส่งออก {formatCount(scope.count)} โครงการ
        </Button>
        <VisuallyHidden live>
          {start.data === undefined ? '' : `เริ่มส่งออก ${formatCount(start.data)} โครงการ`}
        </VisuallyHidden>
      </div>
    </form>
  )
}

function PrintButton() {
  return (
    <Button variant="quiet" icon={Printer} onClick={() => window.print()}>
      พิมพ์ / PDF หน้านี้
    </Button>
  )
}

export function ReportExportDialog(props: ReportExportProps) {
  return (
    <Modal open onClose={closeReportExportPanel} title="ส่งออกรายงาน" className="sm:max-w-[560px]!">
      {isDemoSession() ? (
        <EmptyState
          icon={Lock}
          title="โหมดทดลองใช้งานส่งออกไฟล์ไม่ได้"
          actions={
            <>
              <PrintButton />
              <Button onClick={closeReportExportPanel}>ปิด</Button>
            </>
          }
        >
          ข้อมูลตัวอย่างใช้ร่วมกันหลายคน บัญชีขององค์กรคุณส่งออกเป็น Excel และ CSV ได้
        </EmptyState>
      ) : (
        <>
          <ExportForm {...props} />
          <ReportExportList />
        </>
      )}
    </Modal>
  )
}

function ReportExportList() {
  const exports = useQuery(reportExportsQuery)
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
      {(list) => (
        <section aria-label="ไฟล์ที่ส่งออกไว้" className="border-t border-line px-4 pt-3 pb-4">
          <h3 className="text-sm font-medium text-ink-muted">ไฟล์ที่ส่งออกไว้ เก็บให้ {EXPORT_RETENTION_HOURS} ชั่วโมง</h3>
          <VisuallyHidden live>
            {isReportExportInProgress(list[0]!) ? '' : `${list[0]!.file_name} ${STATE_LABELS[list[0]!.state]}`}
          </VisuallyHidden>
          <ul className="divide-y divide-line">
            {list.map((reportExport) => (
              <ExportItem key={reportExport.id} reportExport={reportExport} />
            ))}
          </ul>
        </section>
      )}
    </QueryView>
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
    onSuccess: trackReportExport,
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
