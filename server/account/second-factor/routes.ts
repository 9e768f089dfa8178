import { z } from 'zod/mini'
import {
  recoveryCodesSchema,
  type SecondFactorState,
  secondFactorRequirementSchema,
  secondFactorStateSchema,
  totpConfirmationSchema,
  totpEnrolmentSchema,
} from '#contract/account/second-factor.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { getRequestOrigin, type RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { assertSecondFactorRemains, changeSecondFactors, issueRecoveryCodes } from './change-second-factors.ts'
import { hasSecondFactor } from './check-second-factor.ts'
import { listPasskeys } from './passkey-queries.ts'
import {
  deleteTotpSecret,
  findSecondFactors,
  findTotpSecret,
  findUserEmailAndName,
  markTotpConfirmed,
  setSecondFactorRequirement,
  storePendingTotpSecret,
} from './queries.ts'
import type { SecondFactorSource } from './second-factor-source.ts'
import { consumeTotpCode } from './totp.ts'

export type SecondFactorContext = RouteContext & { readonly factors: SecondFactorSource }

const toIso = (text: string) => new Date(text).toISOString()

async function factorsOf({ db, factors }: SecondFactorContext, userId: number): Promise<SecondFactorState> {
  return runWithoutTenant(async () => {
    const { totpSince, recoveryLeft, isRequired } = await findSecondFactors(db, userId)
    const passkeys = await listPasskeys(db, userId)
    return {
      totp: totpSince === null ? null : { since: toIso(totpSince) },
      passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
        ...{ id, name, created_at: toIso(createdAt) },
        used_at: usedAt && toIso(usedAt),
      })),
      offers_passkeys: factors().party !== undefined,
      recovery_left: recoveryLeft,
      is_required: isRequired,
    }
  })
}

async function beginTotpSetup({ db, now, factors }: SecondFactorContext, { userId }: Actor) {
  return runWithoutTenant(async () => {
    const owner = await findUserEmailAndName(db, userId)
    const { secret, uri, sealed } = factors().totp.make(owner!.email)
    if (!(await storePendingTotpSecret(db, userId, sealed, now())))
      throw new ProblemError('bad_input', { text: 'ตั้งแอปยืนยันตัวตนไว้แล้ว ถ้าเปลี่ยนเครื่อง เอาของเดิมออกก่อน' })
    return { secret, uri }
  })
}

async function confirmTotpSetup(context: SecondFactorContext, actor: Actor, code: string, origin: RequestOrigin) {
  const { db, now, factors } = context
  const { userId } = actor
  const { totp } = factors()
  return runWithoutTenant(async () => {
    const stored = await findTotpSecret(db, userId)
    if (!stored || stored.isConfirmed) throw new ProblemError('not_found')
    if (!(await consumeTotpCode(db, totp, { userId, code, now: now(), confirmed: false }))) {
      const text = 'รหัสไม่ตรง ตรวจว่าสแกนรูปนี้แล้ว และเวลาในโทรศัพท์ตั้งแบบอัตโนมัติ'
      throw new ProblemError('bad_input', { text, fields: { otp: [text] } })
    }
    return changeSecondFactors(context, actor, origin, async (tx, at) => {
      const recovery_codes = await issueRecoveryCodes(tx, userId, at)
      if (!(await markTotpConfirmed(tx, userId, at))) throw new ProblemError('not_found')
      return { what: 'เพิ่มแอปยืนยันตัวตน', kind: 'second_factor_added', answer: { recovery_codes } }
    })
  })
}

async function setSecondFactorRequired(
  { db, now }: RouteContext,
  actor: Actor,
  isRequired: boolean,
  origin: RequestOrigin,
) {
  const { userId, organisationId } = actor
  await runWithoutTenant(() =>
    db.transaction(async (tx: Db) => {
      if (isRequired && !hasSecondFactor(await findSecondFactors(tx, userId)))
        throw new ProblemError('bad_input', { text: 'ตั้งการยืนยันสองขั้นของบัญชีคุณเองก่อน แล้วจึงกำหนดให้ทั้งทีม' })
      if (!(await setSecondFactorRequirement(tx, organisationId, isRequired ? now() : null))) return
      const detail = { is_on: isRequired }
      const event = { kind: 'second_factor_required', at: now(), userId, organisationId, ...origin, detail } as const
      await recordAuditEvent(tx, event)
    }),
  )
}

const tags = ['second factor']
const config = { demo: 'forbidden', operator: true, setUp: true } as const
const fresh = { ...config, fresh: true } as const

export function secondFactorRoutes(app: RouteApp, context: SecondFactorContext): void {
  app.get(
    '/users/me/second-factor',
    {
      config,
      schema: {
        tags,
        summary: 'Get the second factors of the signed-in user',
        response: { 200: secondFactorStateSchema },
      },
    },
    async (request) => factorsOf(context, (await context.actorOf(request)).userId),
  )
  app.post(
    '/users/me/totp',
    {
      config: fresh,
      schema: { tags, summary: 'Start adding an authenticator app', response: { 200: totpEnrolmentSchema } },
    },
    async (request) => beginTotpSetup(context, await context.actorOf(request)),
  )
  app.post(
    '/users/me/totp/confirm',
    {
      config: fresh,
      schema: {
        tags,
        summary:
          'Confirm the authenticator app with a first code. Returns recovery codes if the user had no second factor yet',
        body: totpConfirmationSchema,
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) =>
      confirmTotpSetup(context, await context.actorOf(request), request.body.otp, getRequestOrigin(request)),
  )
  app.delete(
    '/users/me/totp',
    { config: fresh, schema: { tags, summary: 'Remove the authenticator app', response: { 204: z.undefined() } } },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await runWithoutTenant(() =>
        changeSecondFactors(context, actor, getRequestOrigin(request), async (tx) => {
          // An unconfirmed app is not a factor yet and can always be removed.
          const wasFactor = hasSecondFactor(await findSecondFactors(tx, actor.userId))
          if (!(await deleteTotpSecret(tx, actor.userId))) throw new ProblemError('not_found')
          if (wasFactor) await assertSecondFactorRemains(tx, actor.userId)
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
        summary: 'Create new recovery codes; the previous ones stop working',
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return runWithoutTenant(() =>
        changeSecondFactors(context, actor, getRequestOrigin(request), async (tx, at) => {
          if (!hasSecondFactor(await findSecondFactors(tx, actor.userId)))
            throw new ProblemError('bad_input', { text: 'ตั้งการยืนยันสองขั้นก่อน จึงมีรหัสกู้คืน' })
          const recovery_codes = await issueRecoveryCodes(tx, actor.userId, at, { anew: true })
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
        summary: 'Set whether all members of the organisation need a second factor, from their next login on',
        body: secondFactorRequirementSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await setSecondFactorRequired(
        context,
        await context.actorOf(request),
        request.body.is_required,
        getRequestOrigin(request),
      )
      return reply.code(204).send()
    },
  )
}
