import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { AccessTokenClaims } from '#contract/account/session.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

/**
 * Time limit for an ordinary body (R39), counted from the end of its headers. Headers have their own limit of ten
 * seconds.
 */
const BODY_MS = 30_000
/** Time limit of an upload, enough for 50 MB at 85 kB a second. Slower uploads are aborted and the browser retries. */
export const MAX_UPLOAD_DURATION_MS = 10 * 60_000
/**
 * Interval of the progress check of uploads. Each interval must bring at least `PROGRESS_BYTES`, i.e. 3 kB a second, a
 * tenth of a poor phone connection.
 */
const PROGRESS_MS = 10_000
const PROGRESS_BYTES = 32_768
/** Maximum concurrent uploads per user; each tab of the browser sends files one after another. */
const MAX_UPLOADS_PER_USER = 4

type Limits = {
  readonly bodyMs: number
  readonly uploadMs: number
  readonly progressMs: number
  readonly progressBytes: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    upload?: true
  }
}

/**
 * Ends requests whose body arrives too slowly, with the same response that Node gives to slow headers. Node has only
 * one limit for all routes, which would have to be long enough for files. An upload must also make progress: a client
 * that trickles bytes is cut off after ten seconds instead of ten minutes.
 */
export function abortSlowRequestBodies(app: RouteApp, limits: Partial<Limits> = {}): void {
  const { bodyMs, uploadMs, progressMs, progressBytes } = {
    ...{ bodyMs: BODY_MS, uploadMs: MAX_UPLOAD_DURATION_MS, progressMs: PROGRESS_MS, progressBytes: PROGRESS_BYTES },
    ...limits,
  }
  app.addHook('onRequest', async ({ raw, routeOptions }: FastifyRequest) => {
    const isEmpty = raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined
    // Injected test requests have no socket and are never slow.
    if (isEmpty || raw.complete || !(raw.socket instanceof Socket)) return
    const { socket } = raw
    const isUpload = routeOptions.config?.upload === true
    const startedAt = performance.now()
    let bytesBefore = socket.bytesRead
    const abort = () => {
      clearInterval(watch)
      app.server.emit('clientError', Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    }
    const checkProgress = () => {
      if (raw.complete || socket.destroyed) return clearInterval(watch)
      const received = socket.bytesRead - bytesBefore
      bytesBefore = socket.bytesRead
      const isLate = !isUpload || received < progressBytes || performance.now() - startedAt >= uploadMs
      if (isLate) abort()
    }
    const watch = setInterval(checkProgress, isUpload ? progressMs : bodyMs)
    watch.unref()
    raw.once('close', () => clearInterval(watch))
  })
}

export function limitConcurrentUploads(
  app: RouteApp,
  claimsOf: (request: FastifyRequest) => Promise<AccessTokenClaims | undefined>,
): void {
  const sending = new Map<AccessTokenClaims['sub'], number>()
  app.addHook('preParsing', async (request, reply) => {
    if (request.routeOptions.config.upload !== true) return
    const user = (await claimsOf(request))?.sub
    if (user === undefined) return
    const active = sending.get(user) ?? 0
    if (active >= MAX_UPLOADS_PER_USER) {
      throw new ProblemError('too_many_requests', {
        text: 'กำลังส่งหลายไฟล์พร้อมกันอยู่ รอให้ไฟล์ก่อนหน้าเสร็จแล้วลองใหม่',
        retryAfterSeconds: 10,
      })
    }
    sending.set(user, active + 1)
    reply.raw.once('close', () => {
      const remaining = sending.get(user)! - 1
      if (remaining === 0) sending.delete(user)
      else sending.set(user, remaining)
    })
  })
}
