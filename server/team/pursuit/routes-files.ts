import { z } from 'zod/mini'
import {
  detectNoteFileType,
  isPlainTextChunk,
  MAX_NOTE_FILE_BYTES,
  NOTE_FILE_ERRORS,
  NOTE_FILE_SIGNATURE_BYTES,
  type NoteFile,
  type NoteFileType,
  noteFileSchema,
  sanitiseNoteFileName,
} from '#contract/team/note-file.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import {
  buildContentDisposition,
  FILE_CONTENT_SECURITY_POLICY,
  openStoredFile,
  receiveUpload,
} from '#server/documents/file-transfer.ts'
import { DOCUMENT_JOB_TYPE, fitsDocumentStorageQuota, lockDocumentFile } from '#server/documents/queries.ts'
import type { DocumentStore, IncomingFile, UploadRule } from '#server/documents/store/document-store.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { findNoteFile, insertNoteFile } from './note-file-queries.ts'
import { assertProjectKnownToOrganisation } from './patch-pursuit.ts'

export type NoteFileContext = RouteContext & {
  readonly store: DocumentStore
  readonly quotaBytes: number
}

const FILE_RULE: UploadRule<NoteFileType> = {
  maxBytes: MAX_NOTE_FILE_BYTES,
  signatureBytes: NOTE_FILE_SIGNATURE_BYTES,
  typeOf: detectNoteFileType,
  acceptsChunk: (type, chunk) => type !== 'text' || isPlainTextChunk(chunk),
}

const STATUS = { too_large: 'payload_too_large', not_a_document: 'unsupported_media_type' } as const
const refusal = (reason: keyof typeof NOTE_FILE_ERRORS) =>
  new ProblemError(reason in STATUS ? STATUS[reason as keyof typeof STATUS] : 'bad_input', {
    text: NOTE_FILE_ERRORS[reason],
  })

const present = ({ id, name, type, bytes }: NoteFile): NoteFile => ({ id, name, type, bytes })

const CLEANUP_DELAY_MS = 5 * 60_000

type NoteFileUpload = {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly file: IncomingFile<NoteFileType>
  readonly quotaBytes: number
  readonly now: Date
  readonly address: string
  readonly requestId: string
}

/**
 * Stores an uploaded file; repeating the upload with the same id and content returns the stored one. Throws
 * ProblemError `bad_input` above the organisation's quota.
 */
async function addFile(db: Db, actor: Actor, addition: NoteFileUpload): Promise<{ file: NoteFile; isNew: boolean }> {
  const { id, projectId, file, quotaBytes, now, address, requestId } = addition
  const { hash, type, bytes } = file
  const { organisationId, userId } = actor
  // If a later step fails after the file was stored, no row refers to the file, so schedule a job that cleans it up.
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
    const isWithinQuota = await fitsDocumentStorageQuota(tx, organisationId, { bytes, quotaBytes })
    const existing = await findNoteFile(tx, organisationId, id)
    if (existing) {
      if (existing.hash !== hash || existing.project_id !== projectId || existing.user_id !== userId)
        throw refusal('another')
      return { file: present(existing), isNew: false }
    }
    if (!isWithinQuota) throw refusal('no_room')
    const name = sanitiseNoteFileName(addition.name, type)
    await lockDocumentFile(tx, hash)
    await insertNoteFile(tx, actor, { id, projectId, hash, type, name, bytes, at: now })
    const detail = { project: projectId, name }
    await recordAuditEvent(tx, { kind: 'note_file_added', at: now, organisationId, userId, address, requestId, detail })
    // Store the file under the lock, before its row: a row without a file is worse than the reverse.
    await file.persist()
    return { file: { id, name, type, bytes }, isNew: true }
  })
}

const tags = ['pursuit']
const config = { feature: 'report', demo: 'forbidden' } as const
const params = z.object({ id: z.string() })
const fileId = z.string().check(z.regex(/^[\w-]{1,64}$/, 'รหัสไม่ถูกต้อง'))

export function noteFileRoutes(app: RouteApp, context: NoteFileContext): void {
  const { db, store } = context

  app.get(
    '/pursuits/:id/files/:file',
    {
      config,
      schema: {
        tags,
        summary: 'Download a file of a note, as an attachment',
        params: z.extend(params, { file: z.string() }),
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const row = await findNoteFile(db, actor.organisationId, request.params.file)
      // Unattached files are visible only to their uploader.
      const isAccessible = row?.note_id !== null || row.user_id === actor.userId
      if (!row || !isAccessible || row.project_id !== request.params.id) throw new ProblemError('not_found')
      const content = request.method === 'HEAD' ? undefined : await openStoredFile(store, row.hash)
      reply
        .header('content-security-policy', FILE_CONTENT_SECURITY_POLICY)
        .header('content-disposition', buildContentDisposition(row.name))
        .header('cache-control', 'private, no-store')
        .header('content-length', String(row.bytes))
        // This type prevents browsers from rendering the content or guessing its type.
        .type('application/octet-stream')
      return reply.send(content)
    },
  )

  app.register(async (upload) => {
    upload.addContentTypeParser('application/octet-stream', (_request, content, done) => done(null, content))
    ;(upload as RouteApp).post(
      '/pursuits/:id/files/:file',
      {
        config: { ...config, upload: true },
        schema: {
          tags,
          summary:
            'Upload a file (application/octet-stream, at most 10 MB) for a note that is being written; the caller chooses its id, and repeating the upload stores only one file',
          params: z.extend(params, { file: fileId }),
          querystring: z.object({ name: z.optional(z.string()) }),
          response: { 200: noteFileSchema, 201: noteFileSchema },
        },
      },
      async (request, reply) => {
        const actor = await context.actorOf(request)
        const { id: projectId, file: id } = request.params
        const { name = '' } = request.query
        const added = await receiveUpload(request, () => assertProjectKnownToOrganisation(db, actor, projectId), {
          receive: (content) => store.receive(content, FILE_RULE),
          take: (file) =>
            addFile(db, actor, {
              ...{ id, projectId, name, file, quotaBytes: context.quotaBytes },
              ...{ now: context.now(), address: request.ip, requestId: request.id },
            }),
          refusal,
        })
        return reply.code(added.isNew ? 201 : 200).send(added.file)
      },
    )
  })
}
