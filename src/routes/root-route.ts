import { createRootRoute, lazyRouteComponent } from '@tanstack/react-router'
import { guardRoute } from './guard-route.ts'

export const rootRoute = createRootRoute({
  beforeLoad: guardRoute,
  notFoundComponent: lazyRouteComponent(() => import('./not-found-screen.tsx'), 'NotFoundScreen'),
})
