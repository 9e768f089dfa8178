import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { findScreenByPath, findScreenTitleByPath } from '#contract/screen.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { logout } from '#src/account/api/sessions.ts'
import { userQuery } from '#src/account/api/users.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { getCurrentSession } from '#src/lib/session-store.ts'
import { decideRoute, type LoadedAccount } from '#src/shell/navigation/route-guard.ts'
import { lazyPage } from './lazy-page.ts'

export type RouterContext = { readonly queryClient: QueryClient }

type Entry = {
  readonly location: { readonly pathname: string; readonly href: string }
  readonly preload: boolean
  readonly context: RouterContext
}

async function loadAccount(queryClient: QueryClient): Promise<LoadedAccount> {
  const [user, organisation] = await Promise.all([
    queryClient.query({ ...userQuery, staleTime: 'static' }),
    queryClient.query({ ...organisationQuery, staleTime: 'static' }),
  ])
  return { user, organisation }
}

/** Route guard (specification section 2) of all routes. Not a security measure: the API authorises every call. */
async function guardRoute({ location, preload, context: { queryClient } }: Entry): Promise<void> {
  const { pathname, href } = location
  if (!preload) document.title = findScreenTitleByPath(pathname)
  const isSignedIn = getCurrentSession() !== undefined
  let decision = decideRoute(pathname, isSignedIn ? 'signed-in' : 'signed-out')
  if (decision.go === 'load-account') {
    decision = decideRoute(pathname, await loadAccountOrLeave(queryClient, href))
  } else if (isSignedIn && !findScreenByPath(pathname)) {
    // Only for the header of the not-found page, which also renders without it.
    await loadAccount(queryClient).catch(() => undefined)
  }
  if (decision.go !== 'redirect') return
  if (decision.to !== '/login') throw redirect({ to: decision.to as '/report', replace: true })
  throw loginRedirect(href)
}

const loginRedirect = (href: string) =>
  redirect({ to: '/login', search: href === '/report' ? {} : { redirect: href }, replace: true })

async function loadAccountOrLeave(queryClient: QueryClient, href: string): Promise<LoadedAccount> {
  try {
    return await loadAccount(queryClient)
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) await logout('dead')
    if (getCurrentSession() === undefined) throw loginRedirect(href)
    throw error
  }
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  beforeLoad: guardRoute,
  notFoundComponent: lazyPage(() => import('./not-found-screen.tsx'), 'NotFoundScreen'),
})

export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: '_app',
  component: lazyPage(() => import('./layout/app-layout.tsx'), 'AppRouteLayout'),
})
