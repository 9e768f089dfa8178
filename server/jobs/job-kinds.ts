import { lineEventJob } from '#server/channels/line/event-job.ts'
import type { LineDependencies } from '#server/channels/line/line-dependencies.ts'
import { type WebhookJobDependencies, webhookJob } from '#server/channels/webhook/webhook-job.ts'
import { type ImageOcrDependencies, imageOcrJob } from '#server/documents/picture/image-ocr-job.ts'
import { savedQuestionJob } from '#server/market/saved-question/saved-question-job.ts'
import type { SavedQuestionJobDependencies } from '#server/market/saved-question/saved-question-job-dependencies.ts'
import { keywordTermAdviceJob } from '#server/matching/term-advice/term-advice-job.ts'
import type { JobHandler } from '#server/platform/queue/job.ts'
import type { ReportMailDependencies } from '#server/report/mail/compose-report-mail.ts'
import { type NotificationChannelJobDependencies, notificationChannelJob } from './channel-job.ts'
import {
  type DocumentJobDependencies,
  documentComparisonJob,
  documentJob,
  savedFilterMatchJob,
} from './document/document-job.ts'
import { documentMatchJob } from './document/document-match-job.ts'
import { fillProjectFieldsJob } from './document/fill-facts-job.ts'
import { type ExportJobDependencies, exportJob } from './export-job.ts'
import { type IntakeJobDependencies, intakeJob } from './intake/intake-job.ts'
import { coverageMailJob } from './mail/coverage-mail-job.ts'
import { followUpdateMailJob } from './mail/follow-mail-job.ts'
import { type MailDeliveryDependencies, mailJob } from './mail/mail-job.ts'
import { reportMailJob } from './mail/report-mail-job.ts'
import { projectMatchJob } from './match-job.ts'

export type JobHandlerDependencies = DocumentJobDependencies &
  ImageOcrDependencies &
  ExportJobDependencies &
  SavedQuestionJobDependencies &
  WebhookJobDependencies & {
    readonly reportMail: ReportMailDependencies
    readonly delivery: MailDeliveryDependencies
    readonly line?: LineDependencies | undefined
    readonly intake: IntakeJobDependencies
    readonly channels: NotificationChannelJobDependencies
  }

export const JOB_KINDS: readonly JobHandler<JobHandlerDependencies>[] = [
  projectMatchJob,
  exportJob,
  reportMailJob,
  followUpdateMailJob,
  coverageMailJob,
  savedQuestionJob,
  mailJob,
  lineEventJob,
  intakeJob,
  documentJob,
  documentComparisonJob,
  savedFilterMatchJob,
  documentMatchJob,
  fillProjectFieldsJob,
  imageOcrJob,
  notificationChannelJob,
  webhookJob,
  keywordTermAdviceJob,
]

/** Kinds of jobs that an operator may restart after they died, because no user was notified of the failure. */
export const RESTARTABLE_JOB_KINDS: readonly string[] = JOB_KINDS.filter(({ notifiesOnDeath }) => !notifiesOnDeath).map(
  ({ kind }) => kind,
)
