import { createRoute } from '@tanstack/react-router'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { rootRoute } from './root-route.ts'

/** The common layout (header, tabs, scroll-to-top) around every screen that is not plain. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: '_app',
  component: lazyPart(() => import('./layout/app-layout.tsx'), 'AppRouteLayout'),
})
