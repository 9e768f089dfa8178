import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { ApiKeyScope } from '#contract/account/api-key.ts'
import type { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor, API_KEY_ROLE, OrganisationFeature } from './actor.ts'
import type { OutgoingMailQueue } from './outgoing-mail.ts'
import type { UsageEvent } from './usage-events.ts'

export type UsageDescription = Pick<UsageEvent, 'type' | 'description' | 'info'>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes under /api/v2 return 401 without a session unless `public: true`. */
    public?: boolean
    /**
     * Returns 403 unless the organisation's flags enable one of these features: the browser's route guard is no
     * protection (C16).
     */
    feature?: OrganisationFeature | readonly OrganisationFeature[]
    /**
     * Returns 403 for all other roles. Operator routes see all organisations. Demo visitors are never super users. The
     * role of API keys opens a route to keys of every scope.
     */
    role?: 'super_user' | typeof OPERATOR_ROLE | typeof API_KEY_ROLE
    /** Opens the route to operators too, who otherwise have access only to the routes of their role (R61). */
    operator?: true
    /** Returns 403 with the problem named here for demo visitors, who share one organisation (C6). */
    demo?: 'forbidden' | 'demo_read_only'
    /** Opens the route to API keys of this scope too, which otherwise have no access. Read-only routes only. */
    key?: ApiKeyScope
    /** Returns 403 `proof_needed` unless the user reauthenticated within ten minutes (R64). */
    fresh?: true
    /**
     * Keeps the route accessible while the user has not yet set up a required second factor, which blocks other routes
     * (R68).
     */
    setUp?: true
    /** Also returns the message of a refusal in the list `errors` (specification section 8, uniqueness checks). */
    errorList?: boolean
    /** Returns the usage log entry for a successful GET; undefined for none. */
    usage?: (request: FastifyRequest) => UsageDescription | undefined
  }
}

export type RouteApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** For routes with a cache that takes seconds to load: registers its load to run in the background after a start. */
export type PreloadContext = { preload(load: () => Promise<unknown>): void }

export type RouteContext = {
  readonly db: Db
  actorOf(request: Pick<FastifyRequest, 'headers' | 'id'>): Promise<Actor>
  now(): Date
  readonly mails: OutgoingMailQueue
}
