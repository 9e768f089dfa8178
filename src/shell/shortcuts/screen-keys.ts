import { useRouter } from '@tanstack/react-router'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { navEntriesFor } from '#src/shell/navigation/nav-entries.ts'
import { linkTo } from '#src/shell/navigation/nav-tabs.tsx'

const LETTERS: Readonly<Record<string, string>> = {
  '/report': 'r',
  '/board': 'k',
  '/calendar': 'd',
  '/results': 's',
  '/watch': 'w',
  '/companies': 'c',
  '/company-comparison': 'p',
  '/budget': 'b',
}

type Screen = { readonly path: string; readonly name: string }
export type ScreenKey<S extends Screen = Screen> = { readonly letter: string; readonly entry: S }

export function screenKeysOf<S extends Screen>(entries: readonly S[]): ScreenKey<S>[] {
  return entries.flatMap((entry) => {
    const letter = LETTERS[entry.path]
    return letter === undefined ? [] : [{ letter, entry }]
  })
}

export function useScreenKeys(): {
  readonly screens: readonly ScreenKey[]
  readonly goTo: (letter: string | undefined) => void
} {
  const user = useUser()
  const organisation = useOrganisation()
  const router = useRouter()
  const screens = screenKeysOf(navEntriesFor({ user, organisation }))
  const goTo = (wanted: string | undefined) => {
    const entry = screens.find(({ letter }) => letter === wanted)?.entry
    if (entry && entry.path !== router.latestLocation.pathname)
      void router.navigate({ to: linkTo(entry.path), search: entry.search ?? {} })
  }
  return { screens, goTo }
}
