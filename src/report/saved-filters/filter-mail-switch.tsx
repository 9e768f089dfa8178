import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { enableReportMail } from './saved-filter-changes.ts'
import type { SavedFilterContext } from './saved-filter-context.ts'

type MailSwitchProps = {
  checked: boolean
  onChange: (on: boolean) => void
  isDemo: boolean
  of?: string
}

export function SavedFilterMailSwitch({ checked, onChange, isDemo, of }: MailSwitchProps) {
  return (
    <Checkbox checked={checked && !isDemo} disabled={isDemo} onChange={onChange}>
      ส่งทางอีเมล{of && <span className="sr-only"> {of}</span>}
    </Checkbox>
  )
}

type MailNoteProps = Pick<SavedFilterContext, 'isMailOn' | 'isDemo'> & { className?: string }

export function SavedFilterMailSwitchNote({ isMailOn, isDemo, className }: MailNoteProps) {
  if (isDemo) return <p className={className}>บัญชีทดลองใช้งานไม่มีการส่งอีเมล</p>
  if (isMailOn) return <p className={className}>ส่งทุกเช้าเมื่อมีงานใหม่ ถ้าไม่เลือกตัวกรองใดจะสรุปทั้งรายงาน</p>
  return (
    <p className={className}>
      <span className="text-updated">ปิดอีเมลรายงานทั้งหมดไว้ จึงยังไม่ส่ง</span>{' '}
      <button
        type="button"
        onClick={enableReportMail}
        className="min-h-6 rounded-control text-accent-ink underline touch:min-h-11"
      >
        เปิดอีเมลรายงาน
      </button>
    </p>
  )
}
