import { ChevronDown, Database, FolderInput, Rss } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import type { DataSourceStatus } from '#contract/operation/sources.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { DataSourceActions } from './data-source-actions.tsx'
import {
  DATA_SOURCE_CONDITIONS,
  formatTimeSpan,
  getDataSourceCondition,
  getNightlyRunOutcomeLabel,
} from './data-source-condition.ts'
import { NightlyRunStrip } from './nightly-run-strip.tsx'
import { LabelledValueItem } from './operator-page-frame.tsx'

type DataSourceRowProps = { source: DataSourceStatus; nowMs: number; today: string }

export function DataSourceRow({ source, nowMs, today }: DataSourceRowProps) {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const condition = DATA_SOURCE_CONDITIONS[getDataSourceCondition(source, nowMs)]
  const Icon = source.coverage ? Rss : source.needs_contact ? Database : FolderInput
  const last = source.rounds[0]
  return (
    <li className="px-4 py-4 lg:px-5">
      <div className="grid grid-cols-2 gap-x-4 gap-y-4 md:grid-cols-3 xl:grid-cols-[13rem_minmax(0,1.4fr)_minmax(0,0.8fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.4fr)_9rem]">
        <div className="col-span-2 flex min-w-0 gap-3 md:col-span-3 xl:col-span-1">
          <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-control bg-surface-muted text-ink-muted">
            <Icon aria-hidden className="size-5" />
          </span>
          <div className="min-w-0">
            <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
              {source.label}
              <Badge tone={condition.tone}>{condition.th}</Badge>
            </h2>
            <p className="text-xs text-ink-muted wrap-anywhere">
              {source.contact === null
                ? source.needs_contact
                  ? 'ยังไม่มีอีเมลติดต่อ'
                  : source.address
                : `ติดต่อ ${source.contact}`}
            </p>
          </div>
        </div>
        <LabelledValueItem
          name="ดึงล่าสุด"
          value={source.last_run_at === null ? 'ยังไม่เคย' : formatThaiDateTime(source.last_run_at)}
        >
          {source.last_run_at !== null && `${formatTimeSpan(nowMs - Date.parse(source.last_run_at))} ที่แล้ว`}
        </LabelledValueItem>
        <LabelledValueItem name="ใหม่รอบล่าสุด" value={last ? formatCount(last.new_items) : '–'}>
          รวม {formatCount(source.came_in_all)} {source.coverage ? 'ประกาศ' : 'แถว'}
        </LabelledValueItem>
        {[coverageOf(source), failuresOf(source), nextRunOf(source, nowMs)].map((figure) => (
          <LabelledValueItem key={figure.name} {...figure} />
        ))}
        <div className="max-md:col-span-2">
          <NightlyRunStrip source={source} today={today} />
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <DataSourceActions source={source} />
        <Button
          size="sm"
          variant="quiet"
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={() => setOpen(!isOpen)}
          className="ml-auto"
        >
          รอบที่ผ่านมา
          <ChevronDown aria-hidden className={classNames('size-4 transition-transform', isOpen && 'rotate-180')} />
        </Button>
      </div>
      <div id={details} hidden={!isOpen} className="mt-3">
        {isOpen && <NightlyRunHistory source={source} />}
      </div>
    </li>
  )
}

type Figure = ComponentProps<typeof LabelledValueItem>

function coverageOf({ coverage, files }: DataSourceStatus): Figure {
  if (!coverage) {
    const readRows = files.reduce((sum, file) => sum + file.rows_read, 0)
    const importedRows = readRows - files.reduce((sum, file) => sum + file.rows_quarantined, 0)
    return {
      name: 'แถวที่อ่านได้',
      value: readRows === 0 ? '–' : `${formatCount(importedRows)} จาก ${formatCount(readRows)}`,
    }
  }
  const { reached, agencies } = coverage
  const share = agencies === 0 ? 0 : reached / agencies
  const children = (
    <>
      <span aria-hidden className="mt-1.5 mb-1 block h-1.5 overflow-hidden rounded-full bg-surface-muted">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
      {agencies > 0 && formatPercent(share)}
    </>
  )
  return { name: 'หน่วยงานใน 7 วัน', value: `${formatCount(reached)} จาก ${formatCount(agencies)}`, children }
}

