import { useRef } from 'react'
import type { ReportRow } from '#contract/report.ts'
import { StarButton } from '#src/features/bookmarks/star-button.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'

/** `range`: everything between the row chosen last and this one (Shift held). */
export type SelectRow = (row: ReportRow, selected: boolean, range: boolean) => void

const BOX = 'w-fit min-w-6 justify-center touch:min-w-11'

type LeadCellProps = {
  row: ReportRow
  isStarred: boolean
  isSelected: boolean
  onSelect: SelectRow
  className: string
}

/** Before all columns of a row: chosen or not, starred or not. */
export function LeadCell({ row, isStarred, isSelected, onSelect, className }: LeadCellProps) {
  const shift = useRef(false)
  return (
    <td
      aria-colindex={1}
      // Shift with the pointer would mark text from the row chosen before.
      className={classNames(
        'px-2! group-data-current/row:shadow-[inset_3px_0_var(--accent-ink)] group-focus-visible/row:shadow-[inset_2px_0_var(--accent-ink),inset_0_2px_var(--accent-ink),inset_0_-2px_var(--accent-ink)]! select-none',
        className,
      )}
      onPointerDown={(event) => {
        shift.current = event.shiftKey
      }}
      onKeyDown={(event) => {
        shift.current = event.shiftKey
      }}
    >
      <span className="flex items-start touch:-my-2.5">
        <Checkbox
          checked={isSelected}
          onChange={(selected) => onSelect(row, selected, shift.current)}
          ariaLabel={`เลือก ${row.name}`}
          className={BOX}
        />
        <StarButton projectId={row.project_id} name={row.name} isStarred={isStarred} className="-mt-[3px] touch:mt-0" />
      </span>
    </td>
  )
}

type SelectPageProps = {
  rows: readonly ReportRow[]
  selected: ReadonlySet<string>
  onSelectPage: (rows: readonly ReportRow[], selected: boolean) => void
}

/** Chooses all rows of the page, or none of them. */
export function SelectPage({ rows, selected, onSelectPage }: SelectPageProps) {
  const count = rows.filter((row) => selected.has(row.project_id)).length
  const isAll = count > 0 && count === rows.length
  return (
    <Checkbox
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={() => onSelectPage(rows, !isAll)}
      ariaLabel="เลือกทุกโครงการในหน้านี้"
      className={BOX}
    />
  )
}
