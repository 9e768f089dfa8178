import { roleLabel } from '#contract/user.ts'
import { useUser } from '#src/api/users.ts'
import { Avatar, fullName } from '#src/features/session/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'
import { SettingsSection } from './settings-section.tsx'

/** Who the user is, their password, and where they are logged in. */
export function ProfileTab() {
  const user = useUser()
  return (
    <>
      <SettingsSection title="โปรไฟล์">
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <Avatar user={user} />
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium wrap-anywhere">{fullName(user)}</p>
            {user.email && <p className="text-ink-muted wrap-anywhere">{user.email}</p>}
            <p className="text-xs text-ink-faint">อีเมลใช้เข้าสู่ระบบ ถ้าต้องการเปลี่ยน ติดต่อทีมงาน</p>
          </div>
          <Badge>{roleLabel(user.role)}</Badge>
        </div>
        <NameForm user={user} />
      </SettingsSection>
      <SettingsSection title="เปลี่ยนรหัสผ่าน" description="เมื่อเปลี่ยนแล้ว อุปกรณ์อื่นทั้งหมดจะออกจากระบบ">
        <PasswordForm email={user.email} />
      </SettingsSection>
      <SessionList />
    </>
  )
}
