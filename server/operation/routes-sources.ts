import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import {
  dataSourceGapsSchema,
  dataSourceProbeSchema,
  dataSourcesSchema,
  enableDataSourceRequestSchema,
} from '#contract/operation/sources.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import {
  IntakeRejectedError,
  type IntakeRejectionReason,
  type IntakeRequest,
  type IntakeResult,
} from '#server/catalogue/intake/intake-commands.ts'
import {
  INTAKE_SOURCE_REQUIREMENTS,
  type IntakeSource,
  type IntakeSourceSettings,
  isIntakeSource,
} from '#server/catalogue/intake/intake-sources.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { presentDataSource } from './present-source.ts'
import { listDataSourceGaps } from './queries.ts'
import { runAuditedIntakeRequest } from './run-audited-intake.ts'

type RefusedSource = { readonly source: IntakeSource; readonly until: string }

const REFUSAL_TEXTS: Readonly<Record<IntakeRejectionReason, (refused: RefusedSource) => string>> = {
  contact: () => 'กรอกอีเมลติดต่อก่อน อีเมลนี้ไปกับทุกคำขอเพื่อให้ต้นทางติดต่อเราได้',
  // The screen cannot set this URL, so the user who has to correct it is the one at the command line.
  address: ({ source }) =>
    source === 'folder'
      ? 'ที่อยู่ต้องเป็นโฟลเดอร์บนเครื่องแม่ข่าย แก้ด้วยคำสั่ง npm run intake -- on folder --address'
      : `ที่อยู่ต้องขึ้นต้นด้วย ${source === 'egp-rss' ? 'http:// หรือ https://' : 'https://'} แก้ด้วยคำสั่ง npm run intake -- on ${source} --address`,
  times: () => 'เวลาไม่ถูกต้อง เช่น 17:30 ถึง 08:30',
  pace: ({ source }) => `เว้นระยะสั้นเกินไป ต้องห่างกันอย่างน้อย ${INTAKE_SOURCE_REQUIREMENTS[source].minPaceMs / 1000} วินาที`,
  key: ({ source }) => `แหล่งนี้ต้องมีกุญแจ API ก่อน ใส่ด้วยคำสั่ง npm run intake -- on ${source} --key`,
  no_agencies: () => 'ยังไม่มีรายชื่อหน่วยงาน นำเข้าไฟล์รายชื่อหน่วยงานก่อน (--source egp-agencies)',
  sample_in: () =>
    'ข้อมูลตัวอย่างยังอยู่ในระบบ เปิดแหล่งข้อมูลจริงไม่ได้จนกว่าจะถอนออก ด้วยคำสั่ง npm run admin -- retire-sample --confirm (หน้าสาธิตยังมีข้อมูลตัวอย่างของตัวเองครบ)',
  off: () => 'แหล่งข้อมูลนี้ปิดอยู่ เปิดก่อนแล้วจึงดึง',
  halted: () => 'ต้นทางปฏิเสธไว้ ติดต่อต้นทางก่อน แล้วเปิดใหม่อีกครั้ง',
  closed: ({ until }) => `ต้นทางยังไม่เปิดให้ดึง รอบถัดไปเริ่ม ${until}`,
  resting: ({ until }) => `ต้นทางขอให้พัก ดึงต่อได้ ${until}`,
  not_asked: () => 'แหล่งนี้ไม่ได้ถามใคร จึงไม่มีอะไรให้ลองถาม ใช้ “ดึงตอนนี้” แทน',
  no_links: () => 'ยังไม่มีลิงก์จากประกาศ เปิดแหล่ง “ประกาศ e-GP (RSS)” ก่อน',
  busy: () => 'กำลังดึงข้อมูลอยู่ รอให้จบคำขอนี้ก่อน',
}

const REFUSAL_FIELDS: { readonly [Reason in IntakeRejectionReason]?: string } = {
  contact: 'contact',
  pace: 'pace_seconds',
}

