import type { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'

export type SavedQuestionMailLinks = {
  page(path: string): string
  /**
   * `questionsOff` is the URL of a confirmation page; `questionsOneClickOff` is the one-click unsubscribe URL for mail
   * clients.
   */
  questionsOff(): string
  questionsOneClickOff(): string
}

export type SavedQuestionJobDependencies = {
  readonly questions: {
    readonly awards: AwardCache | undefined
    readonly mails: OutgoingMailQueue
    readonly linksFor: (userId: number, now: Date) => SavedQuestionMailLinks
  }
}
