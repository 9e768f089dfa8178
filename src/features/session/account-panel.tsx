import { Link } from '@tanstack/react-router'
import { History, LogOut, Settings } from 'lucide-react'
import { OPERATOR_ROLE } from '#contract/operation/operator.ts'
import type { User } from '#contract/user/user.ts'
import { logout } from '#src/api/account/sessions.ts'
import { InstallOffer } from '#src/features/installed-app/install-offer.tsx'
import { ThemeChoice } from '#src/features/theme/theme-choice.tsx'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { Avatar, fullName } from './avatar.tsx'

type AccountPanelProps = {
  user: User
  /** Demo hides settings, usage history and logout (specification section 1). */
  isDemo: boolean
}

/** First name, last name, e-mail, theme, settings and logout: what the user menu and the mobile menu open. */
export function AccountPanel({ user, isDemo }: AccountPanelProps) {
  return (
    <>
      <div className="flex items-center gap-3 px-3 py-2">
        <Avatar user={user} />
        <div className="min-w-0">
          <p className="truncate font-medium">{fullName(user)}</p>
          {user.email && <p className="truncate text-xs text-ink-muted">{user.email}</p>}
        </div>
      </div>
      <div className="px-3 py-2">
        <ThemeChoice />
      </div>
      {!isDemo && (
        <div className="mt-1 border-t border-line px-1 pt-1">
          {user.role !== OPERATOR_ROLE && (
            <Link to="/settings" className={buttonClasses('quiet', 'md', 'w-full justify-start')}>
              <Settings aria-hidden className="size-4 shrink-0" />
              ตั้งค่า
            </Link>
          )}
          {user.role === 'super_user' && (
            <Link to="/logs" className={buttonClasses('quiet', 'md', 'w-full justify-start')}>
              <History aria-hidden className="size-4 shrink-0" />
              ประวัติการใช้งาน
            </Link>
          )}
          <InstallOffer />
          <Button look="quiet" icon={LogOut} className="w-full justify-start" onClick={() => void logout()}>
            ออกจากระบบ
          </Button>
        </div>
      )}
    </>
  )
}
