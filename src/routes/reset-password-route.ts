import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root-route.ts'

/** Where a mail with a reset link is asked for. */
export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('#src/pages/reset-password/request-reset-page.tsx'), 'RequestResetPage'),
})

/** Where that link leads. */
export const resetLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password/$token',
  component: lazyRouteComponent(() => import('#src/pages/reset-password/reset-link-page.tsx'), 'ResetLinkPage'),
})
