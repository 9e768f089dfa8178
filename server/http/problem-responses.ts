import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { INVITATION_PROBLEM_CODES } from '#contract/account/invitation.ts'
import {
  ORGANISATION_LOGIN_EXPIRED_ERROR_CODE,
  ORGANISATION_LOGIN_REQUIRED_ERROR_CODE,
} from '#contract/account/organisation-login.ts'
import { PASSWORD_RESET_PROBLEM_CODES } from '#contract/account/password.ts'
import {
  IDENTITY_PROOF_REQUIRED_ERROR_CODE,
  LOGIN_STEP_EXPIRED_ERROR_CODE,
  SECOND_FACTOR_REQUIRED_ERROR_CODE,
} from '#contract/account/second-factor.ts'
import { EDIT_CONFLICT_ERROR_CODE } from '#contract/http/changed-meanwhile.ts'
import type { ApiProblem } from '#contract/http/problem.ts'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { DocumentStoreUnavailableError } from '#server/documents/store/document-store.ts'
import { DbReadOnlyError, DbUnavailableError, QueryTimeoutError } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

const RETRY_AFTER_SECONDS = 2
/**
 * Retry-After when the document store fails. A bucket has already been retried several times by then, so its outage is
 * likely to last longer.
 */
const STORE_RETRY_AFTER_SECONDS = 15
const STORE_DOWN_TEXT = 'ที่เก็บเอกสารไม่ตอบในขณะนี้ ไฟล์ที่เก็บไว้แล้วยังอยู่ ลองใหม่ในอีกสักครู่'
/**
 * Refusals whose body includes the code as well as the message: password resets (specification section 7), invitation
 * links, locked watch lists, and steps that require proof of identity or setup first.
 */
const CODES_IN_BODY: ReadonlySet<string> = new Set([
  ...PASSWORD_RESET_PROBLEM_CODES,
  ...INVITATION_PROBLEM_CODES,
  'lists_locked',
  'demo_read_only',
  EDIT_CONFLICT_ERROR_CODE,
  IDENTITY_PROOF_REQUIRED_ERROR_CODE,
  SECOND_FACTOR_REQUIRED_ERROR_CODE,
  LOGIN_STEP_EXPIRED_ERROR_CODE,
  ORGANISATION_LOGIN_EXPIRED_ERROR_CODE,
  ORGANISATION_LOGIN_REQUIRED_ERROR_CODE,
])
const READ_ONLY_TEXT = 'ตอนนี้ดูข้อมูลได้อย่างเดียว ยังบันทึกไม่ได้ เพราะฐานข้อมูลหลักไม่ตอบ ลองใหม่ในอีกสักครู่'
const THAI = /[\u0E01-\u0E5B]/
const FIELD_NAME = /^[a-z][a-z0-9_]*$/i

export function sendProblem(reply: FastifyReply, problem: ProblemError, requestId: string): FastifyReply {
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toProblemBody(problem, requestId))
}

/**
 * Returns the response body: 401, 404 and 405 contain a code, an unexpected failure also the request id; all others
 * Thai messages.
 */
export function toProblemBody(problem: ProblemError, requestId: string): ApiProblem & Record<string, unknown> {
  const { code, status, message, fields, details } = problem
  if (code === 'internal') return { code, request_id: requestId }
  if (CODES_IN_BODY.has(code)) return { code, error: message, non_field_errors: [message], ...details }
  if (status === 401 || status === 404 || status === 405) return { code }
  return { non_field_errors: [message], ...fields, ...details }
}

/** Adds the messages as `errors`, as the uniqueness checks require (specification section 8). */
export function addErrorListToProblem(problem: ProblemError): ProblemError {
  const { code, message, fields, retryAfterSeconds } = problem
  if (problem.status !== 400 || fields.errors !== undefined) return problem
  return new ProblemError(code, {
    text: message,
    fields: { ...listsOf(fields), errors: [message] },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}

const listsOf = (fields: ProblemError['fields']) =>
  Object.fromEntries(Object.entries(fields).map(([name, messages]) => [name, [...messages]]))

export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  if (hasZodFastifySchemaValidationErrors(error)) return invalidInput(error.validation)
  if (error instanceof QueryTimeoutError)
    return new ProblemError('query_too_slow', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  if (error instanceof DbReadOnlyError)
    return new ProblemError('unavailable', { text: READ_ONLY_TEXT, retryAfterSeconds: RETRY_AFTER_SECONDS })
  if (error instanceof DbUnavailableError)
    return new ProblemError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  if (error instanceof DocumentStoreUnavailableError)
    return new ProblemError('unavailable', { text: STORE_DOWN_TEXT, retryAfterSeconds: STORE_RETRY_AFTER_SECONDS })
  const { code, statusCode } = error instanceof Error ? (error as Partial<FastifyError>) : {}
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ProblemError('payload_too_large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ProblemError('unsupported_media_type')
  return new ProblemError(statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? 'bad_input' : 'internal')
}

type Issue = { readonly instancePath: string; readonly message?: string | undefined }

/**
 * Collects Thai messages by request field. English schema messages are for developers, so the general message replaces
 * them.
 */
function invalidInput(issues: readonly Issue[]): ProblemError {
  const fields = new Map<string, string[]>()
  for (const { instancePath, message = '' } of issues) {
    const name = instancePath.split('/')[1] ?? ''
    const text = THAI.test(message) ? message : API_PROBLEM_TEXTS.bad_input
    if (FIELD_NAME.test(name)) fields.set(name, [...new Set([...(fields.get(name) ?? []), text])])
  }
  const first = [...fields.values()][0]?.[0]
  return new ProblemError('bad_input', { fields: Object.fromEntries(fields), ...(first ? { text: first } : {}) })
}

const OUTAGE_LOG_INTERVAL_MS = 10_000

export function createProblemLogger(): (request: FastifyRequest, problem: ProblemError, error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  let unlogged = 0
  return (request, problem, error) => {
    if (problem.status < 500) return
    if (!(error instanceof DbUnavailableError))
      return request.log.error({ err: error, code: problem.code }, 'request failed')
    unlogged += 1
    if (performance.now() - loggedAt < OUTAGE_LOG_INTERVAL_MS) return
    request.log.error({ code: problem.code, reason: error.message, requests: unlogged }, 'database unavailable')
    loggedAt = performance.now()
    unlogged = 0
  }
}
