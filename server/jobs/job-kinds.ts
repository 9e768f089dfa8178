import { lineEventJob } from '#server/channels/line/event-job.ts'
import type { LineParts } from '#server/channels/line/line-parts.ts'
import { type WebhookParts, webhookJob } from '#server/channels/webhook/deliver-job.ts'
import { type PictureParts, pictureJob } from '#server/documents/picture/picture-job.ts'
import { questionJob } from '#server/market/saved-question/question-job.ts'
import type { QuestionJobParts } from '#server/market/saved-question/question-parts.ts'
import { adviceJob } from '#server/matching/term-advice/advice-job.ts'
import type { JobKind } from '#server/platform/queue/job.ts'
import type { MailParts } from '#server/report/mail/compose.ts'
import { type ChannelParts, channelJob } from './channel-job.ts'
import { type DocumentParts, documentCompareJob, documentFoundJob, documentJob } from './document/document-job.ts'
import { documentMatchJob } from './document/document-match-job.ts'
import { fillFactsJob } from './document/fill-facts-job.ts'
import { exportJob, type ReportParts } from './export-job.ts'
import { type IntakeParts, intakeJob } from './intake/intake-job.ts'
import { followMailJob } from './mail/follow-mail-job.ts'
import { type MailDelivery, mailJob } from './mail/mail-job.ts'
import { reportMailJob } from './mail/report-mail-job.ts'
import { matchJob } from './match-job.ts'

export type JobParts = DocumentParts &
  PictureParts &
  ReportParts &
  QuestionJobParts &
  WebhookParts & {
    readonly reportMail: MailParts
    readonly delivery: MailDelivery
    readonly line?: LineParts | undefined
    readonly intake: IntakeParts
    readonly channels: ChannelParts
  }

export const JOB_KINDS: readonly JobKind<JobParts>[] = [
  matchJob,
  exportJob,
  reportMailJob,
  followMailJob,
  questionJob,
  mailJob,
  lineEventJob,
  intakeJob,
  documentJob,
  documentCompareJob,
  documentFoundJob,
  documentMatchJob,
  fillFactsJob,
  pictureJob,
  channelJob,
  webhookJob,
  adviceJob,
]

/** Kinds that an operator may restart after they died, because no user was notified of the failure. */
export const RESTARTABLE_JOBS: readonly string[] = JOB_KINDS.filter(({ notifiesOnDeath }) => !notifiesOnDeath).map(
  ({ kind }) => kind,
)
