import { z } from 'zod/mini'
import { TEST_EVENT } from './webhook.ts'

/**
 * What a webhook is sent: type, moment, ids, public facts of the project by the names of the report's rows, and a link. Never labels, notes, prices or
 * names of members. New fields may come; none goes or changes its meaning.
 */

const date = z.nullable(z.string())
const money = z.nullable(z.number())

/** Public facts. Money in baht, dates ISO `YYYY-MM-DD`, unknown is null. */
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
export type PayloadProject = z.output<typeof projectSchema>

const stageSchema = z.nullable(z.object({ id: z.string(), name: z.string(), kind: z.string() }))
export type PayloadStage = z.output<typeof stageSchema>
const changeSchema = z.object({ field: z.string(), old: z.nullable(z.string()), new: z.nullable(z.string()) })
export type PayloadChange = z.output<typeof changeSchema>

/** `url`: the page of the project in the product, for who may log in there. */
const about = { project: projectSchema, url: z.string() }
/** UTC ISO: when it happened, not when it is sent. */
const timestamp = z.string()

/** The body of a request, by its type. */
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
    /** Null before it began, and after it was taken away. */
    data: z.object({ ...about, stage: stageSchema, previous_stage: stageSchema }),
  }),
  z.object({ type: z.literal(TEST_EVENT), timestamp, data: z.object({ message: z.string(), url: z.string() }) }),
])
export type WebhookPayload = z.output<typeof webhookPayloadSchema>
