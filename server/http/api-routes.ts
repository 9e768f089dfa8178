import { RETURN_PATH } from '#contract/account/organisation-login.ts'
import { agencyRoutes } from '#server/features/agency/routes.ts'
import { apiKeyRoutes } from '#server/features/api-key/routes.ts'
import { budgetRoutes } from '#server/features/budget/routes.ts'
import { calendarRoutes } from '#server/features/calendar/routes.ts'
import { calendarFeedRoutes } from '#server/features/calendar/routes-feeds.ts'
import { channelRoutes } from '#server/features/channel/routes.ts'
import { companyRoutes } from '#server/features/company/routes.ts'
import { companyFileRoutes } from '#server/features/company/routes-file.ts'
import { companyListRoutes } from '#server/features/company/routes-list.ts'
import { companyComparisonRoutes } from '#server/features/company-comparison/routes.ts'
import { contractEndRoutes } from '#server/features/contract-end/routes.ts'
import { departmentRoutes } from '#server/features/department/routes.ts'
import { documentRoutes } from '#server/features/document/routes.ts'
import { documentAnswerRoutes } from '#server/features/document/routes-answer.ts'
import { documentComparisonRoutes } from '#server/features/document/routes-comparison.ts'
import { documentPictureRoutes } from '#server/features/document/routes-pictures.ts'
import { documentReaderRoutes } from '#server/features/document/routes-reader.ts'
import { emailChangeRoutes } from '#server/features/email-change/routes.ts'
import { followRoutes } from '#server/features/follow/routes.ts'
import { keywordContext } from '#server/features/keyword/keyword-context.ts'
import { keywordRoutes } from '#server/features/keyword/routes.ts'
import { evidenceRoutes } from '#server/features/keyword-impact/routes-evidence.ts'
import { impactRoutes } from '#server/features/keyword-impact/routes-impact.ts'
import { lessonRoutes } from '#server/features/keyword-impact/routes-lesson.ts'
import { createYearTitles } from '#server/features/keyword-impact/year-titles.ts'
import { lineRoutes } from '#server/features/line/routes.ts'
import { lineWebhookRoutes } from '#server/features/line/routes-webhook.ts'
import { wordPassageRoutes } from '#server/features/matching/documents/routes-passages.ts'
import { createRecentProjects } from '#server/features/matching/recent-projects.ts'
import { matchingProgressRoutes } from '#server/features/matching/routes-progress.ts'
import { handOver } from '#server/features/pursuit/hand-over.ts'
import { lockBoard } from '#server/features/pursuit/queries.ts'
import { switchQuestionMails } from '#server/features/saved-question/queries.ts'
import { memberRoutes } from '#server/features/member/routes.ts'
import { morningQueueRoutes } from '#server/features/morning-queue/routes.ts'
import { notificationRoutes } from '#server/features/notification/routes.ts'
import { operationChannelRoutes } from '#server/features/operation/routes-channels.ts'
import { operationDocumentRoutes } from '#server/features/operation/routes-documents.ts'
import { operationJobRoutes } from '#server/features/operation/routes-jobs.ts'
import { operationKeywordRoutes } from '#server/features/operation/routes-keywords.ts'
import { operationLoadRoutes } from '#server/features/operation/routes-loads.ts'
import { operationOrganisationRoutes } from '#server/features/operation/routes-organisations.ts'
import { operationOverviewRoutes } from '#server/features/operation/routes-overview.ts'
import { operationSourceRoutes } from '#server/features/operation/routes-sources.ts'
import { organisationRoutes } from '#server/features/organisation/routes.ts'
import { resolveTxt } from '#server/features/organisation-login/domain-proof.ts'
import { createProviders } from '#server/features/organisation-login/providers.ts'
import { organisationLoginRoutes } from '#server/features/organisation-login/routes.ts'
import { loginDomainRoutes } from '#server/features/organisation-login/routes-domains.ts'
import { passwordRoutes } from '#server/features/password/routes.ts'
import { proofRoutes } from '#server/features/password/routes-proof.ts'
import { projectRoutes } from '#server/features/project/routes.ts'
import { pursuitRoutes } from '#server/features/pursuit/routes.ts'
import { noteFileRoutes } from '#server/features/pursuit/routes-files.ts'
import { teamRoutes } from '#server/features/pursuit/routes-team.ts'
import { pushRoutes } from '#server/features/push/routes.ts'
import { qualificationRoutes } from '#server/features/qualification/routes.ts'
import { registrationRoutes } from '#server/features/registration/routes.ts'
import { reportRoutes } from '#server/features/report/routes.ts'
import { reportExportRoutes } from '#server/features/report-export/routes.ts'
import { reportMailParts } from '#server/features/report-mail/mail-parts.ts'
import { mailLinkRoutes } from '#server/features/report-mail/routes-links.ts'
import { reportMailPreviewRoutes } from '#server/features/report-mail/routes-preview.ts'
import { resultsRoutes } from '#server/features/results/routes.ts'
import { questionRoutes } from '#server/features/saved-question/routes.ts'
import type { FactorSource } from '#server/features/second-factor/factor-source.ts'
import { secondFactorRoutes } from '#server/features/second-factor/routes.ts'
import { passkeyRoutes } from '#server/features/second-factor/routes-passkeys.ts'
import { sessionRoutes } from '#server/features/session/routes.ts'
import { sessionListRoutes } from '#server/features/session/routes-list.ts'
import type { Sessions } from '#server/features/session/sessions.ts'
import { shortLinkRoutes } from '#server/features/short-link/routes.ts'
import { starterWordRoutes } from '#server/features/starter-word/routes.ts'
import { termAdviceRoutes } from '#server/features/term-advice/routes.ts'
import { usageLogRoutes } from '#server/features/usage-log/routes.ts'
import { userRoutes } from '#server/features/user/routes.ts'
import { webhookContext } from '#server/features/webhook/change-webhooks.ts'
import { webhookRoutes } from '#server/features/webhook/routes.ts'
import { whoWinsRoutes } from '#server/features/who-wins/routes.ts'
import { whoWinsFileRoutes } from '#server/features/who-wins/routes-file.ts'
import { createGuardedFetch } from '#server/outgoing/guarded-fetch.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import type { holdBudgetTexts, holdMemory } from './held-memory.ts'
import { baseUrlOf, DEFAULT_LIMITS, type documentSettings, type HttpSettings } from './http-settings.ts'
import { isHttps } from './security-headers.ts'
import { recordReading } from './usage-recorder.ts'

