import { z } from 'zod/mini'
import { type OperatedMail, operatedJobsSchema } from '#contract/operation/jobs.ts'
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

/** Operators only (R61). */
export function operationJobRoutes(app: RouteApp, context: OperateContext): void {
  app.get(
    '/operation/jobs',
    {
      config,
      schema: {
        tags,
        summary: 'Jobs that were given up, wait or run, and mails that were not sent',
        response: { 200: operatedJobsSchema },
      },
    },
    async (request) => {
      const jobs = await readAdmin(context, request, { do: 'jobs' })
      const mails = await readAdmin(context, request, { do: 'mails' })
      if (!('jobs' in jobs && 'mails' in mails)) throw new Error('jobs and mails answer lists')
      return {
        checked_at: context.now().toISOString(),
        jobs: jobs.jobs.map(({ requestedAt, canRestart, ...job }) => ({
          ...job,
          requested_at: requestedAt,
          can_restart: canRestart,
        })),
        mails: mails.mails.map(({ createdAt, canResend, state, ...mail }) => ({
          ...mail,
          state: state as OperatedMail['state'],
          created_at: createdAt,
          can_resend: canResend,
        })),
      }
    },
  )

  app.post(
    '/operation/jobs/:id/restart',
    { config: changing, schema: { tags, summary: 'Let a job that was given up begin anew', params, response: done } },
    async (request, reply) => {
      const unknown = 'งานนี้ไม่ได้ล้มเหลวแล้ว หรือเริ่มใหม่ไม่ได้ กด “ตรวจใหม่” เพื่อดูสถานะล่าสุด'
      await operateAdmin(context, request, [{ do: 'restart-job', id: rowIdOf(request.params.id) }], { unknown })
      return reply.code(204).send()
    },
  )

  app.post(
    '/operation/mails/:id/resend',
    {
      config: changing,
      schema: { tags, summary: 'Send a mail again whose text is still kept', params, response: done },
    },
    async (request, reply) => {
      const unknown = 'ส่งอีเมลนี้อีกไม่ได้ ข้อความถูกลบแล้วหรืออีเมลถูกส่งไปแล้ว กด “ตรวจใหม่” เพื่อดูสถานะล่าสุด'
      await operateAdmin(context, request, [{ do: 'resend-mail', id: rowIdOf(request.params.id) }], { unknown })
      return reply.code(204).send()
    },
  )
}
