import { open, stat, truncate } from 'node:fs/promises'
import type { Answer, Outgoing } from '#server/platform/outgoing/get.ts'
import { OutgoingForbidden, OutgoingTimeout } from '#server/platform/outgoing/guard.ts'

/** What became of a request. Each kind that is no answer is settled in another way. */
export type Fault =
  /** Told to stop, or not let in. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'timeout' }
  /** Not there: no reason to rest. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** Our own rules forbid it. */
  | { readonly kind: 'forbidden'; readonly reason: string }
  /** A page where data should be. */
  | { readonly kind: 'page' }
  /** The line broke, or what came is damaged. */
  | { readonly kind: 'broken'; readonly reason: string }

export type Downloaded =
  | { readonly kind: 'whole'; readonly bytes: number }
  | { readonly kind: 'same' | 'paused' }
  | Fault

export type DownloadRequest = {
  readonly address: URL
  readonly host: string
  /** Where the bytes go; what lies there of an earlier try is kept when the other side can go on in the middle. */
  readonly path: string
  /** ETag or Last-Modified of the content that was asked for before. */
  readonly validator: string | null
  /** Content of that validator was taken in: only something else is wanted. */
  readonly isConditional: boolean
  readonly mostBytes: number
  readonly signal: AbortSignal
  /** Told before the first byte is written, so that a process after a kill knows what lies there. */
  onHead(validator: string | null, total: number | null): Promise<void>
  onBytes(done: number, total: number | null): void
  /** True: no more for now; it goes on where it was the next time. */
  isTurnOver(): boolean
}

/** Fetches one file, going on in the middle where the other side can. Rejects only when the signal ends it, or with a fault of our own disk. */
export async function download(get: Outgoing, request: DownloadRequest): Promise<Downloaded> {
  const { path, validator, signal } = request
  const there = await sizeOf(path)
  // A weak tag says that two contents mean the same, not that their bytes are.
  const canGoOn = there > 0 && validator !== null && !validator.startsWith('W/')
  const headers = canGoOn
    ? { range: `bytes=${there}-`, 'if-range': validator }
    : request.isConditional && there === 0
      ? conditionOf(validator)
      : {}
  let answer: Answer
  try {
    // Bytes are counted and gone on with as they are sent.
    answer = await get(request.address, {
      host: request.host,
      headers: { 'accept-encoding': 'identity', ...headers },
      signal,
    })
  } catch (error) {
    return faultOf(error, signal)
  }
  const { status } = answer
  if (status === 200 || status === 206) return await receive(answer, request, status === 206 ? there : 0)
  answer.body.destroy()
  if (status === 304) return { kind: 'same' }
  if (status === 416) {
    // All of it was there already, or what was there belongs to another content.
    if (answer.headers['content-range'] === `bytes */${there}`) return { kind: 'whole', bytes: there }
    await truncate(path, 0)
    return { kind: 'broken', reason: 'ส่วนที่ได้ไว้ไม่ตรงกับไฟล์ปัจจุบัน' }
  }
  return faultOfStatus(status)
}

async function receive(answer: Answer, request: DownloadRequest, from: number): Promise<Downloaded> {
  const { headers, body } = answer
  const { path, mostBytes, signal } = request
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '')
  if (from > 0 && Number(range?.[1]) !== from) {
    body.destroy()
    await truncate(path, 0)
    return { kind: 'broken', reason: 'ต้นทางส่งส่วนที่ไม่ได้ขอ' }
  }
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const total = range ? Number(range[2]) : length
  if (total !== null && total > mostBytes) {
    body.destroy()
    return { kind: 'forbidden', reason: `ใหญ่เกิน ${mostBytes / 2 ** 30} GB` }
  }
  await request.onHead(headers.etag ?? headers['last-modified'] ?? null, total)
  const file = await open(path, from > 0 ? 'a' : 'w', 0o600)
  let done = from
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      if (done === 0 && isPage(part)) return { kind: 'page' }
      await file.write(part)
      done += part.length
      request.onBytes(done, total)
      if (done > mostBytes) return { kind: 'forbidden', reason: `ใหญ่เกิน ${mostBytes / 2 ** 30} GB` }
      if (request.isTurnOver() && done !== total) return { kind: 'paused' }
    }
  } catch (error) {
    return faultOf(error, signal)
  } finally {
    body.destroy()
    await file.close()
  }
  if (total !== null && done !== total) return { kind: 'broken', reason: `ขาดตอน ได้ ${done} จาก ${total} ไบต์` }
  return { kind: 'whole', bytes: done }
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0

function conditionOf(validator: string | null): Record<string, string> {
  if (validator === null) return {}
  return /^(?:W\/)?"/.test(validator) ? { 'if-none-match': validator } : { 'if-modified-since': validator }
}

/** A page that says no, or a login, with status 200. */
export function isPage(part: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(part.subarray(0, 500)).trimStart().toLowerCase()
  return head.startsWith('<!doctype html') || head.startsWith('<html')
}

export function faultOfStatus(status: number): Fault {
  if (status === 404 || status === 410) return { kind: 'gone', reason: `ไม่พบไฟล์ (HTTP ${status})` }
  return { kind: 'refused', reason: `HTTP ${status}` }
}

export function faultOf(error: unknown, signal: AbortSignal): Fault {
  if (signal.aborted) throw error
  if (error instanceof OutgoingForbidden) return { kind: 'forbidden', reason: error.message }
  if (error instanceof OutgoingTimeout) return { kind: 'timeout' }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
  // Not there at all: the name, the port, the line. What broke off in the middle goes on.
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
    ? { kind: 'broken', reason: code }
    : { kind: 'refused', reason: code }
}
