import { z } from 'zod/mini'
import {
  MOST_PASSKEYS,
  newPasskeySchema,
  passkeyPurposeSchema,
  recoveryCodesSchema,
  webauthnOptionsSchema,
} from '#contract/account/second-factor.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { originOf } from '#server/platform/route/origin.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { rowIdOf } from '#server/platform/route/row-id.ts'
import { changeFactors, codesForFirst, refuseLast } from './change-factors.ts'
import { insertPasskey, removePasskey } from './passkey-queries.ts'
import { passkeyToAdd, passkeyToUse, readNewPasskey } from './passkeys.ts'
import { findOwner } from './queries.ts'
import type { FactorContext } from './routes.ts'

const tags = ['second factor']
const config = { demo: 'forbidden', operator: true, setUp: true } as const
const fresh = { ...config, fresh: true } as const
const NOT_OFFERED = 'ระบบนี้ใช้พาสคีย์ไม่ได้ เพราะที่อยู่ของระบบเป็นตัวเลข'

export function passkeyRoutes(app: RouteApp, context: FactorContext): void {
  const { db, now, factors } = context
  const asked = () => {
    const { party } = factors()
    if (!party) throw new ProblemError('bad_input', { text: NOT_OFFERED })
    return { db, party, now: now() }
  }
  app.post(
    '/users/me/passkeys/options',
    {
      config,
      schema: {
        tags,
        summary: 'What a passkey signs: to be added, or to show who one is',
        body: passkeyPurposeSchema,
        response: { 200: webauthnOptionsSchema },
      },
    },
    async (request) => {
      const { userId } = await context.actorOf(request)
      return asOwner(async () => {
        if (request.body.purpose === 'factor') return { ...(await passkeyToUse(asked(), userId)) }
        const owner = await findOwner(db, userId)
        return { ...(await passkeyToAdd(asked(), { userId, ...owner! })) }
      })
    },
  )
  app.post(
    '/users/me/passkeys',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Add a passkey; recovery codes are told with the first factor',
        body: newPasskeySchema,
        response: { 200: recoveryCodesSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { userId } = actor
      const { name, passkey } = request.body
      return asOwner(async () => {
        const made = await readNewPasskey(asked(), userId, passkey)
        if (!made) throw new ProblemError('bad_input', { text: 'เพิ่มพาสคีย์ไม่สำเร็จ ลองอีกครั้ง' })
        return changeFactors(context, actor, originOf(request), async (tx, at) => {
          const recovery_codes = await codesForFirst(tx, userId, at)
          if (!(await insertPasskey(tx, { ...made, userId, name, at, most: MOST_PASSKEYS })))
            throw new ProblemError('bad_input', {
              text: `มีพาสคีย์ได้ไม่เกิน ${MOST_PASSKEYS} อัน และเครื่องเดียวกันเพิ่มซ้ำไม่ได้`,
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
        summary: 'Take a passkey away: it opens the account no more',
        params: z.object({ id: z.string() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const id = rowIdOf(request.params.id)
      await asOwner(() =>
        changeFactors(context, actor, originOf(request), async (tx) => {
          const name = await removePasskey(tx, actor.userId, id)
          if (name === undefined) throw new ProblemError('not_found')
          await refuseLast(tx, actor.userId)
          return { what: `เอาพาสคีย์ “${name}” ออก`, kind: 'second_factor_removed', answer: undefined }
        }),
      )
      return reply.code(204).send()
    },
  )
}
