import type { Row } from '@tanstack/react-table'
import { useRef } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { StarButton } from '#src/report/bookmarks/star-button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import type { ReportTableInstance, reportTableFeatures } from './report-columns.tsx'

const BOX = 'w-fit min-w-6 justify-center touch:min-w-11'

type LeadCellProps = {
  row: Row<typeof reportTableFeatures, ReportRow>
  isStarred: boolean
  isSelected: boolean
  className: string
}

export function SelectionAndStarCell({ row, isStarred, isSelected, className }: LeadCellProps) {
  const { project_id: id, name } = row.original
  const shift = useRef(false)
  return (
    <td
      aria-colindex={1}
      // Prevent text selection on Shift-click.
      className={classNames(
        'px-1! group-data-current/row:shadow-[inset_3px_0_var(--accent-ink)] group-focus-visible/row:shadow-[inset_2px_0_var(--accent-ink),inset_0_2px_var(--accent-ink),inset_0_-2px_var(--accent-ink)]! select-none',
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
          onChange={(checked) => row.getToggleSelectedHandler()({ target: { checked }, shiftKey: shift.current })}
          ariaLabel={`เลือก ${name}`}
          className={BOX}
        />
        <StarButton projectId={id} name={name} isStarred={isStarred} className="-mt-[3px] touch:mt-0" />
      </span>
    </td>
  )
}

export function SelectAllOnPageCheckbox({ table }: { table: ReportTableInstance }) {
  const isAll = table.getIsAllPageRowsSelected()
  return (
    <Checkbox
      checked={isAll}
      indeterminate={!isAll && table.getIsSomePageRowsSelected()}
      onChange={() => table.toggleAllPageRowsSelected(!isAll)}
      ariaLabel="เลือกทุกโครงการในหน้านี้"
      className={BOX}
    />
  )
}