function failuresOf({ coverage, rounds, files, failure, halted }: DataSourceStatus): Figure {
  const name = 'ไม่สำเร็จ'
  if (halted || failure !== null)
    return {
      name,
      value: halted ? 'ต้นทางปฏิเสธ' : 'ขัดข้อง',
      tone: 'text-urgent',
      children: halted?.reason ?? failure,
    }
  if (!coverage) {
    const failed = files.filter(({ state }) => state === 'failed').length
    return { name, value: `${formatCount(failed)} ไฟล์`, tone: failed > 0 ? 'text-urgent' : undefined }
  }
  const { timeouts = 0, refusals = 0 } = rounds[0] ?? {}
  const failed = timeouts + refusals
  if (failed === 0) return { name, value: '0' }
  const children = `ไม่ตอบ ${formatCount(timeouts)} · ขอให้หยุด ${formatCount(refusals)}`
  return { name, value: formatCount(failed), tone: 'text-updated', children }
}

function nextRunOf({ progress, next_run_at: nextRunAt }: DataSourceStatus, nowMs: number): Figure {
  if (progress)
    return {
      name: 'กำลังดึง',
      value: `${formatCount(progress.done)} จาก ${formatCount(progress.total)}`,
      children: progress.seconds_left !== null && `อีกราว ${formatTimeSpan(progress.seconds_left * 1000)}`,
    }
  if (nextRunAt === null) return { name: 'รอบถัดไป', value: '–' }
  const wait = Date.parse(nextRunAt) - nowMs
  const children = wait > 0 ? `อีก ${formatTimeSpan(wait)}` : 'ถึงเวลาแล้ว'
  return { name: 'รอบถัดไป', value: formatThaiDateTime(nextRunAt), children }
}

const FILE_STATES: Readonly<Record<string, string>> = {
  waiting: 'รอนำเข้า',
  fetched: 'รอนำเข้า',
  imported: 'นำเข้าแล้ว',
  known: 'เคยนำเข้าแล้ว',
  failed: 'นำเข้าไม่ได้',
}

type TableProps = { caption: string; heads: readonly string[]; rows: readonly (readonly string[])[] }

function Table({ caption, heads, rows }: TableProps) {
  return (
    <DataTable
      caption={caption}
      frame="overflow-x-auto rounded-control border border-line"
      rows={withReactKeys(rows, ([name = '']) => name)}
      getKey={({ key }) => key}
      columns={heads.map((head, index) => ({
        head,
        isNumeric: index > 1,
        className: 'whitespace-nowrap',
        cell: ({ item }: { item: readonly string[] }) => item[index],
      }))}
    />
  )
}

function NightlyRunHistory({ source: { label, rounds, files, coverage } }: { source: DataSourceStatus }) {
  if (files.length > 0)
    return (
      <Table
        caption={`ไฟล์ล่าสุดของ ${label}`}
        heads={['ไฟล์', 'ผล', 'อ่าน', 'อ่านไม่ได้', 'ใหม่', 'อัปเดต']}
        rows={files.map((file) => [
          `${file.name}${file.finished_at === null ? '' : ` · ${formatThaiDateTime(file.finished_at)}`}`,
          file.reason ?? FILE_STATES[file.state] ?? file.state,
          formatCount(file.rows_read),
          formatCount(file.rows_quarantined),
          formatCount(file.new_projects),
          formatCount(file.updated_projects),
        ])}
      />
    )
  if (rounds.length === 0) return <p className="text-ink-muted">ยังไม่มีรอบ เมื่อเปิดแล้วแต่ละรอบจะแสดงที่นี่</p>
  return (
    <Table
      caption={`รอบล่าสุดของ ${label}`}
      heads={[
        'คืนวันที่',
        'ผล',
        'คำขอ',
        'ใหม่',
        'เปลี่ยน',
        'ไม่ตอบ',
        'ขอให้หยุด',
        ...(coverage ? ['คำตอบเต็ม', 'ใช้เวลาของคืน'] : []),
      ]}
      rows={rounds.map((round) => [
        formatThaiDate(round.night),
        getNightlyRunOutcomeLabel(round),
        coverage ? `${formatCount(round.requests)} จาก ${formatCount(round.planned)}` : formatCount(round.requests),
        formatCount(round.new_items),
        formatCount(round.changed_items),
        formatCount(round.timeouts),
        formatCount(round.refusals),
        ...(coverage ? [formatCount(round.full_answers), formatPercent(round.share)] : []),
      ])}
    />
  )
}
