import { createRoute, redirect } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { rootRoute } from './root-route.ts'
import { startsQueries } from './starts-queries.ts'

/** `step`: which of the three; the first has none. */
export type RegisterSearch = { readonly step?: 1 | 2 | 3 }

const STEPS = [1, 2, 3] as const

export const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  validateSearch: (raw: Record<string, unknown>): RegisterSearch => {
    const step = STEPS.find((known) => String(known) === String(raw.step))
    return step === undefined ? {} : { step }
  },
  beforeLoad: () => {
    // As on /login: whoever is signed in has an account, and only the demo may be left for one.
    if (currentSession()?.isDemo === false) throw redirect({ to: '/report', replace: true })
  },
  loader: startsQueries(() => import('#src/pages/register/start-register.ts'), 'startRegister'),
  component: lazyComponent(() => import('#src/pages/register/register-page.tsx'), 'RegisterPage'),
})
