import { useRouter } from '@tanstack/react-router'
import { useOrganisation } from '#src/api/organisations.ts'
import { useUser } from '#src/api/users.ts'
import { navEntriesFor } from '#src/features/navigation/nav-entries.ts'
import { linkTo } from '#src/features/navigation/nav-tabs.tsx'
import { screenKeys } from '#src/features/shortcuts/screen-keys.ts'
import { useShortcuts } from '#src/features/shortcuts/use-shortcuts.ts'

/** `/` leads to the box for a new word, G and a letter to another screen. */
export function WatchKeys() {
  const user = useUser()
  const organisation = useOrganisation()
  const router = useRouter()
  useShortcuts(({ name, letter }) => {
    if (name === 'search') document.querySelector<HTMLElement>('[data-add-word]')?.focus()
    if (name !== 'go') return
    const screens = screenKeys(navEntriesFor({ user, organisation }))
    const path = screens.find((screen) => screen.letter === letter)?.entry.path
    if (path && path !== router.latestLocation.pathname) void router.navigate({ to: linkTo(path) })
  })
  return null
}
