import { z } from 'zod/mini'
import {
  blacklistWordSchema,
  operatorKeywordsSchema,
  unapprovedKeywordImpactSchema,
} from '#contract/operation/operator-keywords.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { applyAdminRequests, type OperatorContext, runAdminReadRequest } from './operator-requests.ts'

const config = { role: OPERATOR_ROLE } as const
const changing = { ...config, fresh: true } as const
const tags = ['operation']
const params = z.object({ id: z.string() })
const noContent = { 204: z.undefined() }
const NO_LONGER_WAITING_TEXT = 'คำนี้ไม่ได้รออนุมัติแล้ว อาจถูกตัดสินหรือลบไปก่อน กด “ตรวจใหม่” เพื่อดูรายการล่าสุด'

export function operationKeywordRoutes(app: RouteApp, context: OperatorContext): void {
  app.get(
    '/operation/keywords',
    {
      config,
      schema: {
        tags,
        summary: 'List keywords that await approval, and blacklisted words',
        response: { 200: operatorKeywordsSchema },
      },
    },
    async (request) => {
      const waitingAnswer = await runAdminReadRequest(context, request, { do: 'waiting' })
      const blacklistAnswer = await runAdminReadRequest(context, request, { do: 'blacklist' })
      if (!('waiting' in waitingAnswer && 'blacklist' in blacklistAnswer))
        throw new Error('the waiting and blacklist commands returned no lists')
      return {
        waiting: waitingAnswer.waiting.map(({ organisationName, addedBy, createdAt, ...keyword }) => ({
          ...keyword,
          organisation_name: organisationName,
          added_by: addedBy,
          created_at: createdAt,
        })),
        blacklist: blacklistAnswer.blacklist.map(({ word, createdAt }) => ({ word, created_at: createdAt })),
      }
    },
  )

  app.get(
    '/operation/keywords/:id/impact',
    {
      config,
      schema: {
        tags,
        summary: 'Preview the report of an organisation with a keyword that awaits approval',
        params,
        response: { 200: unapprovedKeywordImpactSchema },
      },
    },
    async (request) => {
      const impactRequest = { do: 'keyword-impact', id: parseRowId(request.params.id) } as const
      const answer = await runAdminReadRequest(context, request, impactRequest, { unknown: NO_LONGER_WAITING_TEXT })
      if (!('impact' in answer)) throw new Error('the keyword-impact command returned no impact')
      const { perWorkingDay, ...impact } = answer.impact
      return { ...impact, per_working_day: perWorkingDay, samples: [...impact.samples] }
    },
  )

  for (const [path, approve, summary] of [
    ['approve', true, 'Approve a keyword, which matches from now on'],
    ['reject', false, 'Reject and delete a keyword that awaits approval'],
  ] as const)
    app.post(
      `/operation/keywords/:id/${path}`,
      { config: changing, schema: { tags, summary, params, response: noContent } },
      async (request, reply) => {
        const requests = [{ do: 'judge-keyword', id: parseRowId(request.params.id), approve }] as const
        await applyAdminRequests(context, request, requests, { unknown: NO_LONGER_WAITING_TEXT })
        return reply.code(204).send()
      },
    )

  for (const [path, add, summary] of [
    ['', true, 'Add a word to the blacklist; lists that already have it keep it'],
    ['/remove', false, 'Remove a word from the blacklist'],
  ] as const)
    app.post(
      `/operation/blacklist${path}`,
      { config: changing, schema: { tags, summary, body: blacklistWordSchema, response: noContent } },
      async (request, reply) => {
        const { word } = request.body
        await applyAdminRequests(context, request, [{ do: 'change-blacklist', word, add }], {
          taken: `“${word}” อยู่ในรายการอยู่แล้ว`,
          unknown: `“${word}” ไม่อยู่ในรายการแล้ว`,
        })
        return reply.code(204).send()
      },
    )
}
