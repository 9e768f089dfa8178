import { appRoute } from './app-route.ts'
import { budgetRoute } from './budget-route.ts'
import { companiesRoute } from './companies-route.ts'
import { companyComparisonRoute } from './company-comparison-route.ts'
import { companyRoute, companySlashRoute } from './company-route.ts'
import { contactRoute } from './contact-route.ts'
import { groupWatchRoute } from './group-watch-route.ts'
import { homeRoute } from './home-route.ts'
import { loginRoute } from './login-route.ts'
import { mailLinkRoute } from './mail-link-route.ts'
import { projectRoute } from './project-route.ts'
import { registerRoute } from './register-route.ts'
import { reportRoute, shortLinkRoute } from './report-route.ts'
import { resetLinkRoute, resetPasswordRoute } from './reset-password-route.ts'
import { rootRoute } from './root-route.ts'
import { settingsRoute } from './settings-route.ts'
import { usageLogRoute } from './usage-log-route.ts'
import { watchRoute } from './watch-route.ts'

/** Every route that exists; `SCREENS` in contract/screen.ts names the same paths (tested). */
export const routeTree = rootRoute.addChildren([
  homeRoute,
  loginRoute,
  registerRoute,
  resetPasswordRoute,
  resetLinkRoute,
  mailLinkRoute,
  contactRoute,
  groupWatchRoute,
  appRoute.addChildren([
    reportRoute,
    projectRoute,
    settingsRoute,
    watchRoute,
    companiesRoute,
    companyRoute,
    companySlashRoute,
    companyComparisonRoute,
    budgetRoute,
    usageLogRoute,
    shortLinkRoute,
  ]),
])
