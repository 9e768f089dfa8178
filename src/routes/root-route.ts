import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { screenAtPath, screenTitleAtPath } from '#contract/screen.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { decideRouteWithoutAccount, type RouteDecision } from '#src/shell/navigation/entry-guard.ts'

type Entry = { readonly location: { readonly pathname: string; readonly href: string }; readonly preload: boolean }

/**
 * Route guard of specification section 2, run on entering any route. It only serves usability: the API authorises every
 * call.
 */
async function guardRoute({ location, preload }: Entry): Promise<void> {
  if (!preload) document.title = screenTitleAtPath(location.pathname)
  const signedIn = currentSession() !== undefined
  let decision = decideRouteWithoutAccount(location.pathname, signedIn)
  if (decision.go === 'load-account') {
    decision = await decideForAccount(location.pathname)
  } else if (signedIn && !screenAtPath(location.pathname)) {
    // The not-found page shows the header to signed-in users; if loading the account fails, the page renders without
    // the header.
    await decideForAccount(location.pathname).catch(() => undefined)
  }
  if (decision.go !== 'redirect') return
  if (decision.to !== '/login') throw redirect({ to: decision.to as '/report', replace: true })
  throw redirect({
    to: '/login',
    search: location.href === '/report' ? {} : { redirect: location.href },
    replace: true,
  })
}

async function decideForAccount(pathname: string): Promise<RouteDecision> {
  const account = await import('./load-account.ts')
  return account.decideRouteForAccount(pathname)
}

export const rootRoute = createRootRoute({
  beforeLoad: guardRoute,
  notFoundComponent: lazyComponent(() => import('./not-found-screen.tsx'), 'NotFoundScreen'),
})

export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: '_app',
  component: lazyComponent(() => import('./layout/app-layout.tsx'), 'AppRouteLayout'),
})
