import type { FastifyBaseLogger } from 'fastify'
import type { keywordRoutes } from '#server/features/keyword/routes.ts'
import { readOrganisation } from '#server/features/organisation/read-organisation.ts'
import { createExpander } from '#server/meaning/expander.ts'
import { meaningEngine } from '#server/meaning/term-model.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import type { HttpSettings } from './http-settings.ts'

/** What editing watch lists needs of the other features and of the settings, which it does not know. */
export function keywordOptions(
  context: RouteContext,
  { embeddings }: HttpSettings,
  log: FastifyBaseLogger,
): Parameters<typeof keywordRoutes>[1] {
  const provider = embeddings ? ` และ ${embeddings.kind}:${embeddings.model}` : ''
  return {
    ...context,
    organisationOf: readOrganisation,
    engine: meaningEngine() + provider,
    expand: createExpander(embeddings, (error) => log.warn({ err: error }, 'embeddings endpoint left out')),
  }
}
