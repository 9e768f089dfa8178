import Fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Db } from '#server/engine/db.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import type { HttpSettings } from '../http-settings.ts'
import { limitConnections, serverOptions } from '../server-options.ts'
import { createReadiness } from './health.ts'
import { createMetrics } from './metrics.ts'
import { metricsRoute, operationRoutes } from './operation-routes.ts'

/** The operating routes of a worker (`/livez`, `/readyz`, `/metrics`) and its log. It has no route of the API. */
export async function buildWorkerApp(db: Db, settings: HttpSettings): Promise<RouteApp> {
  const app: RouteApp = Fastify(serverOptions(settings)).withTypeProvider<ZodTypeProvider>()
  limitConnections(app.server)
  const isReady = createReadiness(db)
  operationRoutes(app, isReady)
  // Its port is its own, and no proxy leads people there.
  metricsRoute(app, createMetrics({ db, isReady, jobKinds: settings.jobKinds ?? [] }), 'open')
  await app.ready()
  return app
}
