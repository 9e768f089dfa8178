import {
  MAIL_LINK_ERRORS,
  type MailLinkError,
  type MailLinkResult,
  mailLinkResultSchema,
  mailLinkSchema,
  reportMailPreviewSchema,
} from '#contract/report/report-mail.ts'
import { apiQueryOptions, MAILED_LINK_QUERY_OPTIONS } from '#src/api/http/api-query-options.ts'
import { ANONYMOUS_REQUEST_OPTIONS, sendApiRequest } from '#src/api/http/client.ts'
import { ProblemError } from '#src/lib/problem-error.ts'

/** Loads a preview of the report email. The preview's link expires within minutes, so the response is not cached. */
export const reportMailPreviewQuery = apiQueryOptions('users/me/report-mail-preview', {
  queryKey: ['report-mail', 'preview'],
  schema: reportMailPreviewSchema,
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** The link acts for the recipient of the email, even if another user is signed in. */
const ANONYMOUS_POST = { ...ANONYMOUS_REQUEST_OPTIONS, method: 'post' } as const

export const mailLinkQuery = (token: string) =>
  apiQueryOptions('mail-links/look', {
    queryKey: ['report-mail', 'link', token],
    json: { token },
    schema: mailLinkSchema,
    ...MAILED_LINK_QUERY_OPTIONS,
  })

export function applyMailLink(token: string): Promise<MailLinkResult> {
  return sendApiRequest('mail-links', { ...ANONYMOUS_POST, json: { token }, schema: mailLinkResultSchema })
}

export function getMailLinkProblem(error: unknown): MailLinkError | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return MAIL_LINK_ERRORS.find((problem) => problem === error.body.link)
}
