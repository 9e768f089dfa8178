import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { buildDatedFileName } from '#contract/dated-file-name.ts'
import {
  MAX_TEAM_RESULT_GROUPS,
  MAX_TEAM_RESULT_ROWS,
  parseTeamResultRowSelection,
  resolveTeamResultsPeriod,
  TEAM_RESULT_ROWS_PARAMS,
  TEAM_RESULTS_QUERY_PARAMS,
  type TeamResultGrouping,
  type TeamResultRows,
  type TeamResults,
  type TeamResultsPeriod,
  teamResultRowsSchema,
  teamResultsSchema,
} from '#contract/team/team-results.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { loadOrganisationName } from '#server/account/organisation/queries.ts'
import { recordExportDownload } from '#server/account/usage-log/audit-events.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { parseQueryParamsOrThrow } from '#server/platform/route/parse-query-params.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { canSeeBidPrice } from '#server/team/pursuit/patch-pursuit.ts'
import { loadPursuitBoard } from '#server/team/pursuit/queries.ts'
import {
  computeTeamResultFigures,
  computeTeamResultGroups,
  countTeamResultReasons,
  isTeamResultCountedInFigure,
  type TeamResult,
  toTeamResult,
} from './compute-result-figures.ts'
import { countFeedbackByWeek, loadTeamResults } from './queries.ts'
import { writeTeamResultsWorkbook } from './write-results-workbook.ts'

const tags = ['results']
const config = { feature: 'report', demo: 'forbidden' } as const

const describe = (_request: FastifyRequest): UsageDescription => ({ type: 'open', description: 'เปิดผลงาน', info: [] })

export function teamResultsRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  const resultsIn = async (actor: Actor, period: TeamResultsPeriod) => {
    const board = await loadPursuitBoard(db, actor.organisationId)
    const reader = { stages: board.stages, seesPrice: canSeeBidPrice(actor, board) }
    const stored = await loadTeamResults(db, actor.organisationId, period)
    return { results: stored.map((result) => toTeamResult(result, reader)), seesPrice: reader.seesPrice }
  }
  const today = () => getBangkokToday(context.now())

  app.get(
    '/results',
    {
      config: { ...config, usage: describe },
      schema: {
        tags,
        summary:
          'Get the outcomes of the pursuits started in a period. Shown overall and by owner, department, word and month',
        querystring: z.looseObject({}),
        response: { 200: teamResultsSchema },
      },
    },
    async (request): Promise<TeamResults> => {
      const actor = await context.actorOf(request)
      const period = resolveTeamResultsPeriod(
        parseQueryParamsOrThrow(TEAM_RESULTS_QUERY_PARAMS, request.query).search,
        today(),
      )
      const { results, seesPrice: isSeen } = await resultsIn(actor, period)
      const groupsBy = (by: TeamResultGrouping) =>
        computeTeamResultGroups(results, by, { seesPrice: isSeen, limit: MAX_TEAM_RESULT_GROUPS })
      return {
        ...period,
        total: computeTeamResultFigures(results, isSeen),
        owner: groupsBy('owner'),
        department: groupsBy('department'),
        word: groupsBy('word'),
        month: groupsBy('month'),
        lost_reasons: countTeamResultReasons(results, 'lost_reason').slice(0, MAX_TEAM_RESULT_GROUPS),
        declined_reasons: countTeamResultReasons(results, 'declined_reason').slice(0, MAX_TEAM_RESULT_GROUPS),
        sees_price: isSeen,
        feedback_weeks: await countFeedbackByWeek(db, actor.organisationId, today()),
      }
    },
  )

  app.get(
    '/results/rows',
    {
      config,
      schema: {
        tags,
        summary: 'List the pursuits behind one figure (`rows`), overall or of one group (`group`, `key`)',
        querystring: z.looseObject({}),
        response: { 200: teamResultRowsSchema },
      },
    },
    async (request): Promise<TeamResultRows> => {
      const { search } = parseQueryParamsOrThrow(TEAM_RESULT_ROWS_PARAMS, request.query)
      const selection = parseTeamResultRowSelection(search)
      if (!selection) throw new ProblemError('bad_input', { fields: { rows: ['ไม่มีตัวเลขนี้'] } })
      const { results, seesPrice: isSeen } = await resultsIn(
        await context.actorOf(request),
        resolveTeamResultsPeriod(search, today()),
      )
      if (selection.figure === 'discounted' && !isSeen) throw new ProblemError('forbidden')
      const { figure, group } = selection
      const isInGroup = ({ groups }: TeamResult) => !group || groups[group.by].some(({ key }) => key === group.key)
      const rows = results.filter((result) => isInGroup(result) && isTeamResultCountedInFigure(figure, result))
      return { total: rows.length, results: rows.slice(0, MAX_TEAM_RESULT_ROWS).map(({ row }) => row) }
    },
  )

  app.get(
    '/results/file',
    {
      config,
      schema: { tags, summary: 'Download the results of a period as a workbook', querystring: z.looseObject({}) },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const now = context.now()
      const period = resolveTeamResultsPeriod(
        parseQueryParamsOrThrow(TEAM_RESULTS_QUERY_PARAMS, request.query).search,
        today(),
      )
      return sendAttachment(request, reply, {
        name: buildDatedFileName('results-', now),
        format: 'xlsx',
        record: () => recordExportDownload(context, request, { file: 'results' }),
        content: async () => {
          const { results, seesPrice: isSeen } = await resultsIn(actor, period)
          const organisation = await loadOrganisationName(db, actor.organisationId)
          return writeTeamResultsWorkbook(results, { period, seesPrice: isSeen, organisation, now })
        },
      })
    },
  )
}
