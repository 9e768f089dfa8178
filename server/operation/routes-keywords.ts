import { z } from 'zod/mini'
import { blacklistWordSchema, operatedKeywordsSchema, waitingImpactSchema } from '#contract/operation/keywords.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { rowIdOf } from '#server/platform/route/row-id.ts'
import { type OperateContext, operateAdmin, readAdmin } from './operate-admin.ts'

const config = { role: OPERATOR_ROLE } as const
/** Changes require a recent proof of identity (R64). */
const changing = { ...config, fresh: true } as const
const tags = ['operation']
const params = z.object({ id: z.string() })
const done = { 204: z.undefined() }
const WAITS_NO_MORE = 'คำนี้ไม่ได้รออนุมัติแล้ว อาจถูกตัดสินหรือลบไปก่อน กด “ตรวจใหม่” เพื่อดูรายการล่าสุด'

/** Operators only (R61). */
export function operationKeywordRoutes(app: RouteApp, context: OperateContext): void {
  app.get(
    '/operation/keywords',
    {
      config,
      schema: {
        tags,
        summary: 'Keywords that wait for approval, and words that nobody may watch',
        response: { 200: operatedKeywordsSchema },
      },
    },
    async (request) => {
      const waits = await readAdmin(context, request, { do: 'waiting' })
      const listed = await readAdmin(context, request, { do: 'blacklist' })
      if (!('waiting' in waits && 'blacklist' in listed)) throw new Error('waiting and blacklist answer lists')
      return {
        waiting: waits.waiting.map(({ organisationName, addedBy, createdAt, ...keyword }) => ({
          ...keyword,
          organisation_name: organisationName,
          added_by: addedBy,
          created_at: createdAt,
        })),
        blacklist: listed.blacklist.map(({ word, createdAt }) => ({ word, created_at: createdAt })),
      }
    },
  )

  app.get(
    '/operation/keywords/:id/impact',
    {
      config,
      schema: {
        tags,
        summary: 'What the report of its organisation would be with a keyword that waits',
        params,
        response: { 200: waitingImpactSchema },
      },
    },
    async (request) => {
      const asked = { do: 'keyword-impact', id: rowIdOf(request.params.id) } as const
      const answer = await readAdmin(context, request, asked, { unknown: WAITS_NO_MORE })
      if (!('impact' in answer)) throw new Error('keyword-impact answers an impact')
      const { perWorkingDay, ...impact } = answer.impact
      return { ...impact, per_working_day: perWorkingDay, samples: [...impact.samples] }
    },
  )

  for (const [path, approve, summary] of [
    ['approve', true, 'Let a keyword that waits match from now on'],
    ['reject', false, 'Delete a keyword that waits'],
  ] as const)
    app.post(
      `/operation/keywords/:id/${path}`,
      { config: changing, schema: { tags, summary, params, response: done } },
      async (request, reply) => {
        const asked = [{ do: 'judge-keyword', id: rowIdOf(request.params.id), approve }] as const
        await operateAdmin(context, request, asked, { unknown: WAITS_NO_MORE })
        return reply.code(204).send()
      },
    )

  for (const [path, add, summary] of [
    ['', true, 'Nobody can watch this word any more; lists that have it keep it'],
    ['/remove', false, 'The word can be watched again'],
  ] as const)
    app.post(
      `/operation/blacklist${path}`,
      { config: changing, schema: { tags, summary, body: blacklistWordSchema, response: done } },
      async (request, reply) => {
        const { word } = request.body
        await operateAdmin(context, request, [{ do: 'change-blacklist', word, add }], {
          taken: `“${word}” อยู่ในรายการอยู่แล้ว`,
          unknown: `“${word}” ไม่อยู่ในรายการแล้ว`,
        })
        return reply.code(204).send()
      },
    )
}
