import type { User } from '#contract/user/user.ts'
import { AccountPanel } from '#src/features/session/account-panel.tsx'
import { ThemeChoice } from '#src/features/theme/theme-choice.tsx'

/** The account panel with the theme switch in it; loaded when a menu that shows it opens. */
export function Account({ user, isDemo }: { user: User; isDemo: boolean }) {
  return (
    <AccountPanel user={user} isDemo={isDemo}>
      <ThemeChoice />
    </AccountPanel>
  )
}
