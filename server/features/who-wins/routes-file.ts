import { datedFileName } from '#contract/file-name.ts'
import type { WinRank } from '#contract/report/report-view.ts'
import type { WonProject } from '#contract/report/who-wins.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { recordExportFetched } from '#server/features/usage-log/audit-events.ts'
import { sendAttachment } from '#server/route/attachment.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { answerAwards } from './answer-awards.ts'
import { idsOfFigure } from './award-rows.ts'
import type { AwardMemory } from './memory/award-memory.ts'
import { presentWhoWins, presentWonProject } from './present.ts'
import { loadWonProjects } from './queries.ts'
import { readWinsInput, winScopeOf, winsQuerystring } from './routes.ts'
import { writeWhoWins } from './who-wins-file.ts'

/** Rows that are asked for at once, and the most that a file holds: a table to read, not a copy of the database. */
const PAGE = 500
const MOST_PROJECTS = 5_000
const MOST_COMPANIES = 500

/** GET /who-wins/file: figures and decided projects of a search as a workbook. */
export function whoWinsFileRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: AwardMemory | undefined },
): void {
  const { db } = context
  app.get(
    '/who-wins/file',
    {
      // The demo takes no files home (C6).
      config: { feature: 'company_compare', demo: 'forbidden' },
      schema: {
        tags: ['report'],
        summary: 'Who wins among the projects of a search, as a workbook',
        querystring: winsQuerystring,
      },
    },
    async (request, reply) => {
      const { search } = readWinsInput(request.query)
      const scope = await winScopeOf(context, request, search)
      const rank = (search.rank ?? 'value') as WinRank
      const { answer, decided } = await answerAwards(context, search, scope, async (awards) => ({
        answer: await presentWhoWins(db, awards, { rank, scope, most: MOST_COMPANIES }),
        decided: (await idsOfFigure(db, awards, 'decided', MOST_PROJECTS))!,
      }))
      async function* pages(): AsyncGenerator<readonly WonProject[]> {
        for (let from = 0; from < decided.ids.length; from += PAGE) {
          const stored = await loadWonProjects(db, decided.ids.slice(from, from + PAGE), scope.organisationId)
          yield stored.map(presentWonProject)
        }
      }
      const isCut = decided.ids.length < decided.total
      const note = isCut
        ? `แสดง ${formatCount(decided.ids.length)} โครงการแรกจากทั้งหมด ${formatCount(decided.total)} โครงการ`
        : undefined
      return sendAttachment(request, reply, {
        name: datedFileName('who-wins-', context.now()),
        format: 'xlsx',
        record: () => recordExportFetched(context, request, { list: 'who_wins', total: decided.total }),
        content: () => writeWhoWins(answer, { pages: pages(), note }, { search, now: context.now() }),
      })
    },
  )
}
