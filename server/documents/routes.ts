import { randomUUID } from 'node:crypto'
import { z } from 'zod/mini'
import {
  MAX_DOCUMENT_NAME_LENGTH,
  type ProjectDocument,
  projectDocumentSchema,
  projectDocumentsSchema,
  UPLOAD_REJECTION_REASONS,
  type UploadRejectionReason,
} from '#contract/documents/project-document.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { isPlausibleProjectId } from '#server/catalogue/is-plausible-project-id.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { loadDocumentFactDisplaySettings } from './fact-checks.ts'
import { receiveUpload } from './file-transfer.ts'
import {
  canRemoveDocument,
  DOCUMENT_JOB_TYPE,
  deleteDocument,
  findDocument,
  findDuplicateDocument,
  fitsDocumentStorageQuota,
  hasMatchedProject,
  insertDocument,
  listDocuments,
  lockDocumentFile,
  presentDocument,
} from './queries.ts'
import type { DocumentStore, IncomingFile } from './store/document-store.ts'

export type DocumentContext = RouteContext & {
  readonly store: DocumentStore
  readonly quotaBytes: number
  readonly readsPictures: boolean
}

const STATUS_BY_REFUSAL: Readonly<
  Partial<Record<UploadRejectionReason, 'payload_too_large' | 'unsupported_media_type'>>
> = {
  too_large: 'payload_too_large',
  not_a_document: 'unsupported_media_type',
}

const refusal = (reason: UploadRejectionReason) =>
  new ProblemError(STATUS_BY_REFUSAL[reason] ?? 'bad_input', { text: UPLOAD_REJECTION_REASONS[reason] })

function cleanName(name: string): string {
  const base = name.toWellFormed().split(/[/\\]/).at(-1)!
  const cleaned = base
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return cleaned === '' ? 'เอกสาร' : [...cleaned].slice(0, MAX_DOCUMENT_NAME_LENGTH).join('')
}

const CLEANUP_DELAY_MS = 5 * 60_000

type Addition = {
  readonly actor: Actor
  readonly projectId: string
  readonly name: string
  readonly file: IncomingFile
  readonly quotaBytes: number
  readonly now: Date
  readonly address: string
  readonly requestId: string
}

async function addDocument(db: Db, addition: Addition): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { actor, projectId, name, file, quotaBytes, now } = addition
  const { hash, type, bytes } = file
  const { organisationId, userId } = actor
  // Queue a cleanup job first, so that a failure in a later step does not orphan the stored file.
  const [payload, runAt] = [{ hash }, new Date(now.getTime() + CLEANUP_DELAY_MS)]
  await enqueueSingleJob(db, DOCUMENT_JOB_TYPE, {
    key: hash,
    dedupeKey: hash,
    payload,
    organisationId,
    userId,
    at: now,
    runAt,
  })
  return db.transaction(async (tx) => {
    const hasSpace = await fitsDocumentStorageQuota(tx, organisationId, { bytes, quotaBytes })
    const existingId = await findDuplicateDocument(tx, organisationId, { projectId, hash })
    if (existingId !== undefined) return { id: existingId, isNew: false }
    if (!hasSpace) throw refusal('no_room')
    const id = randomUUID()
    await lockDocumentFile(tx, hash)
    await insertDocument(tx, actor, { id, projectId, hash, type, name, bytes, at: now })
    const { address, requestId } = addition
    const detail = { document: id, project: projectId, name }
    await recordAuditEvent(tx, { kind: 'document_added', at: now, organisationId, userId, address, requestId, detail })
    // Store the file under the lock, before the row: a row without a file is worse than a file without a row.
    await file.persist()
    return { id, isNew: true }
  })
}

const tags = ['document']
const config = { feature: 'report' } as const
const uploadConfig = { feature: 'report', demo: 'forbidden' } as const
const projectParams = z.object({ id: z.string() })

export function documentRoutes(app: RouteApp, context: DocumentContext): void {
  const { db, store } = context
  const assertProject = async ({ organisationId }: Actor, id: string) => {
    if (!isPlausibleProjectId(id) || !(await hasMatchedProject(db, organisationId, id)))
      throw new ProblemError('not_found')
  }
  const present = async (actor: Actor, id: string): Promise<ProjectDocument> => {
    const row = await findDocument(db, actor.organisationId, id)
    if (!row) throw new ProblemError('not_found')
    return presentDocument(row, actor, await loadDocumentFactDisplaySettings(context))
  }

  app.get(
    '/projects/:id/documents',
    {
      config: { ...config, key: 'report' },
      schema: {
        tags,
        summary: 'List the documents of the organisation for one project in its report, newest first',
        params: projectParams,
        response: { 200: projectDocumentsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      await assertProject(actor, request.params.id)
      const rows = await listDocuments(db, actor.organisationId, request.params.id)
      const settings = await loadDocumentFactDisplaySettings(context)
      const documents = rows.map((row) => presentDocument(row, actor, settings))
      // Keys see no members.
      return { documents: actor.scopes ? documents.map((document) => ({ ...document, added_by: null })) : documents }
    },
  )

  app.delete(
    '/documents/:id',
    {
      config: uploadConfig,
      schema: { tags, summary: 'Delete a document with its file, text, index and facts', params: projectParams },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      await db.transaction(async (tx) => {
        const row = await findDocument(tx, organisationId, request.params.id)
        if (!row) throw new ProblemError('not_found')
        if (!canRemoveDocument(actor, row)) throw new ProblemError('forbidden')
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

  app.register(async (upload) => {
    upload.addContentTypeParser('application/octet-stream', (_request, content, done) => done(null, content))
    ;(upload as RouteApp).post(
      '/projects/:id/documents',
      {
        config: { ...uploadConfig, upload: true },
        schema: {
          tags,
          summary:
            'Upload a file (application/octet-stream, at most 50 MB) to a project; identical files become one document',
          params: projectParams,
          querystring: z.object({ name: z.optional(z.string()) }),
          response: { 200: projectDocumentSchema, 201: projectDocumentSchema },
        },
      },
      async (request, reply) => {
        const actor = await context.actorOf(request)
        const { id: projectId } = request.params
        const added = await receiveUpload(request, () => assertProject(actor, projectId), {
          receive: (content) => store.receive(content),
          take: (file) =>
            addDocument(db, {
              actor,
              projectId,
              name: cleanName(request.query.name ?? ''),
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
