import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { enableReportMail } from './saved-filter-changes.ts'

type MailSwitchProps = { checked: boolean; onChange: (on: boolean) => void; of?: string }

export function SavedFilterMailSwitch({ checked, onChange, of }: MailSwitchProps) {
  const isDemo = isDemoSession()
  return (
    <Checkbox checked={checked && !isDemo} disabled={isDemo} onChange={onChange}>
      ส่งทางอีเมล{of && <span className="sr-only"> {of}</span>}
    </Checkbox>
  )
}

export function SavedFilterMailSwitchNote({ className }: { className?: string }) {
  const { is_send_report_email: isMailOn } = useUser()
  if (isDemoSession()) return <p className={className}>บัญชีทดลองใช้งานไม่มีการส่งอีเมล</p>
  if (isMailOn) return <p className={className}>ส่งทุกเช้าเมื่อมีงานใหม่ ถ้าไม่เลือกตัวกรองใดจะสรุปทั้งรายงาน</p>
  return (
    <p className={className}>
      <span className="text-updated">ปิดอีเมลรายงานทั้งหมดไว้ จึงยังไม่ส่ง</span>{' '}
      <TextButton onClick={enableReportMail} className="underline">
        เปิดอีเมลรายงาน
      </TextButton>
    </p>
  )
}
