import type { ProjectFeedbackVerdict } from '#contract/report/project-feedback.ts'
import { ACTION_LINK_LIFETIME_DAYS, UNSUBSCRIBE_LINK_LIFETIME_DAYS } from '#contract/report/report-mail.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { MailLinkTokens, MailTokenKind } from './mail-link-token.ts'

const DAY_MS = 86_400_000

export const getMailLinkLifetimeDays = (kind: MailTokenKind) =>
  /^(mail|filter|questions|coverage)_/.test(kind) ? UNSUBSCRIBE_LINK_LIFETIME_DAYS : ACTION_LINK_LIFETIME_DAYS

export type MailLinkBuilder = {
  page(path: string): string
  bookmark(projectId: string): string
  unbookmark(projectId: string): string
  hide(projectId: string): string
  feedback(verdict: ProjectFeedbackVerdict, projectId: string): string
  filterOff(filterId: string): string
  mailOff(): string
  oneClickOff(): string
  questionsOff(): string
  questionsOneClickOff(): string
  coverageOff(): string
  coverageOneClickOff(): string
}

/**
 * Builds URLs with the token in the fragment. Browsers never send the fragment, so the token appears in no log, and a
 * mail scanner that opens the page changes nothing.
 */
export function createMailLinkBuilder(
  { mails, tokens }: { readonly mails: Pick<OutgoingMailQueue, 'link'>; readonly tokens: MailLinkTokens },
  userId: number,
  now: Date,
): MailLinkBuilder {
  const tokenOf = (kind: MailTokenKind, subject = '') =>
    tokens.sign({ kind, userId, subject, expiresAt: new Date(now.getTime() + getMailLinkLifetimeDays(kind) * DAY_MS) })
  const link = (kind: MailTokenKind, subject?: string) => mails.link(`/mail-link#${tokenOf(kind, subject)}`)
  const oneClick = (kind: MailTokenKind) => mails.link(`/api/v2/mail-links/unsubscribe/${tokenOf(kind)}`)
  return {
    page: (path) => mails.link(path),
    bookmark: (projectId) => link('bookmark', projectId),
    unbookmark: (projectId) => link('unbookmark', projectId),
    hide: (projectId) => link('hide', projectId),
    feedback: (verdict, projectId) => link(verdict, projectId),
    filterOff: (filterId) => link('filter_off', filterId),
    mailOff: () => link('mail_off'),
    oneClickOff: () => oneClick('mail_off'),
    questionsOff: () => link('questions_off'),
    questionsOneClickOff: () => oneClick('questions_off'),
    coverageOff: () => link('coverage_off'),
    coverageOneClickOff: () => oneClick('coverage_off'),
  }
}
