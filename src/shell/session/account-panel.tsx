import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History, LogOut, Settings } from 'lucide-react'
import { useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { logout } from '#src/account/api/sessions.ts'
import { listQueuedMutations } from '#src/api/optimistic-changes.ts'
import { InstallAppOffer } from '#src/shell/installed-app/install-offer.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { ThemePicker } from '#src/ui/theme/theme-picker.tsx'
import { Avatar, formatFullName } from './avatar.tsx'

/** The demo has no settings, usage history or logout (specification section 1). */
export function AccountPanel({ user }: { user: User }) {
  return (
    <>
      <div className="flex items-center gap-3 px-3 py-2">
        <Avatar user={user} />
        <div className="min-w-0">
          <p className="truncate font-medium">{formatFullName(user)}</p>
          {user.email && <p className="truncate text-xs text-ink-muted">{user.email}</p>}
        </div>
      </div>
      <div className="px-3 py-2">
        <ThemePicker />
      </div>
      {!isDemoSession() && (
        <div className="mt-1 border-t border-line px-1 pt-1">
          {user.role !== OPERATOR_ROLE && (
            <Link to="/settings" className={getButtonClasses('quiet', 'md', 'w-full justify-start')}>
              <Settings aria-hidden className="size-4 shrink-0" />
              ตั้งค่า
            </Link>
          )}
          {user.role === 'super_user' && (
            <Link to="/logs" className={getButtonClasses('quiet', 'md', 'w-full justify-start')}>
              <History aria-hidden className="size-4 shrink-0" />
              ประวัติการใช้งาน
            </Link>
          )}
          <InstallAppOffer />
          <LogOutButton />
        </div>
      )}
    </>
  )
}

/** Asks for confirmation if changes are pending, because logging out discards them (decision 0131). */
function LogOutButton() {
  const [unsentCount, setLost] = useState(0)
  const { mutate: logOut, isPending } = useMutation({ mutationFn: () => logout() })
  if (unsentCount > 0)
    return (
      <InlineConfirmation
        label="ออกจากระบบ"
        no="ยังไม่ออก"
        yes="ออกและทิ้ง"
        onNo={() => setLost(0)}
        onYes={logOut}
        pending={isPending}
        className="px-3 py-2 text-sm"
      >
        มี {unsentCount} รายการที่ยังไม่ได้ส่ง ถ้าออกตอนนี้จะหายไป เชื่อมต่ออินเทอร์เน็ตก่อนแล้วรอสักครู่
      </InlineConfirmation>
    )
  const confirmOrLogOut = () => {
    const queuedCount = listQueuedMutations().length
    if (queuedCount > 0) setLost(queuedCount)
    else void logout()
  }
  return (
    <Button variant="quiet" icon={LogOut} className="w-full justify-start" onClick={confirmOrLogOut}>
      ออกจากระบบ
    </Button>
  )
}
