import { z } from 'zod/mini'

const line = {
  id: z.number(),
  kind: z.string(),
  /** Code of the organisation that the job belongs to; null for a job of the server itself. */
  organisation: z.nullable(z.string()),
  attempts: z.number(),
  /** Status code or type of error. Never a message text, which could contain a name or address. */
  failure: z.nullable(z.string()),
}

/**
 * `GET /operation/jobs`: dead, queued and running jobs, and undelivered emails; at most 50 of each. Times are UTC ISO.
 */
export const operatorJobsSchema = z.object({
  checked_at: z.string(),
  jobs: z.array(
    z.object({
      ...line,
      state: z.enum(['waiting', 'running', 'dead']),
      requested_at: z.string(),
      at: z.string(),
      can_restart: z.boolean(),
    }),
  ),
  mails: z.array(
    z.object({
      ...line,
      state: z.enum(['queued', 'failed', 'expired']),
      created_at: z.string(),
      can_resend: z.boolean(),
    }),
  ),
})
export type OperatorJobs = z.output<typeof operatorJobsSchema>
export type OperatorJobRow = OperatorJobs['jobs'][number]
export type UndeliveredEmail = OperatorJobs['mails'][number]
