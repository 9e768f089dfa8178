import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { ApiKeyScope } from '#contract/account/api-key.ts'
import type { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor, Feature } from './actor.ts'
import type { OutgoingMail } from './outgoing-mail.ts'
import type { UsageEvent } from './usage-events.ts'

/** A line of the usage log without who and when. */
export type UsageDescription = Pick<UsageEvent, 'type' | 'description' | 'info'>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes under /api/v2 answer 401 without a session unless they say `public: true`. */
    public?: boolean
    /** Answers 403 to organisations whose flags do not open this part, or none of these: the browser's route guard is not a lock (C16). */
    feature?: Feature | readonly Feature[]
    /** Answers 403 to everybody else. Routes of operators see all organisations. Visitors of the demo are nobody's super users. */
    role?: 'super_user' | typeof OPERATOR_ROLE
    /** Open to operators too, who are otherwise let into nothing but the routes of their role (R61). */
    operator?: true
    /** Answers 403 to visitors of the demo, whose organisation is everybody's (C6), with this problem. */
    demo?: 'forbidden' | 'demo_read_only'
    /** Open to API keys of this scope too, which are otherwise let into nothing; routes that read alone. */
    key?: ApiKeyScope
    /** Answers 403 `proof_needed` to a session whose holder has not shown who they are for ten minutes (R64). */
    fresh?: true
    /** Open while the organisation's second factor has still to be set up, which closes everything else (R68). */
    setUp?: true
    /** Refusals carry their messages in `errors` too (specification section 8, uniqueness checks). */
    errorList?: boolean
    /** What the usage log says of an answered GET; undefined: not worth a line. */
    usage?: (request: FastifyRequest) => UsageDescription | undefined
  }
}

/** The Fastify instance as feature routes see it: schemas from `contract/`, types inferred from them. */
export type RouteApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** What the HTTP floor hands to every feature's routes. */
export type RouteContext = {
  readonly db: Db
  /** The signed-in user of this request; throws `session_invalid` when there is none. Asking twice costs one look-up. */
  actorOf(request: Pick<FastifyRequest, 'headers' | 'id'>): Promise<Actor>
  /** The present moment; tests set it. */
  now(): Date
  readonly mails: OutgoingMail
}
