import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { rootRoute } from './root-route.ts'

/** The common layout (header, tabs, scroll-to-top) around every screen that is not plain. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: '_app',
  component: lazyComponent(() => import('./layout/app-layout.tsx'), 'AppRouteLayout'),
})
