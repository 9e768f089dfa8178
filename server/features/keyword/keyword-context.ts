import type { FastifyRequest } from 'fastify'
import { createExpander, type Expander } from '#server/meaning/expander.ts'
import { meaningEngine } from '#server/meaning/term-model.ts'
import type { RouteContext } from '#server/route/route-app.ts'

/** What editing watch lists needs beside the context of every route. */
export type KeywordContext = RouteContext & {
  /** May ask an endpoint elsewhere: never called inside a transaction. */
  readonly expand: Expander
  /** Who expands, as users are told. */
  readonly engine: string
}

/** `embeddings`: an endpoint that has a say in suggested terms; `onFailure` hears when it was left out. */
export function keywordContext(
  context: RouteContext,
  embeddings: Parameters<typeof createExpander>[0],
  onFailure: (error: unknown) => void,
): KeywordContext {
  const provider = embeddings ? ` และ ${embeddings.kind}:${embeddings.model}` : ''
  return { ...context, engine: meaningEngine() + provider, expand: createExpander(embeddings, onFailure) }
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
