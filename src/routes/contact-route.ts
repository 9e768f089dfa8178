import { createRoute } from '@tanstack/react-router'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { rootRoute } from './root-route.ts'

export const contactRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/contact',
  component: lazyPart(() => import('#src/pages/contact/contact-page.tsx'), 'ContactPage'),
})
