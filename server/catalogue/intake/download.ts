import { open, stat, truncate } from 'node:fs/promises'
import type { OutgoingGetFn, OutgoingGetResponse } from '#server/platform/outgoing/outgoing-get.ts'
import { OutgoingRequestForbiddenError, OutgoingRequestTimeoutError } from '#server/platform/outgoing/outgoing-guard.ts'

export type DownloadFailure =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'timeout' }
  /** The file does not exist on the server, so no cooldown is needed. */
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'forbidden'; readonly reason: string }
  | { readonly kind: 'page' }
  | { readonly kind: 'broken'; readonly reason: string }

export type DownloadResult =
  | { readonly kind: 'whole'; readonly bytes: number }
  | { readonly kind: 'same' | 'paused' }
  | DownloadFailure

export type DownloadRequest = {
  readonly address: URL
  readonly host: string
  readonly path: string
  /** ETag or Last-Modified of the previously requested content. */
  readonly validator: string | null
  /** Content with this validator is already imported, so only a newer version is needed. */
  readonly isConditional: boolean
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Called before the first byte is written, so that after a crash the next process can identify the partial file. */
  onHead(validator: string | null, total: number | null): Promise<void>
  onBytes(done: number, total: number | null): void
  /** Returns true when the download should pause; the next call resumes the download. */
  isTurnOver(): boolean
}

/**
 * Downloads one file and resumes where the server allows it. Rejects only when the signal aborts or on a local disk
 * error.
 */
export async function downloadSourceFile(get: OutgoingGetFn, request: DownloadRequest): Promise<DownloadResult> {
  const { path, validator, signal } = request
  const existingBytes = await sizeOf(path)
  // A weak ETag guarantees equivalent content, not identical bytes, so it does not allow resuming.
  const canResume = existingBytes > 0 && validator !== null && !validator.startsWith('W/')
  const headers = canResume
    ? { range: `bytes=${existingBytes}-`, 'if-range': validator }
    : request.isConditional && existingBytes === 0
      ? conditionalHeaders(validator)
      : {}
  let response: OutgoingGetResponse
  try {
    // Byte ranges refer to the uncompressed content, so request identity encoding.
    response = await get(request.address, {
      host: request.host,
      headers: { 'accept-encoding': 'identity', ...headers },
      signal,
    })
  } catch (error) {
    return classifyDownloadError(error, signal)
  }
  const { status } = response
  if (status === 200 || status === 206) return await receiveBody(response, request, status === 206 ? existingBytes : 0)
  response.body.destroy()
  if (status === 304) return { kind: 'same' }
  if (status === 416) {
    // The server rejects the range: either the file is already complete, or the partial file belongs to other content.
    if (response.headers['content-range'] === `bytes */${existingBytes}`) return { kind: 'whole', bytes: existingBytes }
    await truncate(path, 0)
    return { kind: 'broken', reason: 'ส่วนที่ได้ไว้ไม่ตรงกับไฟล์ปัจจุบัน' }
  }
  return classifyDownloadStatus(status)
}

async function receiveBody(
  response: OutgoingGetResponse,
  request: DownloadRequest,
  from: number,
): Promise<DownloadResult> {
  const { headers, body } = response
  const { path, maxBytes, signal } = request
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '')
  if (from > 0 && Number(range?.[1]) !== from) {
    body.destroy()
    await truncate(path, 0)
    return { kind: 'broken', reason: 'ต้นทางส่งส่วนที่ไม่ได้ขอ' }
  }
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const total = range ? Number(range[2]) : length
  if (total !== null && total > maxBytes) {
    body.destroy()
    return { kind: 'forbidden', reason: `ใหญ่เกิน ${maxBytes / 2 ** 30} GB` }
  }
  await request.onHead(headers.etag ?? headers['last-modified'] ?? null, total)
  const file = await open(path, from > 0 ? 'a' : 'w', 0o600)
  let receivedBytes = from
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (receivedBytes === 0 && isHtmlPage(chunk)) return { kind: 'page' }
      await file.write(chunk)
      receivedBytes += chunk.length
      request.onBytes(receivedBytes, total)
      if (receivedBytes > maxBytes) return { kind: 'forbidden', reason: `ใหญ่เกิน ${maxBytes / 2 ** 30} GB` }
      if (request.isTurnOver() && receivedBytes !== total) return { kind: 'paused' }
    }
  } catch (error) {
    return classifyDownloadError(error, signal)
  } finally {
    body.destroy()
    await file.close()
  }
  if (total !== null && receivedBytes !== total)
    return { kind: 'broken', reason: `ขาดตอน ได้ ${receivedBytes} จาก ${total} ไบต์` }
  return { kind: 'whole', bytes: receivedBytes }
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0

function conditionalHeaders(validator: string | null): Record<string, string> {
  if (validator === null) return {}
  return /^(?:W\/)?"/.test(validator) ? { 'if-none-match': validator } : { 'if-modified-since': validator }
}

/** Detects a rejection or login page that the server sends with status 200. */
export function isHtmlPage(chunk: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(chunk.subarray(0, 500)).trimStart().toLowerCase()
  return head.startsWith('<!doctype html') || head.startsWith('<html')
}

export function classifyDownloadStatus(status: number): DownloadFailure {
  if (status === 404 || status === 410) return { kind: 'gone', reason: `ไม่พบไฟล์ (HTTP ${status})` }
  return { kind: 'refused', reason: `HTTP ${status}` }
}

export function classifyDownloadError(error: unknown, signal: AbortSignal): DownloadFailure {
  if (signal.aborted) throw error
  if (error instanceof OutgoingRequestForbiddenError) return { kind: 'forbidden', reason: error.message }
  if (error instanceof OutgoingRequestTimeoutError) return { kind: 'timeout' }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
  // An unreachable server (DNS, port, network) counts as refused; only a connection broken midway can resume.
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
    ? { kind: 'broken', reason: code }
    : { kind: 'refused', reason: code }
}
