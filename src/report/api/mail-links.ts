import { queryOptions } from '@tanstack/react-query'
import {
  MAIL_LINK_ERRORS,
  type MailLink,
  type MailLinkError,
  type MailLinkResult,
  mailLinkResultSchema,
  mailLinkSchema,
  reportMailPreviewSchema,
} from '#contract/report/report-mail.ts'
import { ANONYMOUS, sendApiRequest } from '#src/api/http/client.ts'
import { reportMailKeys } from '#src/api/http/keys.ts'
import { ProblemError } from '#src/api/http/problem-error.ts'
import { ONE_SHOT_QUERY_OPTIONS } from '#src/api/http/query-client.ts'

/** Preview of the report email. Its page link expires within minutes, so the response is not cached. */
export const reportMailPreviewQuery = queryOptions({
  queryKey: reportMailKeys.preview,
  queryFn: ({ signal }) => sendApiRequest('users/me/report-mail-preview', { schema: reportMailPreviewSchema, signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** The link acts for the recipient of the email, regardless of the signed-in user. */
const ANONYMOUS_POST = { ...ANONYMOUS, method: 'post' } as const

/** Describes the link's action without performing it. */
export const mailLinkQuery = (token: string) =>
  queryOptions({
    queryKey: reportMailKeys.link(token),
    queryFn: (): Promise<MailLink> =>
      sendApiRequest('mail-links/look', { ...ANONYMOUS_POST, json: { token }, schema: mailLinkSchema }),
    ...ONE_SHOT_QUERY_OPTIONS,
  })

export function applyMailLink(token: string): Promise<MailLinkResult> {
  return sendApiRequest('mail-links', { ...ANONYMOUS_POST, json: { token }, schema: mailLinkResultSchema })
}

export function getMailLinkProblem(error: unknown): MailLinkError | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return MAIL_LINK_ERRORS.find((problem) => problem === error.body.link)
}
