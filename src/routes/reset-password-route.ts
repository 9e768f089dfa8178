import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { rootRoute } from './root-route.ts'
import { startsQueries } from './starts-queries.ts'

/** Where a mail with a reset link is asked for. */
export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyComponent(() => import('#src/pages/reset-password/request-reset-page.tsx'), 'RequestResetPage'),
})

/** Where that link leads. */
export const resetLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password/$token',
  loader: startsQueries(() => import('#src/pages/reset-password/start-reset-link.ts'), 'startResetLink'),
  component: lazyComponent(() => import('#src/pages/reset-password/reset-link-page.tsx'), 'ResetLinkPage'),
})
