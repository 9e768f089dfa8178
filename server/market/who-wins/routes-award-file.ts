import { buildDatedFileName } from '#contract/dated-file-name.ts'
import { recordExportDownload } from '#server/account/usage-log/audit-events.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { loadFigureProjectIds } from './load-figure-project-ids.ts'
import type { AwardCache } from './memory/award-cache.ts'
import { presentWhoWins, presentWonProject } from './present-who-wins.ts'
import { loadWonProjects } from './queries.ts'
import { parseWhoWinsInput, resolveWhoWinsScope, whoWinsQuerystringSchema } from './routes.ts'
import { buildUnusualAwardPatternSheets, loadUnusualAwardPatternWorkbookData } from './signs/build-sign-sheets.ts'
import { withAwards } from './with-awards.ts'
import { loadWonProjectPages, MAX_WON_PROJECT_WORKBOOK_ROWS, writeWhoWinsWorkbook } from './write-who-wins-workbook.ts'

const MAX_COMPANIES = 500

export function whoWinsWorkbookRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: AwardCache | undefined },
): void {
  const { db } = context
  app.get(
    '/who-wins/file',
    {
      config: { feature: 'company_compare', demo: 'forbidden' },
      schema: {
        tags: ['report'],
        summary: 'Download the analysis of who wins the projects of a search, as a workbook',
        querystring: whoWinsQuerystringSchema,
      },
    },
    async (request, reply) => {
      const { search } = parseWhoWinsInput(request.query)
      const scope = await resolveWhoWinsScope(context, request, search)
      const rank = search.rank ?? 'value'
      const { awards, figures, decided } = await withAwards(context, search, scope, async (current) => ({
        awards: current,
        figures: await presentWhoWins(db, current, { rank, scope, limit: MAX_COMPANIES }),
        decided: (await loadFigureProjectIds(db, current, 'decided', MAX_WON_PROJECT_WORKBOOK_ROWS))!,
      }))
      const projectsOf = async (ids: readonly string[]) =>
        (await loadWonProjects(db, ids, scope.organisationId)).map(presentWonProject)
      return sendAttachment(request, reply, {
        name: buildDatedFileName('who-wins-', context.now()),
        format: 'xlsx',
        record: () => recordExportDownload(context, request, { list: 'who_wins', total: decided.total }),
        content: () =>
          writeWhoWinsWorkbook(figures, loadWonProjectPages(db, decided, scope.organisationId), {
            search,
            now: context.now(),
            extra: buildUnusualAwardPatternSheets(() => loadUnusualAwardPatternWorkbookData(db, awards), projectsOf),
          }),
      })
    },
  )
}
