import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { ConnectionCounts, Db } from '#server/engine/db.ts'
import type { Replicas } from '#server/engine/replicas.ts'
import { agencyRoutes } from '#server/features/agency/routes.ts'
import { callersWithKeys } from '#server/features/api-key/key-callers.ts'
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
import { followRoutes } from '#server/features/follow/routes.ts'
import { keywordContext } from '#server/features/keyword/keyword-context.ts'
import { keywordRoutes } from '#server/features/keyword/routes.ts'
import { evidenceRoutes } from '#server/features/keyword-impact/routes-evidence.ts'
import { impactRoutes } from '#server/features/keyword-impact/routes-impact.ts'
import { lessonRoutes } from '#server/features/keyword-impact/routes-lesson.ts'
import { createYearTitles } from '#server/features/keyword-impact/year-titles.ts'
import { lineRoutes } from '#server/features/line/routes.ts'
import { lineWebhookRoutes } from '#server/features/line/routes-webhook.ts'
import { outboxRoutes } from '#server/features/mail-outbox/routes.ts'
import { createRecentProjects } from '#server/features/matching/recent-projects.ts'
import { matchingProgressRoutes } from '#server/features/matching/routes-progress.ts'
import { memberRoutes } from '#server/features/member/routes.ts'
import { morningQueueRoutes } from '#server/features/morning-queue/routes.ts'
import { notificationRoutes } from '#server/features/notification/routes.ts'
import { operationDocumentRoutes } from '#server/features/operation/routes-documents.ts'
import { operationJobRoutes } from '#server/features/operation/routes-jobs.ts'
import { operationKeywordRoutes } from '#server/features/operation/routes-keywords.ts'
import { operationLoadRoutes } from '#server/features/operation/routes-loads.ts'
import { operationOrganisationRoutes } from '#server/features/operation/routes-organisations.ts'
import { operationOverviewRoutes } from '#server/features/operation/routes-overview.ts'
import { operationSourceRoutes } from '#server/features/operation/routes-sources.ts'
import { organisationRoutes } from '#server/features/organisation/routes.ts'
import { passwordRoutes } from '#server/features/password/routes.ts'
import { projectRoutes } from '#server/features/project/routes.ts'
import { pursuitRoutes } from '#server/features/pursuit/routes.ts'
import { noteFileRoutes } from '#server/features/pursuit/routes-files.ts'
import { teamRoutes } from '#server/features/pursuit/routes-team.ts'
import { qualificationRoutes } from '#server/features/qualification/routes.ts'
import { registrationRoutes } from '#server/features/registration/routes.ts'
import { reportRoutes } from '#server/features/report/routes.ts'
import { reportExportRoutes } from '#server/features/report-export/routes.ts'
import { reportMailParts } from '#server/features/report-mail/mail-parts.ts'
import { mailLinkRoutes } from '#server/features/report-mail/routes-links.ts'
import { reportMailPreviewRoutes } from '#server/features/report-mail/routes-preview.ts'
import { resultsRoutes } from '#server/features/results/routes.ts'
import { questionRoutes } from '#server/features/saved-question/routes.ts'
import { createDemoCheck } from '#server/features/session/queries-visitor.ts'
import { sessionRoutes } from '#server/features/session/routes.ts'
import { sessionListRoutes } from '#server/features/session/routes-list.ts'
import { createSessions } from '#server/features/session/sessions.ts'
import { shortLinkRoutes } from '#server/features/short-link/routes.ts'
import { starterWordRoutes } from '#server/features/starter-word/routes.ts'
import { usageLogRoutes } from '#server/features/usage-log/routes.ts'
import { userRoutes } from '#server/features/user/routes.ts'
import { whoWinsRoutes } from '#server/features/who-wins/routes.ts'
import { whoWinsFileRoutes } from '#server/features/who-wins/routes-file.ts'
import { warmPasswordHash } from '#server/route/password-hash.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { answerProblems, answerUnknownAddresses } from './answer-problems.ts'
import { serveApiDocs } from './api-docs.ts'
import { type ClientFiles, serveClient } from './client-files.ts'
import { createDiskWatch } from './disk-watch.ts'
import { guardRequests, requireSession, watchRequests } from './guard-requests.ts'
import { holdBudgetTexts, holdMemory } from './held-memory.ts'
import { baseUrlOf, DEFAULT_LIMITS, documentSettings, type HttpSettings, outgoingMail } from './http-settings.ts'
import { createCostlyWork, takeTurns } from './limit/costly-routes.ts'
import { createDrain, type Drain, endConnectionsWhile } from './limit/drain.ts'
import { limitRates } from './limit/rate-limits.ts'
import { endSlowBodies, limitUploads, UPLOAD_MS } from './limit/slow-bodies.ts'
import { createDocumentWatch } from './operate/document-watch.ts'
import { createReadiness } from './operate/health.ts'
import { createMetrics } from './operate/metrics.ts'
import { recordMinutes } from './operate/minute-counts.ts'
import { metricsRoute, operationRoutes } from './operate/operation-routes.ts'
import { readFromReplicas } from './replica-routes.ts'
import { type ListedRoute, listRoutes } from './route-list.ts'
import { isHttps } from './security-headers.ts'
import { limitConnections, serverOptions } from './server-options.ts'
import { recordReading } from './usage-recorder.ts'

