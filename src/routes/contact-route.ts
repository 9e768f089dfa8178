import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { rootRoute } from './root-route.ts'

export const contactRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/contact',
  component: lazyComponent(() => import('#src/pages/contact/contact-page.tsx'), 'ContactPage'),
})
