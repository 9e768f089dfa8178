import type { DataSourceStatus } from '#contract/operation/sources.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { DataTable } from '#src/ui/data-table.tsx'
import { getNightlyRunOutcomeLabel } from './data-source-condition.ts'

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

export function NightlyRunHistory({ source: { label, rounds, files, coverage } }: { source: DataSourceStatus }) {
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
