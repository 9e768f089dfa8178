import type { AwardMemory } from '#server/market/who-wins/memory/award-memory.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'

export type QuestionMailLinks = {
  page(path: string): string
  /** `questionsOff` is a confirmation page, `questionsOneClickOff` the one-click link for mail programs. */
  questionsOff(): string
  questionsOneClickOff(): string
}

export type QuestionJobParts = {
  readonly questions: {
    readonly awards: AwardMemory | undefined
    readonly mails: OutgoingMail
    readonly linksFor: (userId: number, now: Date) => QuestionMailLinks
  }
}
