import type { User } from '#contract/user.ts'
import { initialsOf } from '#src/lib/initials.ts'

type Named = Pick<User, 'first_name' | 'last_name' | 'email'>

export function fullName(user: Named): string {
  return [user.first_name, user.last_name].filter(Boolean).join(' ') || (user.email ?? 'ผู้ใช้งาน')
}

/** Round badge with the user's initials. */
export function Avatar({ user }: { user: Named }) {
  return (
    <span
      aria-hidden
      className="inline-flex size-8 items-center justify-center rounded-full bg-avatar text-sm font-semibold text-avatar-ink"
    >
      {initialsOf(user.first_name, user.last_name)}
    </span>
  )
}

/** First name, last name and e-mail, as the user menu and the mobile menu show them. */
export function AccountLine({ user }: { user: Named }) {
  return (
    <div className="flex items-center gap-3 px-3 py-2">
      <Avatar user={user} />
      <div className="min-w-0">
        <p className="truncate font-medium">{fullName(user)}</p>
        {user.email && <p className="truncate text-xs text-ink-muted">{user.email}</p>}
      </div>
    </div>
  )
}
