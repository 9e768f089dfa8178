import { z } from 'zod/mini'
import { formatReportSearch, parseReportSearch } from '#contract/report/report-params.ts'
import {
  isShortLinkCode,
  shortLinkRequestSchema,
  shortLinkSchema,
  shortLinkSearchSchema,
  toShareableSearch,
} from '#contract/report/short-link.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { findShortLink, storeShortLink } from './queries.ts'

const REPORT_PATH = '/report'
/** Longer URLs are not shortened; the client copies them as they are. */
const MAX_ADDRESS_LENGTH = 8_000

function normalisedAddress(flat: Readonly<Record<string, string>>): string {
  const { search, ignored } = parseReportSearch(flat)
  // Dropping unreadable parameters would widen the result for the recipient, so do not shorten such links.
  const shared = ignored.length === 0 ? toShareableSearch(search) : undefined
  const address = shared && `${REPORT_PATH}?${new URLSearchParams(formatReportSearch(shared))}`
  if (address === undefined || address.length > MAX_ADDRESS_LENGTH) throw new ProblemError('bad_input')
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
        summary:
          'Create a short link to a search of the report. The same search returns the same code, valid for two years after the last request',
        body: shortLinkRequestSchema,
        response: { 200: shortLinkSchema },
      },
    },
    async ({ body }) => ({ code: await storeShortLink(context.db, normalisedAddress(body.search), context.now()) }),
  )

  app.get(
    '/short-links/:code',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['report'],
        summary: 'Get the search behind a short link. It applies to the projects of the organisation of the caller',
        params: z.object({ code: z.string() }),
        response: { 200: shortLinkSearchSchema },
      },
    },
    async ({ params: { code } }) => {
      const address = isShortLinkCode(code) ? await findShortLink(context.db, code, context.now()) : undefined
      if (address === undefined) throw new ProblemError('not_found')
      return { search: Object.fromEntries(new URLSearchParams(address.slice(REPORT_PATH.length))) }
    },
  )
}
