import type { FieldChange } from '#contract/catalogue/field-change.ts'
import { formatFieldChange } from '#contract/report/format-field-change.ts'

type ChangedValueProps = { change: FieldChange; showsOld?: boolean; newClassName?: string }

/** Old and new value of a fact. By default a fact that had no value before shows only the new one. */
export function ChangedValue({
  change,
  showsOld = change.old !== null,
  newClassName = 'font-medium',
}: ChangedValueProps) {
  const words = formatFieldChange(change)
  return (
    <>
      {showsOld && (
        <>
          <s className="text-ink-muted decoration-ink-faint">
            <span className="sr-only">เดิม </span>
            {words.old}
          </s>
          <span aria-hidden> → </span>
        </>
      )}
      <span className={newClassName}>
        <span className="sr-only">เป็น </span>
        {words.new}
      </span>
    </>
  )
}
