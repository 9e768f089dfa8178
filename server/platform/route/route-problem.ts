import { API_PROBLEM_TEXTS, type ApiProblemCode } from '#contract/http/problem-texts.ts'

const STATUS = {
  bad_input: 400,
  login_failed: 400,
  refkey_unknown: 400,
  reset_link_unknown: 400,
  reset_link_expired: 400,
  reset_link_used: 400,
  invitation_unknown: 400,
  invitation_over: 400,
  invitation_used: 400,
  invitation_email_taken: 400,
  login_step_over: 400,
  organisation_login_over: 400,
  organisation_login_required: 400,
  session_invalid: 401,
  proof_needed: 403,
  second_factor_due: 403,
  forbidden: 403,
  foreign_origin: 403,
  lists_locked: 403,
  demo_read_only: 403,
  not_found: 404,
  changed_meanwhile: 409,
  method_not_allowed: 405,
  payload_too_large: 413,
  request_too_slow: 408,
  unsupported_media_type: 415,
  address_too_long: 431,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  query_too_slow: 503,
} as const satisfies Record<ApiProblemCode, number>

/**
 * An error that is a valid response: route code and the functions below it throw it, and the HTTP layer serializes it
 * as described in `docs/architecture.md`.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly code: ApiProblemCode
  readonly status: number
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ApiProblemCode,
    options: {
      fields?: Record<string, string[]>
      details?: Readonly<Record<string, unknown>>
      text?: string
      retryAfterSeconds?: number
    } = {},
  ) {
    super(options.text ?? API_PROBLEM_TEXTS[code])
    this.code = code
    this.status = STATUS[code]
    this.fields = options.fields ?? {}
    this.details = options.details ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
