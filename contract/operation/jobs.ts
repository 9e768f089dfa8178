import { z } from 'zod/mini'

const line = {
  id: z.number(),
  kind: z.string(),
  /** Code of the organisation; null: the server's own. */
  organisation: z.nullable(z.string()),
  attempts: z.number(),
  /** Kind of the fault or answer code: never a text that may hold somebody's name or address. */
  failure: z.nullable(z.string()),
}

/** `GET /operation/jobs`: what was given up, wait or runs, and mails that were not sent; 50 of each at most. Moments are UTC ISO. */
export const operatedJobsSchema = z.object({
  checked_at: z.string(),
  jobs: z.array(
    z.object({
      ...line,
      state: z.enum(['waiting', 'running', 'dead']),
      requested_at: z.string(),
      /** When it is due; of a job that was given up, when. */
      at: z.string(),
      can_restart: z.boolean(),
    }),
  ),
  mails: z.array(
    z.object({
      ...line,
      state: z.enum(['queued', 'failed', 'expired']),
      created_at: z.string(),
      /** Its text is still there, sealed, and of use. */
      can_resend: z.boolean(),
    }),
  ),
})
export type OperatedJobs = z.output<typeof operatedJobsSchema>
export type OperatedJob = OperatedJobs['jobs'][number]
export type OperatedMail = OperatedJobs['mails'][number]
