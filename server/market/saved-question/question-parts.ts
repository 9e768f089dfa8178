import type { AwardMemory } from '#server/market/who-wins/memory/award-memory.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'

export type QuestionLinks = {
  page(path: string): string
  /** Unsubscribe links: a confirmation page, and the one-click link for mail programs. */
  questionsOff(): string
  questionsOneClickOff(): string
}

export type QuestionParts = {
  readonly questions: {
    /** Undefined without the in-process cache. */
    readonly awards: AwardMemory | undefined
    readonly mails: OutgoingMail
    readonly linksFor: (userId: number, now: Date) => QuestionLinks
  }
}
