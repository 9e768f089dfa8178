import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

const FILE_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const

type Attachment = {
  /** File name in ASCII, for clients that do not support UTF-8 names. */
  readonly name: string
  readonly format: keyof typeof FILE_TYPES
  /** Records the download; skipped for HEAD. Runs before `content`. */
  readonly record: () => Promise<void>
  readonly content: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
}

export async function sendAttachment(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { name, format, record, content }: Attachment,
): Promise<FastifyReply> {
  // Send both forms of the name, because some clients support only one (R34).
  const disposition = `attachment; filename="${name}"; filename*=UTF-8''${name}`
  reply.type(FILE_TYPES[format]).header('content-disposition', disposition)
  if (method === 'HEAD') return reply.send()
  await record()
  // Each piece is computed when it is read, so within the turn that costly-routes.ts takes for it.
  return reply.send(Readable.from(await content(), { objectMode: false, highWaterMark: 0 }))
}
