import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { documentMatchesSchema, documentSearchSchema, parseDocumentQuery } from '#contract/documents/document-search.ts'
import { type DocumentFileType, projectDocumentSchema } from '#contract/documents/project-document.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { loadDocumentFactDisplaySettings } from './fact-checks.ts'
import { buildContentDisposition, FILE_CONTENT_SECURITY_POLICY, openStoredFile } from './file-transfer.ts'
import { findDocument, presentDocument } from './queries.ts'
import type { DocumentContext } from './routes.ts'
import { searchDocument, searchDocuments } from './search-documents.ts'
import type { ByteRange } from './store/document-store.ts'

const MEDIA_TYPES: Readonly<Record<DocumentFileType, string>> = {
  pdf: 'application/pdf',
  jpeg: 'image/jpeg',
  png: 'image/png',
  zip: 'application/zip',
}
function downloadName(name: string, type: DocumentFileType): string {
  const endings = type === 'jpeg' ? ['.jpg', '.jpeg'] : [`.${type}`]
  return endings.some((ending) => name.toLowerCase().endsWith(ending)) ? name : `${name}${endings[0]}`
}

/**
 * Parses a single byte range. Undefined, also for multiple ranges, means to send the whole file; `none` means that the
 * range is beyond the end.
 */
function parseRange(header: string | undefined, bytes: number): ByteRange | 'none' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  if (match[1] === '') return match[2] === '0' ? 'none' : { from: Math.max(0, bytes - Number(match[2])), to: bytes - 1 }
  const from = Number(match[1])
  const to = match[2] === '' ? bytes - 1 : Math.min(Number(match[2]), bytes - 1)
  return from < bytes && from <= to ? { from, to } : 'none'
}

const tags = ['document']
const config = { feature: 'report' } as const
const params = z.object({ id: z.string() })
/** The query has no maximum length here, because the search grammar reports overlong queries itself. */
const querySchema = z.object({ q: z.string() })

function parseQuery(q: string) {
  const query = parseDocumentQuery(q)
  if (!query.ok) throw new ProblemError('bad_input', { text: query.text, fields: { q: [query.text] } })
  return query
}

export function documentReaderRoutes(app: RouteApp, context: DocumentContext): void {
  const { db, store } = context
  async function findOwnDocument(request: FastifyRequest, id: string) {
    const actor = await context.actorOf(request)
    const row = await findDocument(db, actor.organisationId, id)
    if (!row) throw new ProblemError('not_found')
    return { row, actor }
  }

  app.get(
    '/documents',
    {
      config,
      schema: {
        tags,
        summary: "List pages of the organisation's documents that contain a phrase, newest documents first",
        querystring: z.extend(querySchema, { project: z.optional(z.string()) }),
        response: { 200: documentSearchSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return await searchDocuments(db, organisationId, parseQuery(request.query.q), request.query.project)
    },
  )

  app.get(
    '/documents/:id',
    {
      config,
      schema: { tags, summary: 'Get one document with its facts', params, response: { 200: projectDocumentSchema } },
    },
    async (request) => {
      const { row, actor } = await findOwnDocument(request, request.params.id)
      return presentDocument(row, actor, await loadDocumentFactDisplaySettings(context))
    },
  )

  app.get(
    '/documents/:id/hits',
    {
      config,
      schema: {
        tags,
        summary: 'List pages of one document that contain a phrase',
        params,
        querystring: querySchema,
        response: { 200: documentMatchesSchema },
      },
    },
    async (request) => {
      const { row, actor } = await findOwnDocument(request, request.params.id)
      return await searchDocument(db, actor.organisationId, row.id, parseQuery(request.query.q))
    },
  )

  app.get(
    '/documents/:id/file',
    { config, schema: { tags, summary: 'Download the file as uploaded, whole or one range of it', params } },
    async (request, reply) => {
      const { row } = await findOwnDocument(request, request.params.id)
      const { type, name, bytes, hash } = row
      const range = parseRange(request.headers.range, bytes)
      const content =
        request.method === 'HEAD' || range === 'none' ? undefined : await openStoredFile(store, hash, range)
      reply
        .header('accept-ranges', 'bytes')
        .header('content-security-policy', FILE_CONTENT_SECURITY_POLICY)
        .header('content-disposition', buildContentDisposition(downloadName(name, type)))
        // No proxy may cache the response, because another user must not receive it.
        .header('cache-control', 'private, no-store')
      if (range === 'none') return reply.code(416).header('content-range', `bytes */${bytes}`).send()
      const sentBytes = range ? range.to - range.from + 1 : bytes
      if (range) reply.code(206).header('content-range', `bytes ${range.from}-${range.to}/${bytes}`)
      reply.type(MEDIA_TYPES[type]).header('content-length', String(sentBytes))
      return reply.send(content)
    },
  )
}
