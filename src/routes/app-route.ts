import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root-route.ts'

/** The common layout (header, tabs, scroll-to-top) around every screen that is not plain. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: '_app',
  component: lazyRouteComponent(() => import('./app-layout.tsx'), 'AppRouteLayout'),
})
