import { type OperatorJobs, operatorJobsSchema } from '#contract/operation/jobs.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange } from '#src/api/optimistic-changes.ts'

export const operatorJobsQuery = apiQueryOptions('operation/jobs', {
  queryKey: ['operation', 'jobs'],
  schema: operatorJobsSchema,
  staleTime: 10_000,
})

const refresh = () => queryClient.invalidateQueries({ queryKey: operatorJobsQuery.queryKey })

type RowId = { readonly id: number }

export const restartBackgroundJob = defineOptimisticChange<RowId, void>({
  name: 'job-restarted',
  layers: [
    {
      key: operatorJobsQuery.queryKey,
      apply: ((cached: OperatorJobs, { id }: RowId): OperatorJobs => ({
        ...cached,
        jobs: cached.jobs.map((job) => (job.id === id ? { ...job, state: 'waiting', can_restart: false } : job)),
      })) as never,
    },
  ],
  scope: 'operated jobs',
  tags: () => [],
  message: { failed: 'เริ่มงานใหม่ไม่สำเร็จ' },
  send: async ({ id }, call) => {
    await call(`operation/jobs/${id}/restart`, { method: 'post' })
    await refresh()
  },
})

export const resendFailedMail = defineOptimisticChange<RowId, void>({
  name: 'mail-resent',
  layers: [
    {
      key: operatorJobsQuery.queryKey,
      apply: ((cached: OperatorJobs, { id }: RowId): OperatorJobs => ({
        ...cached,
        mails: cached.mails.map((mail) => (mail.id === id ? { ...mail, state: 'queued', can_resend: false } : mail)),
      })) as never,
    },
  ],
  scope: 'operated jobs',
  tags: () => [],
  message: { failed: 'ส่งอีเมลอีกครั้งไม่สำเร็จ' },
  send: async ({ id }, call) => {
    await call(`operation/mails/${id}/resend`, { method: 'post' })
    await refresh()
  },
})
