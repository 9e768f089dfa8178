import { z } from 'zod/mini'
import { TEST_WEBHOOK_EVENT } from './webhook.ts'

/**
 * Webhook payload: type, time, ids, public project facts under the report's field names, and a link. Never labels,
 * notes, prices or member names. Fields may be added; none is removed or changes its meaning.
 */

const date = z.nullable(z.string())
const money = z.nullable(z.number())

/** Public facts of a project. Money is in baht, dates are ISO `YYYY-MM-DD`, and null means unknown. */
const projectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  project_province: z.nullable(z.string()),
  budget: money,
  method: z.string(),
  status: z.string(),
  movement: z.string(),
  submission_end_date: date,
  submission_time: z.nullable(z.string()),
  winner_name: z.nullable(z.string()),
  winner_budget: money,
  winner_announce_date: date,
})
export type WebhookPayloadProject = z.output<typeof projectSchema>

const stageSchema = z.nullable(z.object({ id: z.string(), name: z.string(), kind: z.string() }))
export type WebhookPayloadStage = z.output<typeof stageSchema>
const changeSchema = z.object({ field: z.string(), old: z.nullable(z.string()), new: z.nullable(z.string()) })
export type WebhookPayloadChange = z.output<typeof changeSchema>

const about = { project: projectSchema, url: z.string() }
/** UTC ISO time of the event, not of the delivery. */
const timestamp = z.string()

export const webhookPayloadSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('match.new'), timestamp, data: z.object(about) }),
  z.object({
    type: z.literal('project.changed'),
    timestamp,
    data: z.object({ ...about, changes: z.array(changeSchema) }),
  }),
  z.object({ type: z.literal('project.winner'), timestamp, data: z.object(about) }),
  z.object({
    type: z.literal('pursuit.stage'),
    timestamp,
    /** `previous_stage` is null for a new pursuit, `stage` for a removed one. */
    data: z.object({ ...about, stage: stageSchema, previous_stage: stageSchema }),
  }),
  z.object({
    type: z.literal(TEST_WEBHOOK_EVENT),
    timestamp,
    data: z.object({ message: z.string(), url: z.string() }),
  }),
])
export type WebhookPayload = z.output<typeof webhookPayloadSchema>
