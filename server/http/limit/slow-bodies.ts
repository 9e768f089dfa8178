import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { AccessClaims } from '#contract/account/session.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'

/** R39: the body of an ordinary request, from its headers on. Its headers have ten seconds of their own. */
const BODY_MS = 30_000
/** A file of 50 MB takes this long at 85 kB a second; what is slower is broken off, and the browser sends it again. */
export const UPLOAD_MS = 10 * 60_000
/** While a file comes, it is looked at this often, and so much of it must have come since: 3 kB a second, a tenth of a poor phone line. */
const PROGRESS_MS = 10_000
const PROGRESS_BYTES = 32_768
/** Files that one user may be sending at a time; the browser sends one after another in each tab. */
const UPLOADS_A_USER = 4

type Limits = {
  readonly bodyMs: number
  readonly uploadMs: number
  readonly progressMs: number
  readonly progressBytes: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file: it may take minutes as long as it comes on, and a user may send a few at a time. */
    upload?: true
  }
}

/**
 * Ends requests whose body comes too slowly, with the answer that Node gives to slow headers. Node has one limit for all routes, and it would have to be long enough for files. A file
 * must make progress: whoever sends a byte now and then is ended after ten seconds and not after ten minutes.
 */
export function endSlowBodies(app: RouteApp, limits: Partial<Limits> = {}): void {
  const { bodyMs, uploadMs, progressMs, progressBytes } = {
    ...{ bodyMs: BODY_MS, uploadMs: UPLOAD_MS, progressMs: PROGRESS_MS, progressBytes: PROGRESS_BYTES },
    ...limits,
  }
  app.addHook('onRequest', async ({ raw, routeOptions }: FastifyRequest) => {
    const isEmpty = raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined
    // Without a connection (a test that asks within the process) nothing comes slowly.
    if (isEmpty || raw.complete || !(raw.socket instanceof Socket)) return
    const { socket } = raw
    const isUpload = routeOptions.config?.upload === true
    const begun = performance.now()
    let had = socket.bytesRead
    const end = () => {
      clearInterval(watch)
      app.server.emit('clientError', Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    }
    const look = () => {
      if (raw.complete || socket.destroyed) return clearInterval(watch)
      const came = socket.bytesRead - had
      had = socket.bytesRead
      const isLate = !isUpload || came < progressBytes || performance.now() - begun >= uploadMs
      if (isLate) end()
    }
    const watch = setInterval(look, isUpload ? progressMs : bodyMs)
    watch.unref()
    raw.once('close', () => clearInterval(watch))
  })
}

/** Counts the files that are on their way from each user. Throws ProblemError `too_many_requests` for one too many. */
export function limitUploads(
  app: RouteApp,
  claimsOf: (request: FastifyRequest) => Promise<AccessClaims | undefined>,
): void {
  const sending = new Map<AccessClaims['sub'], number>()
  app.addHook('preParsing', async (request, reply) => {
    if (request.routeOptions.config.upload !== true) return
    const user = (await claimsOf(request))?.sub
    if (user === undefined) return
    const now = sending.get(user) ?? 0
    if (now >= UPLOADS_A_USER) {
      throw new ProblemError('too_many_requests', {
        text: 'กำลังส่งหลายไฟล์พร้อมกันอยู่ รอให้ไฟล์ก่อนหน้าเสร็จแล้วลองใหม่',
        retryAfterSeconds: 10,
      })
    }
    sending.set(user, now + 1)
    reply.raw.once('close', () => {
      const left = sending.get(user)! - 1
      if (left === 0) sending.delete(user)
      else sending.set(user, left)
    })
  })
}
