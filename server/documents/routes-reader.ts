import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { documentHitsSchema, documentSearchSchema, readDocumentQuestion } from '#contract/documents/document-search.ts'
import { type DocumentType, projectDocumentSchema } from '#contract/documents/project-document.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { attachment, FILE_POLICY, openFile } from './arriving-file.ts'
import { tellingOf } from './fact-gate.ts'
import { findDocument, presentDocument } from './queries.ts'
import type { DocumentContext } from './routes.ts'
import { searchDocument, searchDocuments } from './search-documents.ts'
import type { ByteRange } from './store/document-store.ts'

const MEDIA_TYPES: Readonly<Record<DocumentType, string>> = {
  pdf: 'application/pdf',
  jpeg: 'image/jpeg',
  png: 'image/png',
  zip: 'application/zip',
}
function savedName(name: string, type: DocumentType): string {
  const endings = type === 'jpeg' ? ['.jpg', '.jpeg'] : [`.${type}`]
  return endings.some((ending) => name.toLowerCase().endsWith(ending)) ? name : `${name}${endings[0]}`
}

/** Parses a single byte range; undefined means send everything, also for multiple ranges. `none`: beyond the end. */
function rangeOf(header: string | undefined, bytes: number): ByteRange | 'none' | undefined {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!asked || (asked[1] === '' && asked[2] === '')) return undefined
  if (asked[1] === '') return asked[2] === '0' ? 'none' : { from: Math.max(0, bytes - Number(asked[2])), to: bytes - 1 }
  const from = Number(asked[1])
  const to = asked[2] === '' ? bytes - 1 : Math.min(Number(asked[2]), bytes - 1)
  return from < bytes && from <= to ? { from, to } : 'none'
}

const tags = ['document']
const config = { feature: 'report' } as const
const params = z.object({ id: z.string() })
/** No maximum length here: the search grammar reports overlong queries itself. */
const question = z.object({ q: z.string() })

function readQuestion(q: string) {
  const asked = readDocumentQuestion(q)
  if (!asked.ok) throw new ProblemError('bad_input', { text: asked.text, fields: { q: [asked.text] } })
  return asked
}

export function documentReaderRoutes(app: RouteApp, context: DocumentContext): void {
  const { db, store } = context
  async function ownDocument(request: FastifyRequest, id: string) {
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
        summary: "Pages of the organisation's documents in which a phrase stands, those of the newest documents first",
        querystring: z.extend(question, { project: z.optional(z.string()) }),
        response: { 200: documentSearchSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return await searchDocuments(db, organisationId, readQuestion(request.query.q), request.query.project)
    },
  )

  app.get(
    '/documents/:id',
    {
      config,
      schema: { tags, summary: 'One document with its facts', params, response: { 200: projectDocumentSchema } },
    },
    async (request) => {
      const { row, actor } = await ownDocument(request, request.params.id)
      return presentDocument(row, actor, await tellingOf(context))
    },
  )

  app.get(
    '/documents/:id/hits',
    {
      config,
      schema: {
        tags,
        summary: 'Pages of one document in which a phrase stands',
        params,
        querystring: question,
        response: { 200: documentHitsSchema },
      },
    },
    async (request) => {
      const { row, actor } = await ownDocument(request, request.params.id)
      return await searchDocument(db, actor.organisationId, row.id, readQuestion(request.query.q))
    },
  )

  app.get(
    '/documents/:id/file',
    { config, schema: { tags, summary: 'The file as it was added, whole or one range of it', params } },
    async (request, reply) => {
      const { row } = await ownDocument(request, request.params.id)
      const { type, name, bytes, hash } = row
      const range = rangeOf(request.headers.range, bytes)
      const content = request.method === 'HEAD' || range === 'none' ? undefined : await openFile(store, hash, range)
      reply
        .header('accept-ranges', 'bytes')
        .header('content-security-policy', FILE_POLICY)
        .header('content-disposition', attachment(savedName(name, type)))
        // Must not be cached, neither by a proxy nor for another user.
        .header('cache-control', 'private, no-store')
      if (range === 'none') return reply.code(416).header('content-range', `bytes */${bytes}`).send()
      const sent = range ? range.to - range.from + 1 : bytes
      if (range) reply.code(206).header('content-range', `bytes ${range.from}-${range.to}/${bytes}`)
      reply.type(MEDIA_TYPES[type]).header('content-length', String(sent))
      return reply.send(content)
    },
  )
}
