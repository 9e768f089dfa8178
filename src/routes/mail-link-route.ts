import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root-route.ts'

/** Where the links of report mails lead; what one may do stands behind `#`. */
export const mailLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail-link',
  component: lazyRouteComponent(() => import('#src/pages/mail-link/mail-link-page.tsx'), 'MailLinkPage'),
})
