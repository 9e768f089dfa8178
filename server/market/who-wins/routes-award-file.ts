import { datedFileName } from '#contract/file-name.ts'
import { recordExportFetched } from '#server/account/usage-log/audit-events.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { loadFigureIds } from './award-rows.ts'
import type { AwardMemory } from './memory/award-memory.ts'
import { presentWhoWins, presentWonProject } from './present.ts'
import { loadWonProjects } from './queries.ts'
import { readWinsInput, winScopeOf, winsQuerystring } from './routes.ts'
import { loadSignsFileData, signTables } from './signs/signs-file.ts'
import { loadWonProjectPages, MAX_FILE_ROWS, writeWhoWinsWorkbook } from './who-wins-file.ts'
import { withAwards } from './with-awards.ts'

const MAX_COMPANIES = 500

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
        summary: 'Download the analysis of who wins the projects of a search, as a workbook',
        querystring: winsQuerystring,
      },
    },
    async (request, reply) => {
      const { search } = readWinsInput(request.query)
      const scope = await winScopeOf(context, request, search)
      const rank = search.rank ?? 'value'
      const {
        answer: figures,
        decided,
        signs,
      } = await withAwards(context, search, scope, async (awards) => ({
        answer: await presentWhoWins(db, awards, { rank, scope, limit: MAX_COMPANIES }),
        decided: (await loadFigureIds(db, awards, 'decided', MAX_FILE_ROWS))!,
        signs: await loadSignsFileData(db, awards),
      }))
      const projectsOf = async (ids: readonly string[]) =>
        (await loadWonProjects(db, ids, scope.organisationId)).map(presentWonProject)
      return sendAttachment(request, reply, {
        name: datedFileName('who-wins-', context.now()),
        format: 'xlsx',
        record: () => recordExportFetched(context, request, { list: 'who_wins', total: decided.total }),
        content: () =>
          writeWhoWinsWorkbook(figures, loadWonProjectPages(db, decided, scope.organisationId), {
            search,
            now: context.now(),
            extra: signTables(signs, projectsOf),
          }),
      })
    },
  )
}
