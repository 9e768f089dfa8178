import { type ScreenPath, screenAtPath } from '#contract/screen.ts'

export type RouteDecision =
  | { readonly go: 'stay' }
  | { readonly go: 'load-account' }
  | { readonly go: 'redirect'; readonly to: ScreenPath }

/**
 * Steps 2 and 3 of the route guard, which need no account: public screens and unknown paths are open, all others
 * require a session. A separate module, because /login loads only this part.
 */
export function decideRouteWithoutAccount(pathname: string, signedIn: boolean): RouteDecision {
  if (!screenAtPath(pathname)?.needsLogin) return { go: 'stay' }
  return signedIn ? { go: 'load-account' } : { go: 'redirect', to: '/login' }
}
