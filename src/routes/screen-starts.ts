import { startBudget } from '#src/pages/budget/start-budget.ts'
import { startCompanies } from '#src/pages/companies/start-companies.ts'
import { startCompany } from '#src/pages/company/start-company.ts'
import { startComparison } from '#src/pages/company-comparison/start-comparison.ts'
import { startGroupWatch } from '#src/pages/group-watch/start-group-watch.ts'
import { startMailLink } from '#src/pages/mail-link/start-mail-link.ts'
import { startProject } from '#src/pages/project/start-project.ts'
import { startRegister } from '#src/pages/register/start-register.ts'
import { startReport } from '#src/pages/report/start-report.ts'
import { startResetLink } from '#src/pages/reset-password/start-reset-link.ts'
import { startSettings } from '#src/pages/settings/start-settings.ts'
import { startShortLink } from '#src/pages/short-link/start-short-link.ts'
import { startUsageLog } from '#src/pages/usage-log/start-usage-log.ts'
import { startWatch } from '#src/pages/watch/start-watch.ts'

/** What starts the first queries of each screen; loaded in one piece with the cache of server data, and not by /login. */
export const SCREEN_STARTS = {
  report: startReport,
  project: startProject,
  watch: startWatch,
  companies: startCompanies,
  company: startCompany,
  comparison: startComparison,
  budget: startBudget,
  settings: startSettings,
  shortLink: startShortLink,
  usageLog: startUsageLog,
  groupWatch: startGroupWatch,
  mailLink: startMailLink,
  resetLink: startResetLink,
  register: startRegister,
}
