import { ORGANISATION_LOGIN_CALLBACK_PATH } from '#contract/account/organisation-login.ts'
import { emailChangeRoutes } from '#server/account/email-change/routes.ts'
import { memberRoutes } from '#server/account/member/routes.ts'
import { notificationRoutes } from '#server/account/notification/routes.ts'
import { organisationRoutes } from '#server/account/organisation/routes.ts'
import { resolveTxtRecords } from '#server/account/organisation-login/domain-proof.ts'
import { createLoginProviders } from '#server/account/organisation-login/providers.ts'
import { organisationLoginRoutes } from '#server/account/organisation-login/routes.ts'
import { loginDomainRoutes } from '#server/account/organisation-login/routes-domains.ts'
import { passwordRoutes } from '#server/account/password/routes.ts'
import { identityProofRoutes } from '#server/account/password/routes-identity-proof.ts'
import { qualificationRoutes } from '#server/account/qualification/routes.ts'
import { registrationRoutes } from '#server/account/registration/routes.ts'
import { reportCardRoutes } from '#server/account/report-card/routes.ts'
import { secondFactorRoutes } from '#server/account/second-factor/routes.ts'
import { passkeyRoutes } from '#server/account/second-factor/routes-passkeys.ts'
import type { SecondFactorSource } from '#server/account/second-factor/second-factor-source.ts'
import type { SessionService } from '#server/account/session/create-sessions.ts'
import { sessionRoutes } from '#server/account/session/routes.ts'
import { sessionListRoutes } from '#server/account/session/routes-session-list.ts'
import { usageLogRoutes } from '#server/account/usage-log/routes.ts'
import { coverageRoutes } from '#server/catalogue/announcement-coverage/routes.ts'
import { departmentRoutes } from '#server/catalogue/department/routes.ts'
import { apiKeyRoutes } from '#server/channels/api-key/routes.ts'
import { notificationChannelRoutes } from '#server/channels/channel/routes.ts'
import { lineRoutes } from '#server/channels/line/routes.ts'
import { lineWebhookRoutes } from '#server/channels/line/routes-webhook.ts'
import { pushRoutes } from '#server/channels/push/routes.ts'
import { createWebhookContext } from '#server/channels/webhook/change-webhooks.ts'
import { webhookRoutes } from '#server/channels/webhook/routes.ts'
import { documentRoutes } from '#server/documents/routes.ts'
import { documentAnswerRoutes } from '#server/documents/routes-answer.ts'
import { documentComparisonRoutes } from '#server/documents/routes-comparison.ts'
import { draftObservationRoutes } from '#server/documents/routes-observations.ts'
import { documentImageRoutes } from '#server/documents/routes-pictures.ts'
import { documentReaderRoutes } from '#server/documents/routes-reader.ts'
import { agencyRoutes } from '#server/market/agency/routes.ts'
import { budgetRoutes } from '#server/market/budget/routes.ts'
import { companyRoutes } from '#server/market/company/routes.ts'
import { companyWorkbookRoutes } from '#server/market/company/routes-file.ts'
import { companyListRoutes } from '#server/market/company/routes-list.ts'
import { companyComparisonRoutes } from '#server/market/company-comparison/routes.ts'
import { firstListRoutes } from '#server/market/first-list/routes.ts'
import { setSavedQuestionMailEnabled } from '#server/market/saved-question/queries.ts'
import { savedQuestionRoutes } from '#server/market/saved-question/routes.ts'
import { whoWinsRoutes } from '#server/market/who-wins/routes.ts'
import { whoWinsWorkbookRoutes } from '#server/market/who-wins/routes-award-file.ts'
import { keywordPassageRoutes } from '#server/matching/documents/routes-passages.ts'
import { createKeywordRouteContext } from '#server/matching/keyword/keyword-context.ts'
import { keywordRoutes } from '#server/matching/keyword/routes.ts'
import { keywordEvidenceRoutes } from '#server/matching/keyword-impact/routes-evidence.ts'
import { keywordImpactRoutes } from '#server/matching/keyword-impact/routes-impact.ts'
import { keywordTrainingRoutes } from '#server/matching/keyword-impact/routes-lesson.ts'
import { createRecentYearProjectTitlesCache } from '#server/matching/keyword-impact/year-titles.ts'
import { createRecentProjectsCache } from '#server/matching/recent-projects.ts'
import { matchingProgressRoutes } from '#server/matching/routes-progress.ts'
import { starterKeywordRoutes } from '#server/matching/starter-keyword/routes.ts'
import { keywordTermAdviceRoutes } from '#server/matching/term-advice/routes.ts'
import { operationChannelRoutes } from '#server/operation/routes-channels.ts'
import { operationDocumentRoutes } from '#server/operation/routes-documents.ts'
import { operationJobRoutes } from '#server/operation/routes-jobs.ts'
import { operationKeywordRoutes } from '#server/operation/routes-keywords.ts'
import { operationDataLoadRoutes } from '#server/operation/routes-loads.ts'
import { operationOrganisationRoutes } from '#server/operation/routes-organisations.ts'
import { operationOverviewRoutes } from '#server/operation/routes-overview.ts'
import { operationSourceRoutes } from '#server/operation/routes-sources.ts'
import { createGuardedFetch } from '#server/platform/outgoing/guarded-fetch.ts'
import type { PreloadContext, RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { contractEndRoutes } from '#server/report/contract-end/routes.ts'
import { eligibilityRoutes } from '#server/report/eligibility/routes.ts'
import { reportExportRoutes } from '#server/report/export/routes.ts'
import { followRoutes } from '#server/report/follow/routes.ts'
import { createReportMailDependencies } from '#server/report/mail/create-report-mail-dependencies.ts'
import { mailLinkRoutes } from '#server/report/mail/routes-links.ts'
import { reportMailPreviewRoutes } from '#server/report/mail/routes-preview.ts'
import { morningQueueRoutes } from '#server/report/morning-queue/routes.ts'
import { loadNameWordExtractor } from '#server/report/project/name-word-extractor.ts'
import { projectRoutes } from '#server/report/project/routes.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { reportRoutes } from '#server/report/routes.ts'
import { shortLinkRoutes } from '#server/report/short-link/routes.ts'
import { userRoutes } from '#server/report/user/routes.ts'
import { calendarRoutes } from '#server/team/calendar/routes.ts'
import { calendarFeedRoutes } from '#server/team/calendar/routes-feeds.ts'
import { draftCommentRoutes } from '#server/team/draft-comment/routes.ts'
import { lockPursuitBoard } from '#server/team/pursuit/queries.ts'
import { pursuitRoutes } from '#server/team/pursuit/routes.ts'
import { noteFileRoutes } from '#server/team/pursuit/routes-files.ts'
import { teamLabelAndViewRoutes } from '#server/team/pursuit/routes-team.ts'
import { transferPursuits } from '#server/team/pursuit/transfer-pursuits.ts'
import { teamResultsRoutes } from '#server/team/results/routes.ts'
import { DEFAULT_RATE_LIMITS, getBaseUrl, type HttpSettings, type toDocumentSettings } from './http-settings.ts'
import type { createBudgetTextCache, createQueryCaches } from './query-caches.ts'
import { hasHttpsPublicUrl } from './security-headers.ts'
import { registerUsageRecorderForReads } from './usage-recorder.ts'

type ApiParts = PreloadContext & {
  readonly sessions: SessionService
  readonly factors: SecondFactorSource
  readonly settings: HttpSettings
  readonly caches: ReturnType<typeof createQueryCaches>
  readonly texts: ReturnType<typeof createBudgetTextCache>
  readonly documentFiles: ReturnType<typeof toDocumentSettings>
  areDocumentsThere(): Promise<boolean>
}

/** Registers the API routes. Register the guard, the rate limits and the turn queues on the scope first. */
export function apiRoutes(
  scope: RouteApp,
  context: RouteContext,
  { sessions, factors, settings, caches, texts, documentFiles, areDocumentsThere, preload }: ApiParts,
): void {
  const secureCookies = hasHttpsPublicUrl(settings)
  const reports = createReportEngine(context.db, caches.report)
  sessionRoutes(scope, context, { sessions, factors, secureCookies })
  sessionListRoutes(scope, context)
  registrationRoutes(scope, {
    ...context,
    secrets: settings.authSecrets,
    enumeration: settings.enumeration ?? 'open',
    unproved: {
      perAddress: settings.limits?.checkUnproved ?? DEFAULT_RATE_LIMITS.checkUnproved,
      ofAll: settings.limits?.checkUnprovedAll ?? DEFAULT_RATE_LIMITS.checkUnprovedAll,
    },
    sessions,
    secureCookies,
  })
  passwordRoutes(scope, context)
  identityProofRoutes(scope, { ...context, factors })
  secondFactorRoutes(scope, { ...context, factors })
  passkeyRoutes(scope, { ...context, factors })
  emailChangeRoutes(scope, context)
  memberRoutes(scope, {
    ...context,
    sessions,
    secureCookies,
    openPursuits: { lock: lockPursuitBoard, handOver: transferPursuits },
  })
  const fetch = createGuardedFetch({ isLoopbackAllowed: settings.localWebhooks ?? false })
  const providers = createLoginProviders(settings.organisationLogin ?? {}, fetch)
  const redirectUri = () => new URL(ORGANISATION_LOGIN_CALLBACK_PATH, getBaseUrl(settings)).href
  const organisationLogin = () => ({ ...context, ...factors(), sessions, providers, redirectUri: redirectUri() })
  organisationLoginRoutes(scope, organisationLogin, secureCookies)
  loginDomainRoutes(scope, { ...context, providers, resolveTxt: settings.resolveTxt ?? resolveTxtRecords })
  apiKeyRoutes(scope, context)
  webhookRoutes(scope, createWebhookContext({ ...context, factors }, settings))
  registerUsageRecorderForReads(scope, context)
  userRoutes(scope, context)
  usageLogRoutes(scope, context)
  notificationRoutes(scope, context)
  followRoutes(scope, context)
  notificationChannelRoutes(scope, { ...context, channels: settings.channels ?? [] })
  const secrets = settings.authSecrets
  lineRoutes(scope, { ...context, isLineOn: settings.line !== undefined, secrets })
  lineWebhookRoutes(scope, { ...context, line: settings.line, secrets })
  if (settings.push) pushRoutes(scope, { ...context, push: settings.push })
  organisationRoutes(scope, context)
  const keywords = createKeywordRouteContext(context, settings.embeddings, (error) =>
    scope.log.warn({ err: error }, 'embeddings endpoint skipped'),
  )
  keywordRoutes(scope, keywords)
  matchingProgressRoutes(scope, context)
  keywordPassageRoutes(scope, context)
  const recentProjects = createRecentProjectsCache(context.db, context.now)
  preload(recentProjects)
  keywordImpactRoutes(scope, { ...keywords, recentProjects })
  const yearTitles = createRecentYearProjectTitlesCache(context.db, context.now)
  preload(yearTitles)
  keywordEvidenceRoutes(scope, context, yearTitles)
  keywordTrainingRoutes(scope, keywords, yearTitles)
  keywordTermAdviceRoutes(scope, context)
  departmentRoutes(scope, { ...context, preload })
  coverageRoutes(scope, context)
  starterKeywordRoutes(scope, context)
  reportRoutes(scope, { ...context, reports })
  eligibilityRoutes(scope, { ...context, reports })
  const mailParts = createReportMailDependencies(settings.authSecrets, context.mails, reports)
  reportMailPreviewRoutes(scope, context, mailParts)
  mailLinkRoutes(scope, { ...context, tokens: mailParts.tokens, switchQuestionMails: setSavedQuestionMailEnabled })
  const hourly = settings.limits?.exportsHourly ?? DEFAULT_RATE_LIMITS.exportsHourly
  reportExportRoutes(scope, { ...context, factors, hourly })
  shortLinkRoutes(scope, context)
  morningQueueRoutes(scope, { ...context, reports })
  calendarRoutes(scope, context)
  contractEndRoutes(scope, context)
  calendarFeedRoutes(scope, { ...context, reports })
  preload(loadNameWordExtractor)
  projectRoutes(scope, context)
  pursuitRoutes(scope, context)
  draftCommentRoutes(scope, context)
  reportCardRoutes(scope, context)
  teamLabelAndViewRoutes(scope, context)
  teamResultsRoutes(scope, context)
  qualificationRoutes(scope, context)
  const readsPictures = settings.readsPictures ?? false
  const documents = { ...context, ...documentFiles, readsPictures }
  documentRoutes(scope, documents)
  noteFileRoutes(scope, documents)
  documentReaderRoutes(scope, documents)
  documentComparisonRoutes(scope, documents)
  draftObservationRoutes(scope, documents)
  documentImageRoutes(scope, documents)
  documentAnswerRoutes(scope, { ...context, languageModel: settings.languageModel })
  budgetRoutes(scope, { ...context, texts })
  const companies = { ...context, memory: caches.companies }
  whoWinsRoutes(scope, { ...context, memory: caches.awards })
  whoWinsWorkbookRoutes(scope, { ...context, memory: caches.awards })
  savedQuestionRoutes(scope, context)
  agencyRoutes(scope, { ...context, memory: caches.awards })
  companyListRoutes(scope, companies)
  companyRoutes(scope, context)
  firstListRoutes(scope, { ...context, preload })
  companyWorkbookRoutes(scope, companies)
  companyComparisonRoutes(scope, companies)
  operationSourceRoutes(scope, context)
  operationDataLoadRoutes(scope, context)
  const operating = { ...context, restartable: settings.restartableJobs ?? [], recentProjects }
  operationOrganisationRoutes(scope, operating)
  operationOverviewRoutes(scope, { ...operating, areDocumentsThere })
  operationJobRoutes(scope, operating)
  operationChannelRoutes(scope, { ...context, channels: settings.channels ?? [], hasMail: settings.hasMail ?? false })
  operationKeywordRoutes(scope, operating)
  operationDocumentRoutes(scope, { ...operating, store: documents.store, readsPictures })
}