/** Our deepest body has five levels; deeper ones are only sent to hurt recursive code (R39). */
const MAX_DEPTH = 32

/** Takes JSON and nothing else: other types 415, broken JSON, `__proto__` keys and deep nesting 400. An empty body is no body. */
function acceptOnlyJson(app: RouteApp): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') done(null, undefined)
    else if (nestsDeeperThan(MAX_DEPTH, text)) done(new ProblemError('bad_input'), undefined)
    else void parse(request, text, done)
  })
}

/** Counts brackets outside strings, without recursion. */
export function nestsDeeperThan(limit: number, json: string): boolean {
  let depth = 0
  let isString = false
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index]
    if (isString) {
      if (character === '\\') index += 1
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > limit) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every registered route, trailing slashes removed. */
    readonly listedRoutes: readonly ListedRoute[]
  }
}

/** Node's own bound, behind those of `slow-bodies.ts`, which are shorter for all but files. */
const LONGEST_REQUEST_MS = UPLOAD_MS + 60_000

/** Quality 4: a page of 50 rows in 2 ms, within a few percent of the slow qualities. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

type AppParts = {
  readonly db: Db & { connections?(): ConnectionCounts }
  readonly settings: HttpSettings
  /** Where `db` may read besides the primary. */
  readonly replicas?: Replicas | undefined
  /** Tests set the clock. */
  readonly now?: () => Date
  /** Says when the server is to be sent nothing more. */
  readonly drain?: Drain
}

