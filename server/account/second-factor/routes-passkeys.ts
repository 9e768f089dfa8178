import { z } from 'zod/mini'
import {
  MAX_PASSKEYS,
  newPasskeySchema,
  passkeyPurposeSchema,
  recoveryCodesSchema,
  webauthnOptionsSchema,
} from '#contract/account/second-factor.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { assertSecondFactorRemains, changeSecondFactors, issueRecoveryCodes } from './change-second-factors.ts'
import { insertPasskey, removePasskey } from './passkey-queries.ts'
import { buildPasskeyCreationOptions, buildPasskeyRequestOptions, verifyPasskeyRegistration } from './passkeys.ts'
import { findUserEmailAndName } from './queries.ts'
import type { SecondFactorContext } from './routes.ts'

const tags = ['second factor']
const config = { demo: 'forbidden', operator: true, setUp: true } as const
const fresh = { ...config, fresh: true } as const
const PASSKEYS_UNAVAILABLE_TEXT = 'ระบบนี้ใช้พาสคีย์ไม่ได้ เพราะที่อยู่ของระบบเป็นตัวเลข'

export function passkeyRoutes(app: RouteApp, context: SecondFactorContext): void {
  const { db, now, factors } = context
  const passkeyContext = () => {
    const { party } = factors()
    if (!party) throw new ProblemError('bad_input', { text: PASSKEYS_UNAVAILABLE_TEXT })
    return { db, party, now: now() }
  }
  app.post(
    '/users/me/passkeys/options',
    {
      config,
      schema: {
        tags,
        summary: 'Get the WebAuthn options for adding a passkey or for proving the identity of the caller',
        body: passkeyPurposeSchema,
        response: { 200: webauthnOptionsSchema },
      },
    },
    async (request) => {
      const { userId } = await context.actorOf(request)
      return runWithoutTenant(async () => {
        if (request.body.purpose === 'factor')
          return { ...(await buildPasskeyRequestOptions(passkeyContext(), userId)) }
        const owner = await findUserEmailAndName(db, userId)
        return { ...(await buildPasskeyCreationOptions(passkeyContext(), { userId, ...owner! })) }
      })
    },
  )
  app.post(
    '/users/me/passkeys',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Add a passkey; returns recovery codes if the user had no second factor yet',
        body: newPasskeySchema,
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { userId } = actor
      const { name, passkey } = request.body
      return runWithoutTenant(async () => {
        const newPasskey = await verifyPasskeyRegistration(passkeyContext(), userId, passkey)
        if (!newPasskey) throw new ProblemError('bad_input', { text: 'เพิ่มพาสคีย์ไม่สำเร็จ ลองอีกครั้ง' })
        return changeSecondFactors(context, actor, getRequestOrigin(request), async (tx, at) => {
          const recovery_codes = await issueRecoveryCodes(tx, userId, at)
          if (!(await insertPasskey(tx, { ...newPasskey, userId, name, at, maxPasskeys: MAX_PASSKEYS })))
            throw new ProblemError('bad_input', {
              text: `มีพาสคีย์ได้ไม่เกิน ${MAX_PASSKEYS} อัน และเครื่องเดียวกันเพิ่มซ้ำไม่ได้`,
            })
          return { what: `เพิ่มพาสคีย์ “${name}”`, kind: 'second_factor_added', answer: { recovery_codes } }
        })
      })
    },
  )
  app.delete(
    '/users/me/passkeys/:id',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Remove a passkey; it can no longer be used to log in',
        params: z.object({ id: z.string() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const id = parseRowId(request.params.id)
      await runWithoutTenant(() =>
        changeSecondFactors(context, actor, getRequestOrigin(request), async (tx) => {
          const name = await removePasskey(tx, actor.userId, id)
          if (name === undefined) throw new ProblemError('not_found')
          await assertSecondFactorRemains(tx, actor.userId)
          return { what: `เอาพาสคีย์ “${name}” ออก`, kind: 'second_factor_removed', answer: undefined }
        }),
      )
      return reply.code(204).send()
    },
  )
}
