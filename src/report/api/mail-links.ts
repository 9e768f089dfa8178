import { queryOptions } from '@tanstack/react-query'
import {
  MAIL_LINK_PROBLEMS,
  type MailLink,
  type MailLinkDone,
  type MailLinkProblem,
  mailLinkDoneSchema,
  mailLinkSchema,
  reportMailPreviewSchema,
} from '#contract/report/report-mail.ts'
import { request } from '#src/api/http/client.ts'
import { reportMailKeys } from '#src/api/http/keys.ts'
import { ProblemError } from '#src/api/http/problem-error.ts'
import { ASKED_ONCE } from '#src/api/http/query-client.ts'

/** Preview of the report mail. Its page link expires within minutes, so the response is not cached. */
export const reportMailPreviewQuery = queryOptions({
  queryKey: reportMailKeys.preview,
  queryFn: ({ signal }) => request('users/me/report-mail-preview', { schema: reportMailPreviewSchema, signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** The link acts for the mail's recipient, regardless of the signed-in user. */
const ALONE = { withoutBearer: true, keepsSession: true, method: 'post' } as const

/** Describes what a report mail link would do, without side effects. */
export const mailLinkQuery = (token: string) =>
  queryOptions({
    queryKey: reportMailKeys.link(token),
    queryFn: (): Promise<MailLink> => request('mail-links/look', { ...ALONE, json: { token }, schema: mailLinkSchema }),
    ...ASKED_ONCE,
  })

export function applyMailLink(token: string): Promise<MailLinkDone> {
  return request('mail-links', { ...ALONE, json: { token }, schema: mailLinkDoneSchema })
}

/** Returns why the server rejected the link; undefined for other errors. */
export function mailLinkProblemOf(error: unknown): MailLinkProblem | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return MAIL_LINK_PROBLEMS.find((problem) => problem === error.body.link)
}
