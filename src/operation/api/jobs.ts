import { type OperatorJobs, operatorJobsSchema } from '#contract/operation/jobs.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { defineOperatorChange } from './define-operator-change.ts'

export const operatorJobsQuery = apiQueryOptions('operation/jobs', {
  queryKey: ['operation', 'jobs'],
  schema: operatorJobsSchema,
  staleTime: 10_000,
})

type RowId = { readonly id: number }

export const restartBackgroundJob = defineOperatorChange<RowId>({
  name: 'job-restarted',
  layer: {
    key: operatorJobsQuery.queryKey,
    apply: (cached: OperatorJobs, { id }): OperatorJobs => ({
      ...cached,
      jobs: cached.jobs.map((job) => (job.id === id ? { ...job, state: 'waiting', can_restart: false } : job)),
    }),
  },
  scope: 'operated jobs',
  failed: 'เริ่มงานใหม่ไม่สำเร็จ',
  refetches: operatorJobsQuery.queryKey,
  send: ({ id }) => [`jobs/${id}/restart`, 'post'],
})

export const resendFailedMail = defineOperatorChange<RowId>({
  name: 'mail-resent',
  layer: {
    key: operatorJobsQuery.queryKey,
    apply: (cached: OperatorJobs, { id }): OperatorJobs => ({
      ...cached,
      mails: cached.mails.map((mail) => (mail.id === id ? { ...mail, state: 'queued', can_resend: false } : mail)),
    }),
  },
  scope: 'operated jobs',
  failed: 'ส่งอีเมลอีกครั้งไม่สำเร็จ',
  refetches: operatorJobsQuery.queryKey,
  send: ({ id }) => [`mails/${id}/resend`, 'post'],
})
