import { Buffer } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import {
  MAX_REPORT_CARDS,
  reportCardEntrySchema,
  reportCardFileSchema,
  reportCardImportSchema,
  reportCardSchema,
  reportCardsSchema,
} from '#contract/account/report-card.ts'
import { toPublicTaxId } from '#contract/catalogue/natural-person.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { loadQualifications, saveQualifications } from '#server/account/qualification/queries.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import {
  countReportCards,
  deleteReportCard,
  listReportCards,
  type StoredReportCardEntry,
  saveReportCards,
} from './queries.ts'
import { REPORT_CARD_HEADER, readReportCardFile } from './read-report-card-file.ts'

const tags = ['qualification']
const config = { feature: 'report', demo: 'forbidden' } as const
const params = z.object({ taxId: z.string() })

const NO_PERSON = 'ใช้ได้เฉพาะเลขผู้เสียภาษีของนิติบุคคล 13 หลัก ระบบไม่เก็บเลขของบุคคลธรรมดา'
const NO_HEADER = `ไม่พบหัวตาราง บรรทัดแรกต้องมีคอลัมน์ ${REPORT_CARD_HEADER} คั่นด้วยจุลภาค`

function parseTaxIdOrThrow(text: string): string {
  const taxId = toPublicTaxId(text)
  if (taxId === null) throw new ProblemError('bad_input', { text: NO_PERSON })
  return taxId
}

/** Stores the cards; the one of the organisation itself also updates its qualifications, which decide eligibility. */
async function store(
  tx: Db,
  { organisationId }: Actor,
  cards: readonly StoredReportCardEntry[],
  at: Date,
): Promise<number> {
  const saved = await saveReportCards(tx, organisationId, cards, at)
  if ((await countReportCards(tx, organisationId)) > MAX_REPORT_CARDS)
    throw new ProblemError('bad_input', { text: `เก็บได้ไม่เกิน ${MAX_REPORT_CARDS} บริษัท ลบรายที่ไม่ใช้ก่อน` })
  const { tax_id: ourTaxId } = await loadQualifications(tx, organisationId)
  const ours = cards.find(({ tax_id }) => tax_id === ourTaxId)
  if (ours)
    await saveQualifications(tx, organisationId, {
      suspended_until: ours.suspended_until,
      report_card_points: ours.points,
    })
  return saved
}

export function reportCardRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  const audit = (tx: Db, request: FastifyRequest, { organisationId, userId }: Actor, count: number) =>
    recordAuditEvent(tx, {
      kind: 'report_cards_changed',
      at: context.now(),
      organisationId,
      userId,
      address: request.ip,
      requestId: request.id,
      detail: { count },
    })

  app.get(
    '/report-cards',
    {
      config,
      schema: {
        tags,
        summary: 'List points and suspensions of contractors that the organisation noted',
        response: { 200: reportCardsSchema },
      },
    },
    async (request) => ({ results: await listReportCards(db, (await context.actorOf(request)).organisationId) }),
  )

  app.put(
    '/report-cards/:taxId',
    {
      config: { ...config, role: 'super_user' },
      schema: {
        tags,
        summary: 'Note points or a suspension of a contractor',
        params,
        body: reportCardEntrySchema,
        response: { 200: reportCardSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const tax_id = parseTaxIdOrThrow(request.params.taxId)
      return db.transaction(async (tx) => {
        const saved = await store(tx, actor, [{ ...request.body, tax_id }], context.now())
        if (saved > 0) await audit(tx, request, actor, saved)
        const [card] = await listReportCards(tx, actor.organisationId, tax_id)
        return card!
      })
    },
  )

  app.delete(
    '/report-cards/:taxId',
    {
      config: { ...config, role: 'super_user' },
      schema: { tags, summary: 'Delete what was noted of a contractor', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const taxId = parseTaxIdOrThrow(request.params.taxId)
      await db.transaction(async (tx) => {
        if (!(await deleteReportCard(tx, actor.organisationId, taxId))) throw new ProblemError('not_found')
        await audit(tx, request, actor, 1)
      })
      return reply.code(204).send()
    },
  )

  app.post(
    '/report-cards/file',
    {
      config: { ...config, role: 'super_user' },
      schema: {
        tags,
        summary:
          'Import contractors from a CSV file. Lines that cannot be used are listed with their number and the reason',
        body: reportCardFileSchema,
        response: { 200: reportCardImportSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const now = context.now()
      const bytes = Buffer.from(request.body.file, 'base64')
      const file = await readReportCardFile(bytes, getBangkokToday(now)).catch((error: unknown) => {
        if (error instanceof FeedFormatError) throw new ProblemError('bad_input', { text: NO_HEADER })
        throw error
      })
      if (!file.hasHeader) throw new ProblemError('bad_input', { text: NO_HEADER })
      const saved = await db.transaction(async (tx) => {
        const count = await store(tx, actor, file.cards, now)
        if (count > 0) await audit(tx, request, actor, count)
        return count
      })
      return { saved, unchanged: file.cards.length - saved, problems: [...file.problems] }
    },
  )
}
