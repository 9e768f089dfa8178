import type { User } from '#contract/account/user.ts'
import { getInitials } from '#src/lib/get-initials.ts'

type UserName = Pick<User, 'first_name' | 'last_name' | 'email'>

export function formatFullName(user: UserName): string {
  return [user.first_name, user.last_name].filter(Boolean).join(' ') || (user.email ?? 'ผู้ใช้งาน')
}

export function Avatar({ user }: { user: UserName }) {
  return (
    <span
      aria-hidden
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-avatar text-sm font-semibold text-avatar-ink"
    >
      {getInitials(user.first_name, user.last_name)}
    </span>
  )
}
