import { randomUUID } from 'node:crypto'
import { z } from 'zod/mini'
import {
  DOCUMENT_REFUSALS,
  type DocumentRefusal,
  LONGEST_DOCUMENT_NAME,
  type ProjectDocument,
  projectDocumentSchema,
  projectDocumentsSchema,
} from '#contract/documents/project-document.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueue } from '#server/platform/queue/enqueue.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { takeIn } from './arriving-file.ts'
import { tellingOf } from './fact-gate.ts'
import {
  DOCUMENT_JOB,
  deleteDocument,
  findDocument,
  findSame,
  hasProject,
  hasRoom,
  insertDocument,
  listDocuments,
  lockFile,
  mayRemove,
  presentDocument,
} from './queries.ts'
import type { ArrivedFile, DocumentStore } from './store/document-store.ts'

export type DocumentContext = RouteContext & {
  readonly store: DocumentStore
  readonly quotaBytes: number
  readonly readsPictures: boolean
}

/** e-GP ids have 11 digits; anything longer or stranger cannot exist. */
const PROJECT_ID = /^[\w-]{1,40}$/

const STATUS: Readonly<Partial<Record<DocumentRefusal, 'payload_too_large' | 'unsupported_media_type'>>> = {
  too_large: 'payload_too_large',
  not_a_document: 'unsupported_media_type',
}

const refusal = (reason: DocumentRefusal) =>
  new ProblemError(STATUS[reason] ?? 'bad_input', { text: DOCUMENT_REFUSALS[reason] })

function shownName(name: string): string {
  const base = name.toWellFormed().split(/[/\\]/).at(-1)!
  const plain = base
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain === '' ? 'เอกสาร' : [...plain].slice(0, LONGEST_DOCUMENT_NAME).join('')
}

const LOOK_AFTER_MS = 5 * 60_000

type Addition = {
  readonly actor: Actor
  readonly projectId: string
  readonly name: string
  readonly file: ArrivedFile
  readonly quotaBytes: number
  readonly now: Date
  readonly address: string
  readonly requestId: string
}

/**
 * Adds a received file, or returns the existing document if the project has the same file. Throws ProblemError
 * `bad_input` beyond the organisation's limits.
 */
async function addDocument(db: Db, addition: Addition): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { actor, projectId, name, file, quotaBytes, now } = addition
  const { hash, type, bytes } = file
  const { organisationId, userId } = actor
  // Cleanup job queued up front: if a later step fails, the stored file would otherwise be orphaned.
  const [payload, runAt] = [{ hash }, new Date(now.getTime() + LOOK_AFTER_MS)]
  await enqueue(db, DOCUMENT_JOB, { key: hash, dedupeKey: hash, payload, organisationId, userId, at: now, runAt })
  return db.transaction(async (tx) => {
    const isRoom = await hasRoom(tx, organisationId, { bytes, quotaBytes })
    const same = await findSame(tx, organisationId, { projectId, hash })
    if (same !== undefined) return { id: same, isNew: false }
    if (!isRoom) throw refusal('no_room')
    const id = randomUUID()
    await lockFile(tx, hash)
    await insertDocument(tx, actor, { id, projectId, hash, type, name, bytes, at: now })
    const { address, requestId } = addition
    const detail = { document: id, project: projectId, name }
    await recordAuditEvent(tx, { kind: 'document_added', at: now, organisationId, userId, address, requestId, detail })
    // Store the file under the lock and before the row is visible: a row without a file is worse than a file without a
    // row, which the next upload of that hash reuses.
    await file.keep()
    return { id, isNew: true }
  })
}

const tags = ['document']
const config = { feature: 'report' } as const
const ownConfig = { feature: 'report', demo: 'forbidden' } as const
const projectParams = z.object({ id: z.string() })

/**
 * GET and POST /projects/{id}/documents, DELETE /documents/{id}. Uploads and deletion are disabled in the demo (C6).
 */
export function documentRoutes(app: RouteApp, context: DocumentContext): void {
  const { db, store } = context
  const assertProject = async ({ organisationId }: Actor, id: string) => {
    if (!PROJECT_ID.test(id) || !(await hasProject(db, organisationId, id))) throw new ProblemError('not_found')
  }
  const present = async (actor: Actor, id: string): Promise<ProjectDocument> => {
    const row = await findDocument(db, actor.organisationId, id)
    if (!row) throw new ProblemError('not_found')
    return presentDocument(row, actor, await tellingOf(context))
  }

  app.get(
    '/projects/:id/documents',
    {
      config,
      schema: {
        tags,
        summary: "The organisation's documents of one project of its report, the newest first",
        params: projectParams,
        response: { 200: projectDocumentsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      await assertProject(actor, request.params.id)
      const rows = await listDocuments(db, actor.organisationId, request.params.id)
      const telling = await tellingOf(context)
      return { documents: rows.map((row) => presentDocument(row, actor, telling)) }
    },
  )

  app.delete(
    '/documents/:id',
    {
      config: ownConfig,
      schema: { tags, summary: 'Take a document away: file, text, index and facts', params: projectParams },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      await db.transaction(async (tx) => {
        const row = await findDocument(tx, organisationId, request.params.id)
        if (!row) throw new ProblemError('not_found')
        if (!mayRemove(actor, row)) throw new ProblemError('forbidden')
        await deleteDocument(tx, row, actor, context.now())
        await recordAuditEvent(tx, {
          kind: 'document_removed',
          at: context.now(),
          organisationId,
          userId,
          address: request.ip,
          requestId: request.id,
          detail: { document: row.id, project: row.project_id, name: row.name },
        })
      })
      return reply.code(204).send()
    },
  )

  // The body is the raw file, counted, hashed and written while it streams in.
  app.register(async (upload) => {
    upload.addContentTypeParser('application/octet-stream', (_request, content, done) => done(null, content))
    ;(upload as RouteApp).post(
      '/projects/:id/documents',
      {
        config: { ...ownConfig, upload: true },
        schema: {
          tags,
          summary:
            'Add a file (application/octet-stream, at most 50 MB) to a project; the same file twice is one document',
          params: projectParams,
          querystring: z.object({ name: z.optional(z.string()) }),
          response: { 200: projectDocumentSchema, 201: projectDocumentSchema },
        },
      },
      async (request, reply) => {
        const actor = await context.actorOf(request)
        const { id: projectId } = request.params
        const added = await takeIn(request, () => assertProject(actor, projectId), {
          receive: (content) => store.receive(content),
          take: (file) =>
            addDocument(db, {
              actor,
              projectId,
              name: shownName(request.query.name ?? ''),
              file,
              quotaBytes: context.quotaBytes,
              now: context.now(),
              address: request.ip,
              requestId: request.id,
            }),
          refusal,
        })
        return reply.code(added.isNew ? 201 : 200).send(await present(actor, added.id))
      },
    )
  })
}
