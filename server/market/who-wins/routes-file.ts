import { datedFileName } from '#contract/file-name.ts'
import { recordExportFetched } from '#server/account/usage-log/audit-events.ts'
import { sendAttachment } from '#server/platform/route/attachment.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { answerAwards } from './answer-awards.ts'
import { idsOfFigure } from './award-rows.ts'
import type { AwardMemory } from './memory/award-memory.ts'
import { presentWhoWins, presentWonProject } from './present.ts'
import { loadWonProjects } from './queries.ts'
import { readWinsInput, winScopeOf, winsQuerystring } from './routes.ts'
import { signsWithIds, signTables } from './signs/signs-file.ts'
import { fileRows, MOST_IN_FILE, writeWhoWins } from './who-wins-file.ts'

const MOST_COMPANIES = 500

export function whoWinsFileRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: AwardMemory | undefined },
): void {
  const { db } = context
  app.get(
    '/who-wins/file',
    {
      // The demo cannot download files (C6).
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
      const rank = search.rank ?? 'value'
      const { answer, decided, signs } = await answerAwards(context, search, scope, async (awards) => ({
        answer: await presentWhoWins(db, awards, { rank, scope, most: MOST_COMPANIES }),
        decided: (await idsOfFigure(db, awards, 'decided', MOST_IN_FILE))!,
        signs: await signsWithIds(db, awards),
      }))
      const projectsOf = async (ids: readonly string[]) =>
        (await loadWonProjects(db, ids, scope.organisationId)).map(presentWonProject)
      return sendAttachment(request, reply, {
        name: datedFileName('who-wins-', context.now()),
        format: 'xlsx',
        record: () => recordExportFetched(context, request, { list: 'who_wins', total: decided.total }),
        content: () =>
          writeWhoWins(answer, fileRows(db, decided, scope.organisationId), {
            search,
            now: context.now(),
            extra: signTables(signs, projectsOf),
          }),
      })
    },
  )
}
