import { z } from 'zod/mini'
import { parseReportSearch, printReportSearch } from '#contract/report/report-params.ts'
import {
  isShortLinkCode,
  linkedSearchSchema,
  sharedSearch,
  shortLinkRequestSchema,
  shortLinkSchema,
} from '#contract/report/short-link.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { findShortLink, storeShortLink } from './queries.ts'

const PATH = '/report'
/** Limit of the long form; longer URLs are copied as they are. */
const MOST_CHARACTERS = 8_000

/** Normalised address: known parameters in catalogue order. @throws ProblemError `bad_input`. */
function addressOf(flat: Readonly<Record<string, string>>): string {
  const { search, ignored } = parseReportSearch(flat)
  // Dropping a parameter would widen the result of a user who opens the link.
  const shared = ignored.length === 0 ? sharedSearch(search) : undefined
  const address = shared && `${PATH}?${new URLSearchParams(printReportSearch(shared))}`
  if (address === undefined || address.length > MOST_CHARACTERS) throw new ProblemError('bad_input')
  return address
}

/** POST /short-links when a link is copied, GET /short-links/{code} when one is opened (decision 0041). */
export function shortLinkRoutes(app: RouteApp, context: RouteContext): void {
  app.post(
    '/short-links',
    {
      config: { feature: 'report', demo: 'forbidden' },
      schema: {
        tags: ['report'],
        summary: 'The code of a short link to a search of the report; the same search has the same code, for two years',
        body: shortLinkRequestSchema,
        response: { 200: shortLinkSchema },
      },
    },
    async ({ body }) => ({ code: await storeShortLink(context.db, addressOf(body.search), context.now()) }),
  )

  app.get(
    '/short-links/:code',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['report'],
        summary: "The search behind a short link, to be opened with the caller's own organisation's projects",
        params: z.object({ code: z.string() }),
        response: { 200: linkedSearchSchema },
      },
    },
    async ({ params: { code } }) => {
      const address = isShortLinkCode(code) ? await findShortLink(context.db, code, context.now()) : undefined
      if (address === undefined) throw new ProblemError('not_found')
      return { search: Object.fromEntries(new URLSearchParams(address.slice(PATH.length))) }
    },
  )
}
