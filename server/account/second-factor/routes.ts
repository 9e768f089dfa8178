import { z } from 'zod/mini'
import {
  recoveryCodesSchema,
  requireSecondFactorSchema,
  type SecondFactor,
  secondFactorSchema,
  totpBegunSchema,
  totpConfirmSchema,
} from '#contract/account/second-factor.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { type Origin, originOf } from '#server/platform/route/origin.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { changeFactors, codesForFirst, refuseLast } from './change-factors.ts'
import { hasFactor } from './check-factor.ts'
import type { FactorSource } from './factor-source.ts'
import { listPasskeys } from './passkey-queries.ts'
import { beginTotp, confirmTotp, findFactors, findOwner, findTotp, removeTotp, setRequirement } from './queries.ts'
import { totpFits } from './totp.ts'

export type FactorContext = RouteContext & { readonly factors: FactorSource }

const moment = (text: string) => new Date(text).toISOString()

async function factorsOf({ db, factors }: FactorContext, userId: number): Promise<SecondFactor> {
  return asOwner(async () => {
    const { totpSince, recoveryLeft, isRequired } = await findFactors(db, userId)
    const passkeys = await listPasskeys(db, userId)
    return {
      totp: totpSince === null ? null : { since: moment(totpSince) },
      passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
        ...{ id, name, created_at: moment(createdAt) },
        used_at: usedAt && moment(usedAt),
      })),
      offers_passkeys: factors().party !== undefined,
      recovery_left: recoveryLeft,
      is_required: isRequired,
    }
  })
}

/**
 * Starts adding an authenticator app; the secret is inactive until confirmed by a code.
 * @throws ProblemError when one exists already.
 */
async function begin({ db, now, factors }: FactorContext, { userId }: Actor) {
  return asOwner(async () => {
    const owner = await findOwner(db, userId)
    const { secret, uri, sealed } = factors().totp.make(owner!.email)
    if (!(await beginTotp(db, userId, sealed, now())))
      throw new ProblemError('bad_input', { text: 'ตั้งแอปยืนยันตัวตนไว้แล้ว ถ้าเปลี่ยนเครื่อง เอาของเดิมออกก่อน' })
    return { secret, uri }
  })
}

/**
 * Confirms that the app has the secret.
 * @throws ProblemError at `otp`.
 */
async function confirm(context: FactorContext, actor: Actor, code: string, origin: Origin) {
  const { db, now, factors } = context
  const { userId } = actor
  const { totp } = factors()
  return asOwner(async () => {
    const stored = await findTotp(db, userId)
    if (!stored || stored.isConfirmed) throw new ProblemError('not_found')
    if (!(await totpFits(db, totp, { userId, code, now: now(), confirmed: false }))) {
      const text = 'รหัสไม่ตรง ตรวจว่าสแกนรูปนี้แล้ว และเวลาในโทรศัพท์ตั้งแบบอัตโนมัติ'
      throw new ProblemError('bad_input', { text, fields: { otp: [text] } })
    }
    return changeFactors(context, actor, origin, async (tx, at) => {
      const recovery_codes = await codesForFirst(tx, userId, at)
      if (!(await confirmTotp(tx, userId, at))) throw new ProblemError('not_found')
      return { what: 'เพิ่มแอปยืนยันตัวตน', kind: 'second_factor_added', answer: { recovery_codes } }
    })
  })
}

/**
 * Sets whether the organisation requires a second factor.
 * @throws ProblemError 400 while the acting super user has none.
 */
async function setRequired({ db, now }: RouteContext, actor: Actor, isRequired: boolean, origin: Origin) {
  const { userId, organisationId } = actor
  await asOwner(() =>
    db.transaction(async (tx: Db) => {
      if (isRequired && !hasFactor(await findFactors(tx, userId)))
        throw new ProblemError('bad_input', { text: 'ตั้งการยืนยันสองขั้นของบัญชีคุณเองก่อน แล้วจึงกำหนดให้ทั้งทีม' })
      if (!(await setRequirement(tx, organisationId, isRequired ? now() : null))) return
      const detail = { is_on: isRequired }
      const event = { kind: 'second_factor_required', at: now(), userId, organisationId, ...origin, detail } as const
      await recordAuditEvent(tx, event)
    }),
  )
}

const tags = ['second factor']
/** Also for operators, and for users who must set up a factor. */
const config = { demo: 'forbidden', operator: true, setUp: true } as const
const fresh = { ...config, fresh: true } as const

export function secondFactorRoutes(app: RouteApp, context: FactorContext): void {
  app.get(
    '/users/me/second-factor',
    {
      config,
      schema: { tags, summary: 'Second factors of the signed-in user', response: { 200: secondFactorSchema } },
    },
    async (request) => factorsOf(context, (await context.actorOf(request)).userId),
  )
  app.post(
    '/users/me/totp',
    {
      config: fresh,
      schema: { tags, summary: 'Begin to add an authenticator app', response: { 200: totpBegunSchema } },
    },
    async (request) => begin(context, await context.actorOf(request)),
  )
  app.post(
    '/users/me/totp/confirm',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Add the app by a first code; recovery codes are told with the first factor',
        body: totpConfirmSchema,
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => confirm(context, await context.actorOf(request), request.body.otp, originOf(request)),
  )
  app.delete(
    '/users/me/totp',
    { config: fresh, schema: { tags, summary: 'Take the authenticator app away', response: { 204: z.undefined() } } },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await asOwner(() =>
        changeFactors(context, actor, originOf(request), async (tx) => {
          // An unconfirmed app is not a factor yet and can always be removed.
          const wasFactor = hasFactor(await findFactors(tx, actor.userId))
          if (!(await removeTotp(tx, actor.userId))) throw new ProblemError('not_found')
          if (wasFactor) await refuseLast(tx, actor.userId)
          return { what: 'เอาแอปยืนยันตัวตนออก', kind: 'second_factor_removed', answer: undefined }
        }),
      )
      return reply.code(204).send()
    },
  )
  app.post(
    '/users/me/recovery-codes',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'New recovery codes; the ones before stop working',
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return asOwner(() =>
        changeFactors(context, actor, originOf(request), async (tx, at) => {
          if (!hasFactor(await findFactors(tx, actor.userId)))
            throw new ProblemError('bad_input', { text: 'ตั้งการยืนยันสองขั้นก่อน จึงมีรหัสกู้คืน' })
          const recovery_codes = await codesForFirst(tx, actor.userId, at, { anew: true })
          return { what: 'สร้างรหัสกู้คืนใหม่', kind: 'recovery_codes_made', answer: { recovery_codes } }
        }),
      )
    },
  )
  app.put(
    '/organisations/me/second-factor',
    {
      config: { role: 'super_user', demo: 'forbidden', fresh: true },
      schema: {
        tags,
        summary: 'Ask everybody of the organisation for a second factor, from their next login on',
        body: requireSecondFactorSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await setRequired(context, await context.actorOf(request), request.body.is_required, originOf(request))
      return reply.code(204).send()
    },
  )
}