const config = { role: OPERATOR_ROLE } as const
/** Changes require a recent proof of identity (R64). */
const changing = { ...config, fresh: true } as const
const tags = ['operation']
const params = z.object({ source: z.string() })

function sourceOf(request: { readonly params: { readonly source: string } }): IntakeSource {
  const { source } = request.params
  if (!isIntakeSource(source)) throw new ProblemError('not_found')
  return source
}

export function operationSourceRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  async function operate(request: FastifyRequest, intakeRequest: IntakeRequest): Promise<IntakeResult> {
    const { userId: operator } = await context.actorOf(request)
    const by = { address: request.ip, requestId: request.id, operator }
    return await runAuditedIntakeRequest({ db, by, now: context.now() }, intakeRequest).catch((error: unknown) => {
      if (!(error instanceof IntakeRejectedError) || intakeRequest.command === 'status') throw error
      const { reason } = error
      const until = error.until === undefined ? '' : `${formatBangkokTime(new Date(error.until))} น.`
      const text = REFUSAL_TEXTS[reason]({ source: intakeRequest.source, until })
      const field = REFUSAL_FIELDS[reason]
      throw new ProblemError('bad_input', { text, ...(field === undefined ? {} : { fields: { [field]: [text] } }) })
    })
  }

  app.get(
    '/operation/sources',
    {
      config,
      schema: {
        tags,
        summary: 'List sources with settings, latest nightly runs, and received and missing items',
        response: { 200: dataSourcesSchema },
      },
    },
    async (request) => {
      const answer = await operate(request, { command: 'status' })
      const sources = 'sources' in answer ? answer.sources.map(presentDataSource) : []
      return { checked_at: context.now().toISOString(), sources }
    },
  )

  app.get(
    '/operation/sources/:source/gaps',
    {
      config,
      schema: {
        tags,
        summary: 'List agencies that never answered, and days with missing announcements',
        params,
        response: { 200: dataSourceGapsSchema },
      },
    },
    async (request) => {
      // Other sources are read completely or not at all; their failures are listed with their files.
      return sourceOf(request) === 'egp-rss' ? await listDataSourceGaps(db) : { never: [], incomplete: [] }
    },
  )

  app.post(
    '/operation/sources/:source/on',
    {
      config: changing,
      schema: {
        tags,
        summary: 'Switch a source on. The contact address is sent with every request to the source',
        params,
        body: enableDataSourceRequestSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { contact, opens_at, closes_at, pace_seconds } = request.body
      const changes: Partial<IntakeSourceSettings> = {
        ...(contact === undefined ? {} : { contact }),
        ...(opens_at === undefined ? {} : { opensAt: opens_at }),
        ...(closes_at === undefined ? {} : { closesAt: closes_at }),
        ...(pace_seconds === undefined ? {} : { paceMs: Math.round(pace_seconds * 1000) }),
      }
      await operate(request, { command: 'on', source: sourceOf(request), changes })
      return reply.code(204).send()
    },
  )

  for (const [command, summary] of [
    ['off', 'Switch this source off; imported data stays'],
    ['run', 'Replan and resume the current nightly run of a source'],
  ] as const)
    app.post(
      `/operation/sources/:source/${command}`,
      { config: changing, schema: { tags, summary, params, response: { 204: z.undefined() } } },
      async (request, reply) => {
        await operate(request, { command, source: sourceOf(request) })
        return reply.code(204).send()
      },
    )

  app.post(
    '/operation/sources/:source/probe',
    {
      config: changing,
      schema: {
        tags,
        summary: 'Send one test request to a source now; nothing is stored',
        params,
        response: { 200: dataSourceProbeSchema },
      },
    },
    async (request) => {
      const answer = await operate(request, { command: 'probe', source: sourceOf(request) })
      if (!('probe' in answer)) throw new Error('the probe command returned no result')
      return answer.probe
    },
  )
}
