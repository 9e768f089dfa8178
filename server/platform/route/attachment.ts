import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

const FILE_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const

type Attachment = {
  /** Under which the browser saves it: ASCII. */
  readonly name: string
  readonly format: keyof typeof FILE_TYPES
  /** Notes that the file is fetched. A HEAD request fetches nothing and is not noted. */
  readonly record: () => Promise<void>
  /** The bytes; asked for after `record`. */
  readonly content: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
}

/** Answers with a file to save. It is sent piece by piece as it is made, so that it never stands in memory whole. */
export async function sendAttachment(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { name, format, record, content }: Attachment,
): Promise<FastifyReply> {
  // Both forms of the name: some clients know only one of them (R34).
  const disposition = `attachment; filename="${name}"; filename*=UTF-8''${name}`
  reply.type(FILE_TYPES[format]).header('content-disposition', disposition)
  if (method === 'HEAD') return reply.send()
  await record()
  return reply.send(Readable.from(await content(), { objectMode: false, highWaterMark: 1 }))
}
