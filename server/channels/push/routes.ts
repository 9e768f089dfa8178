import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import {
  addedPushDeviceSchema,
  type BrowserPushSubscription,
  type PushNotificationState,
  pushNotificationStateSchema,
  pushSubscriptionRenewalSchema,
  pushSubscriptionSchema,
  type TestPushResult,
  testPushResultSchema,
} from '#contract/channels/push.ts'
import { formatDevice } from '#server/account/session/format-device.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { OutgoingRequestForbiddenError } from '#server/platform/outgoing/outgoing-guard.ts'
import { assertOutgoingPostUrl } from '#server/platform/outgoing/outgoing-post.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { type ActionRateLimit, consumeActionRateLimit, formatWaitTime } from '#server/platform/route/use-counts.ts'
import {
  deletePushDevice,
  findPushTargetDevices,
  listPushDevices,
  recordPushDelivery,
  recordPushRefusal,
  registerPushDevice,
  removeUserPushDevice,
  renewPushDevice,
} from './queries.ts'
import { type PushDependencies, type PushResult, sendPush } from './send-push.ts'

const tags = ['channel']
const config = { feature: 'report', demo: 'forbidden' } as const
const params = z.object({ id: z.string().check(z.maxLength(100)) })
const SAMPLE_TIMEOUT_MS = 5_000
/**
 * Rate limit of test messages. The endpoint may be any internet address, so more attempts would allow port scanning
 * through our server.
 */
const SAMPLE_LIMIT: ActionRateLimit = { action: 'push-sample', maxUses: 10, windowSeconds: 60 * 60, gapSeconds: 0 }

export type PushContext = RouteContext & {
  readonly push: PushDependencies & {
    readonly isLoopbackAllowed: boolean
  }
}

export function pushRoutes(app: RouteApp, { push, ...context }: PushContext): void {
  const { db, now } = context
  const loadPush = async (userId: number): Promise<PushNotificationState> => ({
    public_key: push.keys.publicKey,
    devices: (await listPushDevices(db, userId)).map(
      ({ id, userAgent, createdAt, notifiedAt, refusedAt, refusal }) => ({
        ...{ id, name: formatDevice(userAgent), created_at: createdAt, told_at: notifiedAt },
        ...(refusedAt !== null && { refused: { at: refusedAt, text: refusalText(refusal ?? '') } }),
      }),
    ),
  })
  /** Rejects internal addresses, which would let users probe our network (R79). */
  const assertOutside = ({ endpoint }: BrowserPushSubscription) => {
    try {
      assertOutgoingPostUrl(new URL(endpoint), push.isLoopbackAllowed)
    } catch (error) {
      if (error instanceof OutgoingRequestForbiddenError)
        throw new ProblemError('bad_input', { text: `ใช้ที่อยู่นี้ไม่ได้ ${error.message}` })
      throw error
    }
  }
  const userAgentOf = ({ headers }: FastifyRequest) => headers['user-agent']

  app.get(
    '/users/me/push',
    {
      config,
      schema: {
        tags,
        summary: 'List browsers registered for web push',
        response: { 200: pushNotificationStateSchema },
      },
    },
    async (request) => loadPush((await context.actorOf(request)).userId),
  )
  app.put(
    '/users/me/push/devices',
    {
      config,
      schema: {
        tags,
        summary: 'Register this browser for web push, until it is removed or its session ends',
        body: pushSubscriptionSchema,
        response: { 200: addedPushDeviceSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      assertOutside(request.body)
      const origin = { userAgent: userAgentOf(request), at: now() }
      const added = await runWithoutTenant(() =>
        db.transaction((tx) => registerPushDevice(tx, actor, request.body, origin)),
      )
      return { ...(await loadPush(actor.userId)), ...added }
    },
  )
  app.delete(
    '/users/me/push/devices/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove a browser from web push',
        params,
        response: { 200: pushNotificationStateSchema },
      },
    },
    async (request) => {
      const { userId } = await context.actorOf(request)
      const isRemoved = await db.transaction((tx) => removeUserPushDevice(tx, userId, request.params.id))
      if (!isRemoved) throw new ProblemError('not_found')
      return loadPush(userId)
    },
  )
  app.post(
    '/users/me/push/devices/:id/sample',
    {
      config,
      schema: {
        tags,
        summary: 'Send a sample notification to a browser immediately',
        params,
        response: { 200: testPushResultSchema },
      },
    },
    async (request) => {
      const { userId } = await context.actorOf(request)
      const wait = await runWithoutTenant(() => consumeActionRateLimit(db, SAMPLE_LIMIT, String(userId), now()))
      if (wait > 0)
        throw new ProblemError('too_many_requests', {
          text: `ส่งตัวอย่างได้ชั่วโมงละ ${SAMPLE_LIMIT.maxUses} ครั้ง ส่งอีกครั้งได้ในอีก ${formatWaitTime(wait)}`,
          retryAfterSeconds: wait,
        })
      const device = (await findPushTargetDevices(db, userId)).find(({ id }) => id === request.params.id)
      if (!device) throw new ProblemError('not_found')
      const at = now()
      const isOver = sleep(SAMPLE_TIMEOUT_MS, undefined, { ref: false })
      const result = await sendPush(push, device, sampleOf(at), {
        ...{ ttl: 60, urgency: 'high', topic: 'sample', now: at },
        signal: AbortSignal.timeout(SAMPLE_TIMEOUT_MS),
      }).catch((): PushResult => ({ kind: 'failed', failure: 'timeout' }))
      if (result.kind === 'taken') await recordPushDelivery(db, device.id, undefined, at)
      if (result.kind === 'gone') await deletePushDevice(db, device.id)
      if (result.kind === 'refused') await recordPushRefusal(db, device.id, result.failure, at)
      // Respond after the same time whether the address refuses at once or hangs, so that the time reveals nothing.
      if (result.kind !== 'taken' && result.kind !== 'gone') await isOver
      return toPushSample(result)
    },
  )
  app.post(
    '/push-renewals',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Update the push address of a browser, authenticated by the secret it was given',
        body: pushSubscriptionRenewalSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { secret, ...address } = request.body
      assertOutside(address)
      if (!(await db.transaction((tx) => renewPushDevice(tx, secret, address)))) throw new ProblemError('not_found')
      return reply.code(204).send()
    },
  )
}

