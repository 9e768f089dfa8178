import { createRoute } from '@tanstack/react-router'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { rootRoute } from './root-route.ts'

/** Where the links of report mails lead; what one may do stands behind `#`. */
export const mailLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mail-link',
  component: lazyPart(() => import('#src/pages/mail-link/mail-link-page.tsx'), 'MailLinkPage'),
})
