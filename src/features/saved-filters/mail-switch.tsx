import { Checkbox } from '#src/ui/checkbox.tsx'
import { switchAllMailOn } from './saved-filter-changes.ts'

type MailSwitchProps = {
  checked: boolean
  onChange: (on: boolean) => void
  isMailOn: boolean
  isDemo: boolean
  /** Name of the filter, where several switches stand under each other. */
  of?: string
}

/** Whether the report mail has a part for a filter, and why it may not come all the same. */
export function MailSwitch({ checked, onChange, isMailOn, isDemo, of }: MailSwitchProps) {
  const isStopped = checked && !isMailOn && !isDemo
  return (
    <div>
      <Checkbox checked={checked && !isDemo} disabled={isDemo} onChange={onChange}>
        ส่งทางอีเมล{of && <span className="sr-only"> {of}</span>}
        <span className="block text-xs text-ink-muted">
          {isDemo ? 'บัญชีทดลองใช้งานไม่มีการส่งอีเมล' : 'ส่งหลังนำเข้าข้อมูลรอบกลางคืน'}
        </span>
      </Checkbox>
      {isStopped && (
        <p className="pl-6.5 text-xs text-updated">
          ปิดอีเมลรายงานทั้งหมดไว้ จึงยังไม่ส่ง{' '}
          <button
            type="button"
            onClick={switchAllMailOn}
            className="min-h-6 rounded-control text-accent-ink underline touch:min-h-11"
          >
            เปิดอีเมลรายงาน
          </button>
        </p>
      )}
    </div>
  )
}
