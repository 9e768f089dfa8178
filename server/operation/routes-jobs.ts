import { z } from 'zod/mini'
import { operatorJobsSchema, type UndeliveredEmail } from '#contract/operation/jobs.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { applyAdminRequests, type OperatorContext, runAdminReadRequest } from './operator-requests.ts'

const config = { role: OPERATOR_ROLE } as const
const changing = { ...config, fresh: true } as const
const tags = ['operation']
const params = z.object({ id: z.string() })
const noContent = { 204: z.undefined() }

export function operationJobRoutes(app: RouteApp, context: OperatorContext): void {
  app.get(
    '/operation/jobs',
    {
      config,
      schema: {
        tags,
        summary: 'List dead, queued and running jobs, and undelivered e-mails',
        response: { 200: operatorJobsSchema },
      },
    },
    async (request) => {
      const jobs = await runAdminReadRequest(context, request, { do: 'jobs' })
      const mails = await runAdminReadRequest(context, request, { do: 'mails' })
      if (!('jobs' in jobs && 'mails' in mails)) throw new Error('the jobs and mails commands returned no lists')
      return {
        checked_at: context.now().toISOString(),
        jobs: jobs.jobs.map(({ requestedAt, canRestart, ...job }) => ({
          ...job,
          requested_at: requestedAt,
          can_restart: canRestart,
        })),
        mails: mails.mails.map(({ createdAt, canResend, state, ...mail }) => ({
          ...mail,
          state: state as UndeliveredEmail['state'],
          created_at: createdAt,
          can_resend: canResend,
        })),
      }
    },
  )

  app.post(
    '/operation/jobs/:id/restart',
    {
      config: changing,
      schema: { tags, summary: 'Restart a dead job', params, response: noContent },
    },
    async (request, reply) => {
      const unknown = 'งานนี้ไม่ได้ล้มเหลวแล้ว หรือเริ่มใหม่ไม่ได้ กด “ตรวจใหม่” เพื่อดูสถานะล่าสุด'
      await applyAdminRequests(context, request, [{ do: 'restart-job', id: parseRowId(request.params.id) }], {
        unknown,
      })
      return reply.code(204).send()
    },
  )

  app.post(
    '/operation/mails/:id/resend',
    {
      config: changing,
      schema: { tags, summary: 'Resend a mail whose text is still stored', params, response: noContent },
    },
    async (request, reply) => {
      const unknown = 'ส่งอีเมลนี้อีกไม่ได้ ข้อความถูกลบแล้วหรืออีเมลถูกส่งไปแล้ว กด “ตรวจใหม่” เพื่อดูสถานะล่าสุด'
      await applyAdminRequests(context, request, [{ do: 'resend-mail', id: parseRowId(request.params.id) }], {
        unknown,
      })
      return reply.code(204).send()
    },
  )
}
