import { TEST_WEBHOOK_EVENT } from '#contract/account/webhook.ts'
import type {
  WebhookPayload,
  WebhookPayloadChange,
  WebhookPayloadProject,
  WebhookPayloadStage,
} from '#contract/account/webhook-payload.ts'
import { stripDirectionMarks } from '#contract/direction-marks.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'

type StoredFacts = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly province: number | null
  readonly budget_satang: number | null
  readonly method: string
  readonly status: string
  readonly movement: string
  readonly submission_ends_on: string | null
  readonly submission_time: string | null
  readonly winner_name: string | null
  readonly winner_satang: number | null
  readonly winner_announced_on: string | null
}
export type StoredWebhookEvent = {
  readonly type: string
  /** Timestamp in database format. */
  readonly at: string
  readonly data: {
    readonly project?: StoredFacts
    readonly changes?: readonly WebhookPayloadChange[]
    readonly stage?: WebhookPayloadStage
    readonly previous_stage?: WebhookPayloadStage
  }
}

/**
 * Renders the request body from what was stored with the event only, so that it is byte-identical for each attempt.
 * Lists each field, so that new columns never leak. `link` returns the URL of a page.
 */
export function renderWebhookPayload({ type, at, data }: StoredWebhookEvent, link: (path: string) => string): string {
  const timestamp = new Date(at).toISOString()
  const { project: facts, changes, stage = null, previous_stage = null } = data
  if (type === TEST_WEBHOOK_EVENT || facts === undefined)
    return print({
      type: TEST_WEBHOOK_EVENT,
      timestamp,
      data: { message: 'ทดสอบจากตามงาน', url: link('/settings?tab=connect&part=webhooks') },
    })
  const project = presentFacts(facts)
  const url = link(`/report/${encodeURIComponent(facts.project_id)}`)
  if (type === 'project.changed')
    return print({ type, timestamp, data: { project, url, changes: (changes ?? []).map(presentChange) } })
  if (type === 'pursuit.stage')
    return print({
      ...{ type, timestamp },
      data: { project, url, stage: presentStage(stage), previous_stage: presentStage(previous_stage) },
    })
  return print({ type: type as 'match.new' | 'project.winner', timestamp, data: { project, url } })
}

const print = (payload: WebhookPayload) => stripDirectionMarks(JSON.stringify(payload))
const presentChange = ({ field, old, new: became }: WebhookPayloadChange): WebhookPayloadChange => ({
  field,
  old,
  new: became,
})
const presentStage = (stage: WebhookPayloadStage): WebhookPayloadStage =>
  stage && { id: stage.id, name: stage.name, kind: stage.kind }

const presentFacts = (facts: StoredFacts): WebhookPayloadProject => ({
  project_id: facts.project_id,
  name: facts.name,
  dept_name: facts.dept_name,
  dept_sub_name: facts.dept_sub_name,
  project_province: getProvinceName(facts.province),
  budget: satangToBaht(facts.budget_satang),
  method: facts.method,
  status: facts.status,
  movement: facts.movement,
  submission_end_date: facts.submission_ends_on,
  submission_time: facts.submission_time,
  winner_name: facts.winner_name,
  winner_budget: satangToBaht(facts.winner_satang),
  winner_announce_date: facts.winner_announced_on,
})
