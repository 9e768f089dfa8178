import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Db } from '#server/db/db.ts'
import type { Actor } from './actor.ts'

/** The Fastify instance as feature routes see it: schemas from `contract/`, types inferred from them. */
export type RouteApp = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** What the HTTP floor hands to every feature's routes. */
export type RouteContext = {
  readonly db: Db
  /** The signed-in user of this request; throws `session_invalid` when there is none. */
  actorOf(request: Pick<FastifyRequest, 'headers' | 'id'>): Promise<Actor>
  /** The present moment; tests set it. */
  now(): Date
}
