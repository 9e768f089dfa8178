import type { User } from '#contract/user/user.ts'

/** One letter of the first and of the last name for an avatar; Thai leading vowels (เ แ โ ใ ไ) are passed over. */
export function initialsOf(firstName: string | null, lastName: string | null): string {
  const letter = (name: string | null) => /[^เแโใไ\P{L}]/u.exec(name ?? '')?.[0] ?? ''
  return (letter(firstName) + letter(lastName)).toLocaleUpperCase('th') || '?'
}

type Named = Pick<User, 'first_name' | 'last_name' | 'email'>

export function fullName(user: Named): string {
  return [user.first_name, user.last_name].filter(Boolean).join(' ') || (user.email ?? 'ผู้ใช้งาน')
}

/** Round badge with the user's initials. */
export function Avatar({ user }: { user: Named }) {
  return (
    <span
      aria-hidden
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-avatar text-sm font-semibold text-avatar-ink"
    >
      {initialsOf(user.first_name, user.last_name)}
    </span>
  )
}
