import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { createSecondFactorSource } from '#server/account/second-factor/second-factor-source.ts'
import { createSessionService } from '#server/account/session/create-sessions.ts'
import { createDemoOrganisationCheck } from '#server/account/session/demo-visitor-queries.ts'
import { withApiKeyAuthentication } from '#server/channels/api-key/with-api-key-authentication.ts'
import { mailOutboxRoutes } from '#server/channels/mail-outbox/routes.ts'
import type { DatabaseReplicas } from '#server/platform/engine/database-replicas.ts'
import type { ConnectionCounts, Db } from '#server/platform/engine/db.ts'
import { precomputeDummyPasswordHash } from '#server/platform/route/password-hash.ts'
import { responseSerializer } from '#server/platform/route/response-serializer.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { serveApiDocs } from './api-docs.ts'
import { apiRoutes } from './api-routes.ts'
import { createCachePreloads } from './cache-preloads.ts'
import { collectRoutes, type ListedRoute } from './collect-routes.ts'
import { createDiskFullCheck } from './create-disk-full-check.ts'
import {
  createMailQueueFromSettings,
  DEFAULT_RATE_LIMITS,
  getBaseUrl,
  type HttpSettings,
  toDocumentSettings,
} from './http-settings.ts'
import {
  abortSlowRequestBodies,
  limitConcurrentUploads,
  MAX_UPLOAD_DURATION_MS,
} from './limit/abort-slow-request-bodies.ts'
import { createCostlyRequestQueues, queueCostlyRequests } from './limit/costly-routes.ts'
import { registerRateLimits } from './limit/register-rate-limits.ts'
import { closeConnectionsWhileDraining, createServerDrain, type ServerDrain } from './limit/server-drain.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { createDocumentStoreCheck } from './operate/create-document-store-check.ts'
import { createServerMetrics } from './operate/create-metrics.ts'
import { cspReportRoutes } from './operate/csp-reports.ts'
import { createReadinessCheck, createReplicationWatcher, refuseWritesWhenStandbyMissing } from './operate/health.ts'
import { operationRoutes, registerMetricsRoute, registerSecurityTxtRoute } from './operate/operation-routes.ts'
import { recordServedRequests, registerRequestCountsByMinute } from './operate/request-minute-counts.ts'
import { createBudgetTextCache, createQueryCaches, preloadQueryCaches } from './query-caches.ts'
import { registerProblemHandler, registerUnknownUrlHandler } from './register-problem-handlers.ts'
import { registerRequestGuards, registerRequestLogging, requireSession } from './register-request-guards.ts'
import { allowReplicaReadsWhenPrimaryMissing, routeReadsToReplicas } from './replica-routes.ts'
import { createSecurityHeaders, hasHttpsPublicUrl } from './security-headers.ts'
import { type ClientFiles, serveClientFiles } from './serve-client-files.ts'
import { createServerOptions, limitConnections } from './server-options.ts'

/**
 * Maximum nesting of a JSON body. Our deepest body has five levels; anything deeper is an attack on recursive code
 * (R39).
 */
const MAX_DEPTH = 32

/**
 * Accepts only JSON bodies: 415 for other types, 400 for broken JSON, `__proto__` keys and deep nesting. An empty body
 * counts as no body.
 */
function acceptOnlyJson(app: RouteApp): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') done(null, undefined)
    else if (isJsonNestedDeeperThan(MAX_DEPTH, text)) done(new ProblemError('bad_input'), undefined)
    else void parse(request, text, done)
  })
}

/**
 * True if the JSON text nests deeper than `limit`. Ignores brackets in strings. Iterative, so deep input cannot
 * overflow the stack.
 */
export function isJsonNestedDeeperThan(limit: number, json: string): boolean {
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
    readonly listedRoutes: readonly ListedRoute[]
  }
}

/**
 * Time limit of a whole request. Only a backstop: except for files, the limits in `abort-slow-request-bodies.ts` are
 * shorter.
 */
const MAX_REQUEST_MS = MAX_UPLOAD_DURATION_MS + 60_000

