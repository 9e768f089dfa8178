import type { FastifyRequest } from 'fastify'
import type { Organisation } from '#contract/account/organisation.ts'
import type { Db } from '#server/engine/db.ts'
import type { Expander } from '#server/meaning/expander.ts'
import type { RouteContext } from '#server/route/route-app.ts'

/** What editing watch lists needs beside the context of every route. */
export type KeywordContext = RouteContext & {
  /** The organisation as `GET /organisations/me` answers it. */
  organisationOf(db: Db, organisationId: number): Promise<Organisation>
  /** May ask an endpoint elsewhere: never called inside a transaction. */
  readonly expand: Expander
  /** Who expands, as users are told. */
  readonly engine: string
}

/** Who changes the lists, when and from where. */
export type Editor = {
  readonly userId: number
  readonly organisationId: number
  readonly at: Date
  readonly address: string
  readonly requestId: string
}

/** The signed-in user as one who changes lists. */
export async function editorOf(context: KeywordContext, request: FastifyRequest): Promise<Editor> {
  const { userId, organisationId } = await context.actorOf(request)
  return { userId, organisationId, at: context.now(), address: request.ip, requestId: request.id }
}