/**
 * Explains a refusal to the user. The endpoint may be any internet address, so the text distinguishes only causes that
 * resubscribing or the operator can fix (R79).
 */
const refusalText = (status: string): string =>
  ['400', '401', '403'].includes(status)
    ? 'บริการแจ้งเตือนของเครื่องนี้ไม่รับข้อความจากระบบ เปิดตามงานบนเครื่องนั้นแล้วเปิดการแจ้งใหม่ ถ้ายังไม่ได้ ให้ผู้ดูแลระบบตรวจ CONTACT_URL และกุญแจ VAPID'
    : 'บริการแจ้งเตือนของเครื่องนี้ปฏิเสธข้อความ ปิดแล้วเปิดการแจ้งบนเครื่องนั้นอีกครั้ง'

const sampleOf = (at: Date) => ({
  id: 'sample',
  title: 'ตัวอย่างการแจ้งเตือน',
  body: 'เครื่องนี้พร้อมรับการแจ้งเตือนจากตามงานแล้ว',
  path: '/settings?tab=notifications',
  unread: 0,
  at: at.getTime(),
})

function toPushSample(result: PushResult): TestPushResult {
  switch (result.kind) {
    case 'taken':
      return { result: 'sent', text: 'ส่งตัวอย่างแล้ว ถ้าไม่ขึ้นในหนึ่งนาที ตรวจการตั้งค่าการแจ้งเตือนของเครื่อง' }
    case 'gone':
      return { result: 'gone', text: 'เบราว์เซอร์ของเครื่องนั้นยกเลิกการแจ้งเตือนแล้ว จึงเอาออกจากรายการ' }
    case 'later':
    case 'failed':
    case 'refused':
      return { result: 'failed', text: 'ส่งตัวอย่างไม่สำเร็จ ลองใหม่ในอีกสักครู่ ถ้ายังไม่ได้ ปิดแล้วเปิดการแจ้งเตือนของเครื่องนี้อีกครั้ง' }
  }
}
