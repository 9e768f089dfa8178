import { SECOND_FACTOR_REQUIRED_ERROR_CODE } from '#contract/account/second-factor.ts'
import { ERROR_CODE_TEXTS } from '#contract/http/code-texts.ts'
import type { ApiProblem } from '#contract/http/problem.ts'

/** Returns the first message for each refused field, in form order; empty if the server refused no field. */
export function getFieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): readonly (readonly [Field, string])[] {
  if (!(error instanceof ProblemError)) return []
  return fields.flatMap((field) => {
    const text = error.fieldErrors[field]?.[0]
    return text === undefined ? [] : [[field, text] as const]
  })
}

/** Returns one line for toasts and lists: the reason and, for server faults only, the reference number. */
export function formatErrorMessage(error: unknown): string {
  const id = getErrorRequestId(error)
  return id === undefined ? getErrorText(error) : `${getErrorText(error)} รหัสอ้างอิง ${id}`
}

export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly statusText: string
  readonly code: string | undefined
  readonly requestId: string | undefined
  readonly nonFieldErrors: readonly string[]
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  readonly retryAfterSeconds: number | undefined
  readonly body: Readonly<Record<string, unknown>>

  constructor(
    response: Pick<Response, 'status' | 'statusText' | 'headers'>,
    body: ApiProblem & Record<string, unknown>,
  ) {
    super(`HTTP ${response.status} ${body.code ?? ''}`)
    this.status = response.status
    this.statusText = response.statusText
    this.code = body.code
    this.requestId = body.request_id ?? response.headers.get('x-request-id') ?? undefined
    this.nonFieldErrors = body.non_field_errors ?? (Array.isArray(body.errors) ? body.errors : [])
    this.fieldErrors = Object.fromEntries(
      Object.entries(body).filter((entry): entry is [string, string[]] => isTexts(entry)),
    )
    this.body = body
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** True if the account lacks the right. A second factor that is due only delays the request. */
export const isForbiddenError = (error: unknown): boolean =>
  error instanceof ProblemError && error.status === 403 && error.code !== SECOND_FACTOR_REQUIRED_ERROR_CODE

const NON_FIELD_KEYS = ['non_field_errors', 'errors']
const isTexts = ([name, value]: [string, unknown]) =>
  !NON_FIELD_KEYS.includes(name) &&
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((text) => typeof text === 'string')

/** Thrown for a response of unexpected shape. The specification prescribes the message; details are only logged. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError'
  readonly requestId: string | undefined
  constructor(requestId?: string) {
    super('Invalid response')
    this.requestId = requestId
  }
}

export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

const textByCode = (code: string | undefined) =>
  code !== undefined && code in ERROR_CODE_TEXTS ? ERROR_CODE_TEXTS[code as keyof typeof ERROR_CODE_TEXTS] : undefined

const hasMessageMatching = (text: RegExp) => (error: unknown) => error instanceof Error && text.test(error.message)
/** True if a chunk of the app failed to load, judging by the messages of Chromium, Firefox, Safari and Vite. */
const isMissingCode = hasMessageMatching(/^(?=.*import).*module|preload CSS/i)
/** True if the user stopped a slow read, judging by TanStack Query's error name. */
const isCancelled = hasMessageMatching(/^CancelledError$/)

/**
 * Returns the error text for users (specification section 8, C4): for 401 and 404 the status text with the Thai text of
 * the code; otherwise the first general message; otherwise a generic error with the Thai text of the code.
 */
export function getErrorText(error: unknown): string {
  if (error instanceof NetworkError || isMissingCode(error)) return 'เชื่อมต่อระบบไม่ได้ ตรวจสอบอินเทอร์เน็ตแล้วลองใหม่'
  if (error instanceof InvalidResponseError) return 'ระบบตอบกลับในรูปแบบที่ไม่ถูกต้อง (Invalid response)'
  if (!(error instanceof ProblemError)) return isCancelled(error) ? 'ยกเลิกการโหลดแล้ว' : ERROR_CODE_TEXTS.internal
  const codeText = textByCode(error.code)
  if (error.status === 401 || error.status === 404) {
    const thai = codeText ?? (error.status === 401 ? ERROR_CODE_TEXTS.session_invalid : ERROR_CODE_TEXTS.not_found)
    return error.statusText ? `${thai} (${error.statusText})` : thai
  }
  return error.nonFieldErrors[0] ?? codeText ?? ERROR_CODE_TEXTS.internal
}

/** Returns the request id of a server fault, to quote to support. Refusals (4xx) have none: their text suffices. */
export function getErrorRequestId(error: unknown): string | undefined {
  if (error instanceof ProblemError && error.status < 500) return undefined
  return (error as Partial<ProblemError> | null)?.requestId
}

const UNAVAILABLE_STATUSES = [502, 503, 504]

/** True if the request was not processed because there was no response or the server is unavailable. */
export const isServerUnreachableError = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ProblemError && UNAVAILABLE_STATUSES.includes(error.status))

/** True if an automatic retry can help: no response, a server error, or a 429 with Retry-After; never for other 4xx. */
export function isRetryableError(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return error instanceof NetworkError
  return error.status >= 500 || (error.status === 429 && error.retryAfterSeconds !== undefined)
}