/** The whole HTTP server on one database, ready to `listen` or `inject`. The caller closes it, and the database after it. */
export async function buildApp({
  db,
  replicas,
  settings,
  now = () => new Date(),
  drain = createDrain(),
}: AppParts): Promise<RouteApp> {
  let client: ClientFiles | undefined
  const sendLostPage = async (request: FastifyRequest, reply: FastifyReply) =>
    (await client?.sendPage(request, reply, 404)) ?? false
  const options = { ...serverOptions(settings, sendLostPage), requestTimeout: LONGEST_REQUEST_MS }
  const app: RouteApp = Fastify(options).withTypeProvider<ZodTypeProvider>()
  limitConnections(app.server)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  acceptOnlyJson(app)

  const sessions = createSessions(db, settings.authSecrets, now)
  const callers = callersWithKeys(sessions, db, now)
  const context: RouteContext = { db, actorOf: callers.actorOf, now, mails: outgoingMail(settings) }
  const isReady = createReadiness(db)
  const waiting = settings.limits?.organisationWaiting ?? DEFAULT_LIMITS.organisationWaiting
  const work = createCostlyWork(db.engine, waiting)
  const held = holdMemory(app, db, settings.reportMemoryMb)
  const memory = held.report
  const metrics = createMetrics({
    db,
    isReady,
    jobKinds: settings.jobKinds ?? [],
    turns: work.counts,
    ...(replicas && { replicas }),
    ...(memory && { memory: () => memory.figures() }),
  })
  const routes = listRoutes(app)
  app.decorate('listedRoutes', routes)

  await app.register(cookie)
  await app.register(compress, { global: true, encodings: ['br', 'gzip'], threshold: 1024, brotliOptions: BROTLI })
  guardRequests(app, settings)
  endSlowBodies(app)
  watchRequests(app, metrics, callers.claimsOf)
  answerProblems(app, context)
  if (settings.apiDocs) await serveApiDocs(app)
  endConnectionsWhile(drain, app)
  const stored = documentSettings(settings)
  const areDocumentsThere = createDocumentWatch(stored.store, app.log)
  operationRoutes(app, async () => !drain.isDraining() && (await isReady()), {
    isDiskFull: createDiskWatch(settings.dataDir, app.log),
    sampleProgress: settings.sampleProgress,
    areDocumentsThere,
  })
  metricsRoute(app, metrics, settings.metrics)
  await app.register(
    async (scope: RouteApp) => {
      await limitRates(scope, settings.limits, callers.claimsOf)
      takeTurns(scope, work, { claimsOf: callers.claimsOf, isDemo: createDemoCheck(db) })
      requireSession(scope, context)
      limitUploads(scope, callers.claimsOf)
      recordMinutes(scope, context)
      const secureCookies = isHttps(settings)
      if (replicas) readFromReplicas(scope, { replicas, claimsOf: sessions.claimsOf, secureCookies })
      sessionRoutes(scope, context, { sessions, secureCookies })
      sessionListRoutes(scope, context)
      registrationRoutes(scope, {
        ...context,
        secrets: settings.authSecrets,
        enumeration: settings.enumeration ?? 'open',
        sessions,
        secureCookies,
      })
      passwordRoutes(scope, context)
      memberRoutes(scope, { ...context, sessions, secureCookies })
      apiKeyRoutes(scope, context)
      recordReading(scope, context)
      userRoutes(scope, context)
      usageLogRoutes(scope, context)
      notificationRoutes(scope, context)
      followRoutes(scope, context)
      const secrets = settings.authSecrets
      lineRoutes(scope, { ...context, isLineOn: settings.line !== undefined, secrets })
      lineWebhookRoutes(scope, { ...context, line: settings.line, secrets })
      channelRoutes(scope, { ...context, channels: settings.channels ?? [] })
      organisationRoutes(scope, context)
      const keywords = keywordContext(context, settings.embeddings, (error) =>
        app.log.warn({ err: error }, 'embeddings endpoint left out'),
      )
      keywordRoutes(scope, keywords)
      matchingProgressRoutes(scope, context)
      const recentProjects = createRecentProjects(db, context.now)
      impactRoutes(scope, { ...keywords, recentProjects })
      const yearTitles = createYearTitles(db, context.now)
      evidenceRoutes(scope, context, yearTitles)
      lessonRoutes(scope, keywords, yearTitles)
      departmentRoutes(scope, context)
      starterWordRoutes(scope, context)
      reportRoutes(scope, { ...context, memory })
      const mailParts = reportMailParts(settings.authSecrets, context.mails, memory)
      reportMailPreviewRoutes(scope, context, mailParts)
      mailLinkRoutes(scope, { ...context, tokens: mailParts.tokens })
      const hourly = settings.limits?.exportsHourly ?? DEFAULT_LIMITS.exportsHourly
      reportExportRoutes(scope, { ...context, hourly })
      shortLinkRoutes(scope, context)
      morningQueueRoutes(scope, { ...context, memory })
      calendarRoutes(scope, context)
      contractEndRoutes(scope, context)
      calendarFeedRoutes(scope, context)
      projectRoutes(scope, context)
      pursuitRoutes(scope, context)
      teamRoutes(scope, context)
      resultsRoutes(scope, context)
      qualificationRoutes(scope, context)
      const readsPictures = settings.readsPictures ?? false
      const documents = { ...context, ...stored, readsPictures }
      documentRoutes(scope, documents)
      noteFileRoutes(scope, documents)
      documentReaderRoutes(scope, documents)
      documentComparisonRoutes(scope, documents)
      documentPictureRoutes(scope, documents)
      documentAnswerRoutes(scope, { ...context, languageModel: settings.languageModel })
      budgetRoutes(scope, { ...context, texts: holdBudgetTexts(app, db, settings.reportMemoryMb) })
      const companies = { ...context, memory: held.companies }
      whoWinsRoutes(scope, { ...context, memory: held.awards })
      whoWinsFileRoutes(scope, { ...context, memory: held.awards })
      questionRoutes(scope, context)
      agencyRoutes(scope, { ...context, memory: held.awards })
      companyListRoutes(scope, companies)
      companyRoutes(scope, context)
      companyFileRoutes(scope, context)
      companyComparisonRoutes(scope, companies)
      operationSourceRoutes(scope, context)
      operationLoadRoutes(scope, context)
      const operating = { ...context, restartable: settings.restartableJobs ?? [], recentProjects }
      operationOrganisationRoutes(scope, operating)
      operationOverviewRoutes(scope, { ...operating, areDocumentsThere })
      operationJobRoutes(scope, operating)
      operationKeywordRoutes(scope, operating)
      operationDocumentRoutes(scope, { ...operating, store: documents.store, readsPictures })
    },
    { prefix: '/api/v2' },
  )
  if (settings.outbox) outboxRoutes(app, { db, secrets: settings.authSecrets })
  if (settings.distDir !== undefined)
    client = await serveClient(app, settings.distDir, { ...settings, baseUrl: () => baseUrlOf(settings) })
  answerUnknownAddresses(app, routes, client)
  await warmPasswordHash()
  await app.ready()
  return app
}
