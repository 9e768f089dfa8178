import { useRouter } from '@tanstack/react-router'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { getNavScreens, type NavScreen, STARRED_REPORT } from '#src/shell/navigation/nav-entries.ts'
import { castToRoutePath } from '#src/shell/navigation/nav-link.tsx'

const LETTER_BY_PATH: Readonly<Record<string, string>> = {
  '/report': 'r',
  '/board': 'k',
  '/calendar': 'd',
  '/results': 's',
  '/watch': 'w',
  '/companies': 'c',
  '/company-comparison': 'p',
  '/budget': 'b',
}

type ScreenEntry = { readonly path: string; readonly name: string }
export type ScreenShortcut<S extends ScreenEntry = ScreenEntry> = { readonly letter: string; readonly entry: S }

export function buildScreenShortcuts<S extends ScreenEntry>(entries: readonly S[]): ScreenShortcut<S>[] {
  return entries.flatMap((entry) => {
    const letter = LETTER_BY_PATH[entry.path]
    return letter === undefined ? [] : [{ letter, entry }]
  })
}

export function useScreenShortcuts(): {
  readonly screens: readonly ScreenShortcut<NavScreen>[]
  readonly goTo: (letter: string | undefined) => void
} {
  const user = useUser()
  const organisation = useOrganisation()
  const router = useRouter()
  const account = { user, organisation, isDemo: isDemoSession() }
  const screens = buildScreenShortcuts(getNavScreens(account).filter((screen) => screen !== STARRED_REPORT))
  const goTo = (pressedLetter: string | undefined) => {
    const entry = screens.find(({ letter }) => letter === pressedLetter)?.entry
    if (entry && entry.path !== router.latestLocation.pathname)
      void router.navigate({ to: castToRoutePath(entry.path), search: entry.search ?? {} })
  }
  return { screens, goTo }
}
