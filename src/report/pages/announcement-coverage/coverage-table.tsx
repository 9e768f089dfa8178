import type { ReactNode } from 'react'
import type { CoverageFigures, CoverageReach } from '#contract/catalogue/coverage.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Card } from '#src/ui/card.tsx'
import { DataTable, type DataTableColumn } from '#src/ui/data-table.tsx'
import { formatCoverageDoubt, formatKnownCount, formatReachClass, isSilentReach, PROBE_TEXTS } from './coverage-text.ts'

type CoverageRow = {
  readonly key: string
  readonly title: string
  readonly figures: CoverageFigures
  readonly note?: ReactNode
  readonly action?: ReactNode
  readonly detail?: ReactNode
}

type CoverageTableProps = {
  label: string
  title: string
  caption: string
  first: string
  rows: readonly CoverageRow[]
}

const FIGURES: readonly { readonly head: string; readonly cell: (figures: CoverageFigures) => string }[] = [
  { head: 'ต้นทางนับ', cell: ({ counted }) => formatKnownCount(counted) },
  { head: 'มีในระบบ', cell: ({ had }) => formatCount(had) },
  { head: 'มีก่อน 08:30 น.', cell: ({ by_first_morning }) => formatCount(by_first_morning) },
  {
    head: 'มีก่อนเช้าที่สอง',
    cell: ({ by_second_morning: count }) => (count === null ? 'ยังไม่ถึง' : formatCount(count)),
  },
]

export function CoverageTable({ label, title, caption, first, rows }: CoverageTableProps) {
  return (
    <Card as="section" aria-label={label} className="overflow-x-auto">
      <h2 className="px-4 pt-3 pb-2 font-semibold">{title}</h2>
      <table className="w-full border-collapse text-table max-md:block print:table">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-surface-muted text-xs text-ink-muted max-md:sr-only">
          <tr>
            {[first, ...FIGURES.map(({ head }) => head), 'หมายเหตุ'].map((head, index) => (
              <th
                key={head}
                scope="col"
                className={classNames(
                  'border-b border-line px-3 py-2 font-medium',
                  index === 0 || index === 5 ? 'text-left' : 'text-right',
                )}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row) => (
            <CoverageRows key={row.key} row={row} />
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function CoverageRows({ row: { title, figures, note, action, detail } }: { row: CoverageRow }) {
  const doubt = formatCoverageDoubt(figures)
  return (
    <>
      <tr className="border-b border-line align-top max-md:block max-md:px-4 max-md:py-3">
        <th scope="row" className="px-3 py-2 text-left font-medium max-md:block max-md:px-0">
          {title}
        </th>
        {FIGURES.map(({ head, cell }) => (
          <td
            key={head}
            className="px-3 py-2 text-right tabular-nums max-md:flex max-md:justify-between max-md:px-0 max-md:py-0.5 max-md:text-left"
          >
            <span aria-hidden className="text-ink-muted md:hidden print:hidden">
              {head}
            </span>
            {cell(figures)}
          </td>
        ))}
        <td className="px-3 py-2 text-left max-md:block max-md:px-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {note}
            {doubt && <span className="text-updated">{doubt}</span>}
            {action}
          </div>
        </td>
      </tr>
      {detail && (
        <tr className="border-b border-line max-md:block">
          <td colSpan={6} className="px-3 py-3 max-md:block max-md:px-4">
            {detail}
          </td>
        </tr>
      )}
    </>
  )
}

const REACH_COLUMNS: readonly DataTableColumn<CoverageReach>[] = [
  { head: 'ชนิดและรหัส', cell: formatReachClass },
  { head: 'หน่วยงาน', isNumeric: true, cell: ({ agencies }) => formatCount(agencies) },
  {
    head: 'ตอบใน 7 วัน',
    isNumeric: true,
    // Some cells are sentences.
    className: 'whitespace-normal!',
    cell: ({ is_queried, answered, probe }) => {
      if (is_queried) return formatCount(answered)
      if (probe === null) return 'ยังไม่ได้ลองถาม'
      return `ลองถามเมื่อ ${formatThaiDateShort(probe.on)} ${PROBE_TEXTS[probe.outcome]}`
    },
  },
  {
    head: 'มีประกาศใน 30 วัน',
    isNumeric: true,
    className: 'whitespace-normal!',
    cell: ({ is_queried, listed }) => (is_queried ? formatCount(listed) : '–'),
  },
]

const TITLE = 'ถามถึงหน่วยงานใดได้'

export function CoverageReachCard({ reach }: { reach: readonly CoverageReach[] }) {
  const silent = reach.filter(isSilentReach)
  return (
    <Card as="section" aria-label={TITLE} className="overflow-x-auto">
      <h2 className="px-4 pt-3 font-semibold">{TITLE}</h2>
      <p className="px-4 pb-2 text-sm text-ink-muted">
        {silent.length === 0
          ? 'ทุกชนิดที่ถามเป็นประจำมีหน่วยงานตอบใน 7 วันล่าสุด รหัสแบบอื่นลองถามสัปดาห์ละครั้ง'
          : `ไม่ตอบเลย: ${silent
              .map((row) => `${formatReachClass(row)} ${formatCount(row.agencies)} หน่วยงาน`)
              .join(', ')} ประกาศของหน่วยงานเหล่านี้จึงไม่รู้ เว้นแต่ประกาศในชื่อต้นสังกัด`}
      </p>
      <div className="px-2">
        <DataTable
          caption="หน่วยงานที่ถามและที่ตอบ ตามชนิดและจำนวนหลักของรหัส"
          columns={REACH_COLUMNS}
          rows={reach}
          getKey={({ kind, digits, is_queried }) => `${kind} ${digits} ${is_queried}`}
        />
      </div>
    </Card>
  )
}
