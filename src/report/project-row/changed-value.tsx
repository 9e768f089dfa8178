import type { FieldChangeText } from '#contract/report/format-field-change.ts'

type ChangedValueProps = { words: FieldChangeText; showsOld?: boolean; newClassName?: string }

export function ChangedValue({ words, showsOld = true, newClassName = 'font-medium' }: ChangedValueProps) {
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
