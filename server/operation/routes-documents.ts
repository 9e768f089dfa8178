import { z } from 'zod/mini'
import {
  documentFactStatusesSchema,
  documentFactVerdictSchema,
  nextDocumentFactCheckSchema,
} from '#contract/documents/fact-statuses.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { isFetchedDocumentFile } from '#server/documents/fact-checks.ts'
import { FILE_CONTENT_SECURITY_POLICY, openStoredFile } from '#server/documents/file-transfer.ts'
import { countImagesAwaitingOcr, countOcrPagesForDay } from '#server/documents/picture/image-ocr-queries.ts'
import type { DocumentContext } from '#server/documents/routes.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { applyAdminRequests, type OperatorContext, runAdminReadRequest } from './operator-requests.ts'

const config = { role: OPERATOR_ROLE } as const
const changing = { ...config, fresh: true } as const
const tags = ['operation']
const params = z.object({ fact: z.string() })
const noContent = { 204: z.undefined() }
const HASH = /^[0-9a-f]{64}$/

/** Routes for operators only (R61). Never returns documents of customers. */
export function operationDocumentRoutes(
  app: RouteApp,
  { store, readsPictures, ...context }: OperatorContext & Pick<DocumentContext, 'store' | 'readsPictures'>,
): void {
  app.get(
    '/operation/documents',
    {
      config,
      schema: {
        tags,
        summary:
          'List the kinds of facts read from documents. Each has its switch, its checks, and its share of unsure readings',
        response: { 200: documentFactStatusesSchema },
      },
    },
    async (request) => {
      const answer = await runAdminReadRequest(context, request, { do: 'facts' })
      if (!('facts' in answer)) throw new Error('the facts command returned no list')
      const { read, limit: maxPages } = await countOcrPagesForDay(context.db, getBangkokToday(new Date()))
      const waiting = await countImagesAwaitingOcr(context.db)
      return {
        facts: [...answer.facts],
        pictures: {
          is_on: readsPictures,
          read_today: read,
          a_day: maxPages,
          waiting_documents: waiting.documents,
          waiting_pages: waiting.pages,
        },
      }
    },
  )

  app.get(
    '/operation/documents/:fact/next',
    {
      config,
      schema: {
        tags,
        summary: 'Get a reading of one kind of fact that has not been checked yet',
        params,
        response: { 200: nextDocumentFactCheckSchema },
      },
    },
    async (request) => {
      const answer = await runAdminReadRequest(context, request, { do: 'next-fact', fact: request.params.fact })
      if (!('check' in answer)) throw new Error('the next-fact command returned no reading')
      return { check: answer.check }
    },
  )

  app.post(
    '/operation/documents/:fact/checks',
    {
      config: changing,
      schema: {
        tags,
        summary: 'Record whether a reading of a fact is right or wrong',
        params,
        body: documentFactVerdictSchema,
        response: noContent,
      },
    },
    async (request, reply) => {
      const { hash, is_right: isRight } = request.body
      await applyAdminRequests(context, request, [{ do: 'check-fact', fact: request.params.fact, hash, isRight }])
      return reply.code(204).send()
    },
  )

  for (const [path, on, summary] of [
    ['on', true, 'Show the value of this kind of fact; refused until enough readings were checked'],
    ['off', false, 'Show only the sentence of this kind of fact'],
  ] as const)
    app.post(
      `/operation/documents/:fact/${path}`,
      { config: changing, schema: { tags, summary, params, response: noContent } },
      async (request, reply) => {
        const invalid = 'ยังเปิดไม่ได้ ต้องตรวจอย่างน้อย 50 ฉบับ และถูกอย่างน้อย 95%'
        await applyAdminRequests(context, request, [{ do: 'set-fact', fact: request.params.fact, on }], { invalid })
        return reply.code(204).send()
      },
    )

  app.get(
    '/operation/documents/files/:hash',
    {
      config,
      schema: { tags, summary: 'Download the file from which a fact was read', params: z.object({ hash: z.string() }) },
    },
    async (request, reply) => {
      const { hash } = request.params
      if (!HASH.test(hash) || !(await isFetchedDocumentFile(context.db, hash))) throw new ProblemError('not_found')
      const content = await openStoredFile(store, hash)
      reply
        .header('content-security-policy', FILE_CONTENT_SECURITY_POLICY)
        .header('content-disposition', 'attachment; filename="document.pdf"')
        .header('cache-control', 'private, no-store')
        .type('application/pdf')
      return reply.send(content)
    },
  )
}
