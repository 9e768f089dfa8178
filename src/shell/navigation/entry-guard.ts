import { type ScreenPath, screenAt } from '#contract/screen.ts'

export type RouteDecision =
  | { readonly go: 'stay' }
  | { readonly go: 'load-account' }
  | { readonly go: 'redirect'; readonly to: ScreenPath }

/**
 * Steps 2 and 3 of the guard, which need no account: screens without login and unknown paths are open to everybody, others want a
 * session. Apart from the rest, which only they need who are signed in: /login loads this alone.
 */
export function decideEntry(pathname: string, signedIn: boolean): RouteDecision {
  if (!screenAt(pathname)?.needsLogin) return { go: 'stay' }
  return signedIn ? { go: 'load-account' } : { go: 'redirect', to: '/login' }
}
