import type { Db } from '#server/platform/engine/db.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import { restartJob, restartJobByKey } from '#server/platform/queue/restart-job.ts'
import { MAIL_JOB_TYPE } from '#server/platform/route/outgoing-mail.ts'
import { listUnfinishedJobs, listUnsentMails, requeueMail } from './admin-job-queries.ts'
import { type AdminRequest, AdminRequestRejectedError, type AdminResponse } from './admin-requests.ts'
import { countItemsNeedingAttention } from './count-items-needing-attention.ts'
import { readServerMetricHistory } from './metric-history.ts'
import { type AdminActor, recordAdminEvent } from './record-admin-event.ts'

export type JobAdminRequest = Extract<
  AdminRequest,
  { do: 'attention' | 'metrics' | 'mails' | 'resend-mail' | 'jobs' | 'restart-job' }
>

type JobContext = { readonly db: Db; readonly by: AdminActor; readonly restartable?: readonly string[] }

export async function runJobAdminRequest(context: JobContext, request: JobAdminRequest): Promise<AdminResponse> {
  const { db, restartable = [] } = context
  const now = new Date()
  switch (request.do) {
    case 'attention':
      return { attention: await countItemsNeedingAttention(db, restartable, now) }
    case 'metrics':
      return { metrics: await readServerMetricHistory(db, request.period, now) }
    case 'mails':
      return { mails: await listUnsentMails(db, now) }
    case 'jobs':
      return {
        jobs: (await listUnfinishedJobs(db)).map((job) => ({
          ...job,
          canRestart: job.state === 'dead' && restartable.includes(job.kind),
        })),
      }
    case 'resend-mail':
      return await resendMail(context, request.id, now)
    case 'restart-job':
      return await restartDeadJob(context, request.id, now)
  }
}

async function resendMail({ db, by }: JobContext, id: number, now: Date): Promise<AdminResponse> {
  return await db.transaction(async (tx) => {
    const mail = await requeueMail(tx, id, now)
    if (!mail)
      throw new AdminRequestRejectedError(`mail ${id} did not fail for good, or its text is deleted`, 'unknown')
    const about = { organisationId: mail.organisationId ?? undefined, userId: mail.userId ?? undefined }
    // Jobs are pruned no earlier than their emails, but enqueue a new job if it is missing anyway.
    if (!(await restartJobByKey(tx, MAIL_JOB_TYPE.kind, String(id), now)))
      await enqueueSingleJob(tx, MAIL_JOB_TYPE, { key: String(id), payload: { mail: id }, at: now })
    await recordAdminEvent(tx, by, about, { did: 'resend-mail', id, kind: mail.kind })
    return { done: `mail ${id} (${mail.kind}) will be resent` }
  })
}

async function restartDeadJob({ db, by, restartable = [] }: JobContext, id: number, now: Date): Promise<AdminResponse> {
  return await db.transaction(async (tx) => {
    const job = await restartJob(tx, id, restartable, now)
    if (!job)
      throw new AdminRequestRejectedError(
        `job ${id} is not dead, or is of a kind that cannot be restarted (${restartable.join(', ')} can)`,
        'unknown',
      )
    await recordAdminEvent(
      tx,
      by,
      { organisationId: job.organisationId ?? undefined },
      { did: 'restart-job', id, kind: job.kind },
    )
    return { done: `job ${id} (${job.kind}) was restarted` }
  })
}
