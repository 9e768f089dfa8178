import { lineEventJob } from '#server/channels/line/event-job.ts'
import type { LineParts } from '#server/channels/line/line-parts.ts'
import { type WebhookParts, webhookJob } from '#server/channels/webhook/deliver-job.ts'
import { type ImageOcrParts, imageOcrJob } from '#server/documents/picture/picture-job.ts'
import { questionJob } from '#server/market/saved-question/question-job.ts'
import type { QuestionJobParts } from '#server/market/saved-question/question-parts.ts'
import { adviceJob } from '#server/matching/term-advice/advice-job.ts'
import type { JobKind } from '#server/platform/queue/job.ts'
import type { ReportMailDependencies } from '#server/report/mail/compose.ts'
import { type ChannelParts, channelJob } from './channel-job.ts'
import { type DocumentParts, documentCompareJob, documentJob, savedFilterMatchJob } from './document/document-job.ts'
import { documentMatchJob } from './document/document-match-job.ts'
import { fillFactsJob } from './document/fill-facts-job.ts'
import { type ExportJobParts, exportJob } from './export-job.ts'
import { type IntakeParts, intakeJob } from './intake/intake-job.ts'
import { followMailJob } from './mail/follow-mail-job.ts'
import { type MailDelivery, mailJob } from './mail/mail-job.ts'
import { reportMailJob } from './mail/report-mail-job.ts'
import { matchJob } from './match-job.ts'

export type JobParts = DocumentParts &
  ImageOcrParts &
  ExportJobParts &
  QuestionJobParts &
  WebhookParts & {
    readonly reportMail: ReportMailDependencies
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
  savedFilterMatchJob,
  documentMatchJob,
  fillFactsJob,
  imageOcrJob,
  channelJob,
  webhookJob,
  adviceJob,
]

/** Kinds of jobs that an operator may restart after they died, because no user was notified of the failure. */
export const RESTARTABLE_JOBS: readonly string[] = JOB_KINDS.filter(({ notifiesOnDeath }) => !notifiesOnDeath).map(
  ({ kind }) => kind,
)