type ApiParts = {
  readonly sessions: Sessions
  readonly factors: FactorSource
  readonly settings: HttpSettings
  /** What the process holds of the database. */
  readonly held: ReturnType<typeof holdMemory>
  readonly texts: ReturnType<typeof holdBudgetTexts>
  readonly documentFiles: ReturnType<typeof documentSettings>
  areDocumentsThere(): Promise<boolean>
}

/** Every route below /api/v2. The scope has its guard, its limits and its turns by then. */
export function apiRoutes(
  scope: RouteApp,
  context: RouteContext,
  { sessions, factors, settings, held, texts, documentFiles, areDocumentsThere }: ApiParts,
): void {
  const secureCookies = isHttps(settings)
  const memory = held.report
  sessionRoutes(scope, context, { sessions, factors, secureCookies })
  sessionListRoutes(scope, context)
  registrationRoutes(scope, {
    ...context,
    secrets: settings.authSecrets,
    enumeration: settings.enumeration ?? 'open',
    unproved: {
      perAddress: settings.limits?.checkUnproved ?? DEFAULT_LIMITS.checkUnproved,
      ofAll: settings.limits?.checkUnprovedAll ?? DEFAULT_LIMITS.checkUnprovedAll,
    },
    sessions,
    secureCookies,
  })
  passwordRoutes(scope, context)
  proofRoutes(scope, { ...context, factors })
  secondFactorRoutes(scope, { ...context, factors })
  passkeyRoutes(scope, { ...context, factors })
  emailChangeRoutes(scope, context)
  memberRoutes(scope, { ...context, sessions, secureCookies, openPursuits: { lock: lockBoard, handOver } })
  const fetch = createGuardedFetch({ isLoopbackAllowed: settings.localWebhooks ?? false })
  const providers = createProviders(settings.organisationLogin ?? {}, fetch)
  const redirectUri = () => new URL(RETURN_PATH, baseUrlOf(settings)).href
  const organisationLogin = () => ({ ...context, ...factors(), sessions, providers, redirectUri: redirectUri() })
  organisationLoginRoutes(scope, organisationLogin, secureCookies)
  loginDomainRoutes(scope, { ...context, providers, resolveTxt: settings.resolveTxt ?? resolveTxt })
  apiKeyRoutes(scope, context)
  webhookRoutes(scope, webhookContext({ ...context, factors }, settings))
  recordReading(scope, context)
  userRoutes(scope, context)
  usageLogRoutes(scope, context)
  notificationRoutes(scope, context)
  followRoutes(scope, context)
  channelRoutes(scope, { ...context, channels: settings.channels ?? [] })
  const secrets = settings.authSecrets
  lineRoutes(scope, { ...context, isLineOn: settings.line !== undefined, secrets })
  lineWebhookRoutes(scope, { ...context, line: settings.line, secrets })
  if (settings.push) pushRoutes(scope, { ...context, push: settings.push })
  organisationRoutes(scope, context)
  const keywords = keywordContext(context, settings.embeddings, (error) =>
    scope.log.warn({ err: error }, 'embeddings endpoint left out'),
  )
  keywordRoutes(scope, keywords)
  matchingProgressRoutes(scope, context)
  wordPassageRoutes(scope, context)
  const recentProjects = createRecentProjects(context.db, context.now)
  impactRoutes(scope, { ...keywords, recentProjects })
  const yearTitles = createYearTitles(context.db, context.now)
  evidenceRoutes(scope, context, yearTitles)
  lessonRoutes(scope, keywords, yearTitles)
  termAdviceRoutes(scope, context)
  departmentRoutes(scope, context)
  starterWordRoutes(scope, context)
  reportRoutes(scope, { ...context, memory })
  const mailParts = reportMailParts(settings.authSecrets, context.mails, memory)
  reportMailPreviewRoutes(scope, context, mailParts)
  mailLinkRoutes(scope, { ...context, tokens: mailParts.tokens, switchQuestionMails })
  const hourly = settings.limits?.exportsHourly ?? DEFAULT_LIMITS.exportsHourly
  reportExportRoutes(scope, { ...context, factors, hourly })
  shortLinkRoutes(scope, context)
  morningQueueRoutes(scope, { ...context, memory })
  calendarRoutes(scope, context)
  contractEndRoutes(scope, context)
  calendarFeedRoutes(scope, { ...context, memory })
  projectRoutes(scope, context)
  pursuitRoutes(scope, context)
  teamRoutes(scope, context)
  resultsRoutes(scope, context)
  qualificationRoutes(scope, context)
  const readsPictures = settings.readsPictures ?? false
  const documents = { ...context, ...documentFiles, readsPictures }
  documentRoutes(scope, documents)
  noteFileRoutes(scope, documents)
  documentReaderRoutes(scope, documents)
  documentComparisonRoutes(scope, documents)
  documentPictureRoutes(scope, documents)
  documentAnswerRoutes(scope, { ...context, languageModel: settings.languageModel })
  budgetRoutes(scope, { ...context, texts })
  const companies = { ...context, memory: held.companies }
  whoWinsRoutes(scope, { ...context, memory: held.awards })
  whoWinsFileRoutes(scope, { ...context, memory: held.awards })
  questionRoutes(scope, context)
  agencyRoutes(scope, { ...context, memory: held.awards })
  companyListRoutes(scope, companies)
  companyRoutes(scope, context)
  companyFileRoutes(scope, companies)
  companyComparisonRoutes(scope, companies)
  operationSourceRoutes(scope, context)
  operationLoadRoutes(scope, context)
  const operating = { ...context, restartable: settings.restartableJobs ?? [], recentProjects }
  operationOrganisationRoutes(scope, operating)
  operationOverviewRoutes(scope, { ...operating, areDocumentsThere })
  operationJobRoutes(scope, operating)
  operationChannelRoutes(scope, { ...context, channels: settings.channels ?? [], hasMail: settings.hasMail ?? false })
  operationKeywordRoutes(scope, operating)
  operationDocumentRoutes(scope, { ...operating, store: documents.store, readsPictures })
}
