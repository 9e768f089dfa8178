import type { AwardMemory } from '#server/market/who-wins/memory/award-memory.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'

/** Addresses of a mail to one user. */
export type QuestionLinks = {
  page(path: string): string
  /** Ends these mails by a page that asks first, and by one press in a mail program. */
  questionsOff(): string
  questionsOneClickOff(): string
}

/** What the program hands to the job of saved questions. */
export type QuestionParts = {
  readonly questions: {
    /** What answers questions about the whole market; undefined where nothing is held. */
    readonly awards: AwardMemory | undefined
    readonly mails: OutgoingMail
    readonly linksFor: (userId: number, now: Date) => QuestionLinks
  }
}
