import { Link } from '@tanstack/react-router'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'

export function QualificationSettingsLink() {
  const { role } = useUser()
  if (isDemoSession()) return null
  if (role !== 'super_user') return <span className="text-ink-muted">ผู้ดูแลองค์กรกรอกได้ที่ตั้งค่า</span>
  return (
    <Link
      to="/settings"
      search={{ tab: 'team', part: 'qualifications' }}
      className="text-accent-ink underline print:hidden"
    >
      กรอกคุณสมบัติบริษัท
    </Link>
  )
}
