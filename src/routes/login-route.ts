import { createRoute, redirect } from '@tanstack/react-router'
import { offersSample } from '#src/features/session/offers-sample.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { rootRoute } from './root-route.ts'

/**
 * `redirect`: where to go after login (checked by `returnPath` when used). `refkey`: enters the demo. `notice`: what was done
 * just before.
 */
export type LoginSearch = { readonly redirect?: string; readonly refkey?: string; readonly notice?: 'password-changed' }

const textOf = (name: 'redirect' | 'refkey', value: unknown) =>
  typeof value === 'string' && value !== '' ? { [name]: value } : {}

const noData = () => undefined

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (raw: Record<string, unknown>): LoginSearch => ({
    ...textOf('redirect', raw.redirect),
    ...textOf('refkey', raw.refkey),
    ...(raw.notice === 'password-changed' ? { notice: raw.notice } : {}),
  }),
  beforeLoad: async ({ search }) => {
    // Whoever is signed in has nothing to do here, unless a demo link asks to replace the session or the demo is being left.
    if (currentSession()?.isDemo === false && search.refkey === undefined) {
      const { startHref } = await import('#src/api/user/start-view.ts')
      throw redirect({ href: await startHref(), replace: true })
    }
  },
  // Drawn with the form, so that nothing moves when it comes. Without it the form works.
  loader: () => (offersSample() ? import('#src/pages/login/sample-accounts.tsx').then(noData, noData) : undefined),
  component: lazyComponent(() => import('#src/pages/login/login-page.tsx'), 'LoginPage'),
})
