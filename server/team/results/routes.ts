import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { datedFileName } from '#contract/file-name.ts'
import {
  MOST_GROUPS,
  MOST_RESULT_ROWS,
  periodOf,
  RESULT_ROWS_PARAMS,
  RESULTS_QUERY_PARAMS,
  type ResultGrouping,
  type ResultRows,
  type Results,
  type ResultsPeriod,
  resultRowsSchema,
  resultsSchema,
  rowsAskedFor,
} from '#contract/team/results.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { recordExportFetched } from '#server/account/usage-log/audit-events.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { sendAttachment } from '#server/platform/route/attachment.ts'
import { readFlatInput } from '#server/platform/route/flat-input.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { seesPrice } from '#server/team/pursuit/patch-pursuit.ts'
import { loadBoard } from '#server/team/pursuit/queries.ts'
import { countsIn, figuresOf, groupsOf, type Result, readResult, reasonsOf } from './count-results.ts'
import { loadOrganisationName, loadResults } from './queries.ts'
import { writeResults } from './results-file.ts'

const tags = ['results']
const config = { feature: 'report', demo: 'forbidden' } as const

const describe = (_request: FastifyRequest): UsageDescription => ({ type: 'open', description: 'เปิดสรุปผล', info: [] })

/** Results of pursuits, the rows behind each figure, and a workbook. Not available in the demo (C6). */
export function resultsRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  const resultsIn = async (actor: Actor, period: ResultsPeriod) => {
    const board = await loadBoard(db, actor.organisationId)
    const reader = { stages: board.stages, seesPrice: seesPrice(actor, board) }
    const stored = await loadResults(db, actor.organisationId, period)
    return { results: stored.map((one) => readResult(one, reader)), seesPrice: reader.seesPrice }
  }
  const today = () => bangkokToday(context.now())

  app.get(
    '/results',
    {
      config: { ...config, usage: describe },
      schema: {
        tags,
        summary: 'What became of the pursuits begun in a period: all, by owner, department, word and month',
        querystring: z.looseObject({}),
        response: { 200: resultsSchema },
      },
    },
    async (request): Promise<Results> => {
      const period = periodOf(readFlatInput(RESULTS_QUERY_PARAMS, request.query).search, today())
      const { results, seesPrice: isSeen } = await resultsIn(await context.actorOf(request), period)
      const most = (by: ResultGrouping) => {
        const groups = groupsOf(results, by, isSeen)
        // For months, the latest ones.
        return {
          total: groups.length,
          results: by === 'month' ? groups.slice(-MOST_GROUPS) : groups.slice(0, MOST_GROUPS),
        }
      }
      return {
        ...period,
        total: figuresOf(results, isSeen),
        owner: most('owner'),
        department: most('department'),
        word: most('word'),
        month: most('month'),
        lost_reasons: reasonsOf(results, 'lost_reason').slice(0, MOST_GROUPS),
        declined_reasons: reasonsOf(results, 'declined_reason').slice(0, MOST_GROUPS),
        sees_price: isSeen,
      }
    },
  )

  app.get(
    '/results/rows',
    {
      config,
      schema: {
        tags,
        summary: 'The pursuits behind one figure (`rows`), of all or of one group (`group`, `key`)',
        querystring: z.looseObject({}),
        response: { 200: resultRowsSchema },
      },
    },
    async (request): Promise<ResultRows> => {
      const { search } = readFlatInput(RESULT_ROWS_PARAMS, request.query)
      const asked = rowsAskedFor(search)
      if (!asked) throw new ProblemError('bad_input', { fields: { rows: ['ไม่มีตัวเลขนี้'] } })
      const { results, seesPrice: isSeen } = await resultsIn(await context.actorOf(request), periodOf(search, today()))
      if (asked.figure === 'discounted' && !isSeen) throw new ProblemError('forbidden')
      const { figure, group } = asked
      const isOf = ({ groups }: Result) => !group || groups[group.by].some(({ key }) => key === group.key)
      const rows = results.filter((result) => isOf(result) && countsIn(figure, result))
      return { total: rows.length, results: rows.slice(0, MOST_RESULT_ROWS).map(({ row }) => row) }
    },
  )

  app.get(
    '/results/file',
    { config, schema: { tags, summary: 'The results of a period as a workbook', querystring: z.looseObject({}) } },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const now = context.now()
      const period = periodOf(readFlatInput(RESULTS_QUERY_PARAMS, request.query).search, today())
      return sendAttachment(request, reply, {
        name: datedFileName('results-', now),
        format: 'xlsx',
        record: () => recordExportFetched(context, request, { file: 'results' }),
        content: async () => {
          const { results, seesPrice: isSeen } = await resultsIn(actor, period)
          const organisation = await loadOrganisationName(db, actor.organisationId)
          return writeResults(results, { period, seesPrice: isSeen, organisation, now })
        },
      })
    },
  )
}
