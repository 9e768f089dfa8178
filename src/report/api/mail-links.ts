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

/** The report mail as it would go out now. Its page can be opened for some minutes only, so an old answer is of no use. */
export const reportMailPreviewQuery = queryOptions({
  queryKey: reportMailKeys.preview,
  queryFn: ({ signal }) => request('users/me/report-mail-preview', { schema: reportMailPreviewSchema, signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** A link acts for the account that the mail went to, whoever is signed in here. */
const ALONE = { withoutBearer: true, keepsSession: true, method: 'post' } as const

/** What a link of a report mail would do; changes nothing. */
export const mailLinkQuery = (token: string) =>
  queryOptions({
    queryKey: reportMailKeys.link(token),
    queryFn: (): Promise<MailLink> => request('mail-links/look', { ...ALONE, json: { token }, schema: mailLinkSchema }),
    ...ASKED_ONCE,
  })

/** Does what the link says. */
export function applyMailLink(token: string): Promise<MailLinkDone> {
  return request('mail-links', { ...ALONE, json: { token }, schema: mailLinkDoneSchema })
}

/** Why a link does nothing, when it is the link that the server refused. */
export function mailLinkProblemOf(error: unknown): MailLinkProblem | undefined {
  if (!(error instanceof ProblemError)) return undefined
  return MAIL_LINK_PROBLEMS.find((problem) => problem === error.body.link)
}
