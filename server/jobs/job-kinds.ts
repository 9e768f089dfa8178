import { type PictureParts, pictureJob } from '#server/features/document/picture/picture-job.ts'
import type { MailParts } from '#server/features/report-mail/compose.ts'
import { questionJob } from '#server/features/saved-question/question-job.ts'
import type { QuestionParts } from '#server/features/saved-question/question-parts.ts'
import { adviceJob } from '#server/features/term-advice/advice-job.ts'
import { type WebhookParts, webhookJob } from '#server/features/webhook/deliver-job.ts'
import type { JobKind } from '#server/queue/job.ts'
import { type DocumentParts, documentCompareJob, documentFoundJob, documentJob } from './document/document-job.ts'
import { documentMatchJob } from './document/document-match-job.ts'
import { fillFactsJob } from './document/fill-facts-job.ts'
import { exportJob, type ReportParts } from './export-job.ts'
import { type IntakeParts, intakeJob } from './intake/intake-job.ts'
import { followMailJob } from './mail/follow-mail-job.ts'
import { type MailDelivery, mailJob } from './mail/mail-job.ts'
import { reportMailJob } from './mail/report-mail-job.ts'
import { matchJob } from './match-job.ts'

/** What the program hands to its jobs. */
export type JobParts = DocumentParts &
  PictureParts &
  ReportParts &
  QuestionParts &
  WebhookParts & {
    readonly reportMail: MailParts
    readonly delivery: MailDelivery
    readonly intake: IntakeParts
  }

/** Every kind of job. A new kind is one file with `defineJob` and one line here. */
export const JOB_KINDS: readonly JobKind<JobParts>[] = [
  matchJob,
  exportJob,
  reportMailJob,
  followMailJob,
  questionJob,
  mailJob,
  intakeJob,
  documentJob,
  documentCompareJob,
  documentFoundJob,
  documentMatchJob,
  fillFactsJob,
  pictureJob,
  webhookJob,
  adviceJob,
]

/** Kinds that an operator may begin anew after they were given up: nobody was told of their end. */
export const RESTARTABLE_JOBS: readonly string[] = JOB_KINDS.filter(({ tellsOfDeath }) => !tellsOfDeath).map(
  ({ kind }) => kind,
)