/**
 * Brotli quality 4 compresses a page of 50 rows in 2 ms, and the result is within a few percent of the slow qualities.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

type AppParts = {
  readonly db: Db & { connections?(): ConnectionCounts }
  readonly settings: HttpSettings
  readonly replicas?: DatabaseReplicas | undefined
  readonly now?: () => Date
  readonly drain?: ServerDrain
}

/** Builds the app. The caller must close the server first and the database second. */
export async function buildApp({
  db,
  replicas,
  settings,
  now = () => new Date(),
  drain = createServerDrain(),
}: AppParts): Promise<RouteApp> {
  let client: ClientFiles | undefined
  const sendLostPage = async (request: FastifyRequest, reply: FastifyReply) =>
    (await client?.sendPage(request, reply, 404)) ?? false
  const options = { ...createServerOptions(settings, sendLostPage), requestTimeout: MAX_REQUEST_MS }
  const app: RouteApp = Fastify(options).withTypeProvider<ZodTypeProvider>()
  limitConnections(app.server)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(responseSerializer)
  acceptOnlyJson(app)

  const sessions = createSessionService(db, settings.authSecrets, now)
  const callers = withApiKeyAuthentication(sessions, db, now)
  const context: RouteContext = { db, actorOf: callers.actorOf, now, mails: createMailQueueFromSettings(settings) }
  const hasStandIn = () => replicas?.hasStandIn() === true
  const isReady = createReadinessCheck(db, hasStandIn)
  const replication = createReplicationWatcher(db)
  const waiting = settings.limits?.organisationWaiting ?? DEFAULT_RATE_LIMITS.organisationWaiting
  const caches = createQueryCaches(app, db, settings.reportMemoryMb)
  const memory = caches.report
  const preloads = createCachePreloads(app)
  const work = createCostlyRequestQueues(db.engine, {
    waitingEach: waiting,
    isReading: () => memory?.stats().isReadingAll === true,
  })
  const metrics = createServerMetrics({
    db,
    isReady,
    jobKinds: settings.jobKinds ?? [],
    turns: work.counts,
    filesDir: settings.dataDir ?? settings.documentsDir,
    ...(replicas && { replicas }),
    ...(memory && { memory: () => memory.stats() }),
  })
  const routes = collectRoutes(app)
  app.decorate('listedRoutes', routes)

  await app.register(cookie)
  await app.register(compress, { global: true, encodings: ['br', 'gzip'], threshold: 1024, brotliOptions: BROTLI })
  registerRequestGuards(app, settings)
  abortSlowRequestBodies(app)
  registerRequestLogging(app, metrics, callers.claimsOf)
  registerProblemHandler(app, context)
  if (settings.apiDocs) await serveApiDocs(app)
  closeConnectionsWhileDraining(drain, app)
  const documentFiles = toDocumentSettings(settings)
  const areDocumentsThere = createDocumentStoreCheck(documentFiles.store, app.log)
  operationRoutes(app, async () => !drain.isDraining() && (await isReady()), {
    isDiskFull: createDiskFullCheck(settings.dataDir, app.log),
    sampleProgress: settings.sampleProgress,
    areDocumentsThere,
    synchronousStandbys: replication.text,
    isReadOnly: () => !drain.isDraining() && hasStandIn(),
  })
  registerMetricsRoute(app, metrics, settings.metrics)
  registerSecurityTxtRoute(app, { ...settings, now })
  await app.register(
    async (scope: RouteApp) => {
      if (replicas) allowReplicaReadsWhenPrimaryMissing(scope)
      await registerRateLimits(scope, { db, now }, settings.limits, callers.claimsOf)
      queueCostlyRequests(scope, work, { claimsOf: callers.claimsOf, isDemo: createDemoOrganisationCheck(db) })
      const factors = createSecondFactorSource(settings.authSecrets, () => getBaseUrl(settings))
      requireSession(scope, context, factors)
      limitConcurrentUploads(scope, callers.claimsOf)
      registerRequestCountsByMinute(scope, context)
      recordServedRequests(scope, context)
      const secureCookies = hasHttpsPublicUrl(settings)
      if (replicas) routeReadsToReplicas(scope, { replicas, claimsOf: sessions.claimsOf, secureCookies })
      const policy = createSecurityHeaders(settings)['content-security-policy']!
      const texts = createBudgetTextCache(app, db, settings.reportMemoryMb)
      mcpRoutes(scope, context)
      await scope.register(
        async (api: RouteApp) => {
          refuseWritesWhenStandbyMissing(api, replication)
          await cspReportRoutes(api, { policy, count: metrics.countViolation, now })
          apiRoutes(api, context, {
            ...{ sessions, factors, settings, caches, texts, documentFiles, areDocumentsThere },
            preload: preloads.add,
          })
        },
        { prefix: '/v2' },
      )
    },
    { prefix: '/api' },
  )
  if (settings.outbox) mailOutboxRoutes(app, { db, secrets: settings.authSecrets })
  if (settings.distDir !== undefined)
    client = await serveClientFiles(app, settings.distDir, { ...settings, baseUrl: () => getBaseUrl(settings) })
  registerUnknownUrlHandler(app, routes, client)
  // Last, because it takes a minute and the routes' caches take seconds; the report's columns load without it.
  preloads.add(() => preloadQueryCaches(db, caches, now()))
  await precomputeDummyPasswordHash()
  await app.ready()
  return app
}
