import { createRoute } from '@tanstack/react-router'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { rootRoute } from './root-route.ts'

/** Where a mail with a reset link is asked for. */
export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyPart(() => import('#src/pages/reset-password/request-reset-page.tsx'), 'RequestResetPage'),
})

/** Where that link leads. */
export const resetLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password/$token',
  component: lazyPart(() => import('#src/pages/reset-password/reset-link-page.tsx'), 'ResetLinkPage'),
})
