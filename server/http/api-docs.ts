import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { webhookPayloadSchema } from '#contract/account/webhook-payload.ts'
import { API_KEY_ROLE } from '#server/platform/route/actor.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { API_DOCS_CONTENT_SECURITY_POLICY } from './security-headers.ts'

/**
 * Describes webhook payloads by event type. The paths are those of the receivers; the headers follow Standard Webhooks.
 */
function describeWebhooks() {
  const text = { type: 'string' } as const
  const parameters = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    return { name, in: 'header' as const, required: true, schema: text }
  })
  return Object.fromEntries(
    webhookPayloadSchema._zod.def.options.map((option) => {
      const [type] = [...option._zod.propValues!.type!] as [string]
      const post = {
        summary: `Event ${type} (docs/api.md)`,
        tags: ['webhook'],
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: z.toJSONSchema(option) as object } },
        },
        responses: { '2XX': { description: 'Delivered' }, 410: { description: 'No further events are sent' } },
      }
      return [type, { post }]
    }),
  )
}

const plainTransform = createJsonSchemaTransform({})

/**
 * Serves OpenAPI 3.1, generated from the route schemas, at /api/docs and /api/docs/json. Register before the routes.
 */
export async function serveApiDocs(app: RouteApp): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'ตามงาน API',
        description:
          'Every path works with and without a trailing slash. Errors: 400/403/413/415/429/503 carry `non_field_errors` and field lists in Thai, 401 and 404 a `code`.',
        version: '2',
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'tng_…',
            description:
              'API key of an organisation, created by its super users; can read the routes that list it (docs/api.md)',
          },
        },
      },
      security: [{ bearer: [] }],
      webhooks: describeWebhooks(),
    },
    transform: (route) => {
      const described = plainTransform(route)
      const { key, role, public: isPublic } = route.route.config ?? {}
      if (isPublic) return { ...described, schema: { ...described.schema, security: [] } }
      if (role === API_KEY_ROLE) return { ...described, schema: { ...described.schema, security: [{ apiKey: [] }] } }
      return key
        ? { ...described, schema: { ...described.schema, security: [{ bearer: [] }, { apiKey: [] }] } }
        : described
    },
  })
  // Serialise once: building half a megabyte of JSON per public request would block the event loop.
  let serializedSpec: Buffer | undefined
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiHooks: {
      preHandler(request, reply, next) {
        if (request.routeOptions.url !== '/api/docs/json') return next()
        serializedSpec ??= Buffer.from(JSON.stringify(app.swagger()))
        reply.type('application/json; charset=utf-8').send(serializedSpec)
      },
    },
    staticCSP: API_DOCS_CONTENT_SECURITY_POLICY,
    uiConfig: { docExpansion: 'list', persistAuthorization: false },
  })
}
