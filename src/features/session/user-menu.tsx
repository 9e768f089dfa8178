import { ChevronDown, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '#contract/user.ts'
import { logout } from '#src/api/sessions.ts'
import { Menu, MenuItem, MenuSeparator } from '#src/ui/menu.tsx'
import { AccountLine, Avatar, fullName } from './account-line.tsx'

type UserMenuProps = {
  user: User
  /** Demo hides settings, usage history and logout (specification section 1). */
  isDemo: boolean
  /** The theme switch. */
  children: ReactNode
}

/** Avatar button with name, e-mail, theme and logout. */
export function UserMenu({ user, isDemo, children }: UserMenuProps) {
  return (
    <Menu
      label="เมนูผู้ใช้"
      className="w-72"
      gap={10}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label={`เมนูผู้ใช้ ${fullName(user)}`}
          className="inline-flex h-10 items-center gap-1.5 rounded-full pr-1 pl-1 hover:bg-surface-muted"
        >
          <Avatar user={user} />
          <ChevronDown aria-hidden className="size-4 text-ink-faint" />
        </button>
      )}
    >
      {() => (
        <>
          <AccountLine user={user} />
          <div className="px-3 py-2">{children}</div>
          {!isDemo && (
            <>
              <MenuSeparator />
              <MenuItem icon={LogOut} onSelect={() => void logout()}>
                ออกจากระบบ
              </MenuItem>
            </>
          )}
        </>
      )}
    </Menu>
  )
}
