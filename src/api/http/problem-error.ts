import { CODE_TEXTS } from '#contract/http/code-texts.ts'
import type { Problem } from '#contract/http/problem.ts'

/** The first message of each of these fields that the server refused, in the order of the form; empty when it named none of them. */
export function fieldErrorsOf<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): readonly (readonly [Field, string])[] {
  if (!(error instanceof ProblemError)) return []
  return fields.flatMap((field) => {
    const text = error.fieldErrors[field]?.[0]
    return text === undefined ? [] : [[field, text] as const]
  })
}

/**
 * What the person is told in one line (a toast, a note in a list): the reason, and for what is our fault the number to quote. A refusal says what
 * to do about it; a number beside it would only be noise.
 */
export function errorMessage(error: unknown): string {
  const id = errorRequestId(error)
  return id === undefined ? errorText(error) : `${errorText(error)} รหัสอ้างอิง ${id}`
}

/** The API answered, and the answer is a refusal. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly statusText: string
  readonly code: string | undefined
  readonly requestId: string | undefined
  readonly nonFieldErrors: readonly string[]
  /** Thai messages by field of the request. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>
  readonly retryAfterSeconds: number | undefined
  /** The answer as it came, for calls whose refusal says more. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(response: Pick<Response, 'status' | 'statusText' | 'headers'>, body: Problem & Record<string, unknown>) {
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

const NOT_FIELDS = ['non_field_errors', 'errors']
const isTexts = ([name, value]: [string, unknown]) =>
  !NOT_FIELDS.includes(name) &&
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((text) => typeof text === 'string')

/** The answer does not have the promised shape. Its message is what the specification names; the detail is only logged. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError'
  readonly requestId: string | undefined
  constructor(requestId?: string) {
    super('Invalid response')
    this.requestId = requestId
  }
}

/** No answer came: offline, server down, or the connection broke. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

const textByCode = (code: string | undefined) =>
  code !== undefined && code in CODE_TEXTS ? CODE_TEXTS[code as keyof typeof CODE_TEXTS] : undefined

const saying = (text: RegExp) => (error: unknown) => error instanceof Error && text.test(error.message)
/** A file of the application did not come: the words of Chromium, Firefox, Safari and Vite. */
const isMissingCode = saying(/^(?=.*import).*module|preload CSS/i)
/** The person stopped a read that took long (TanStack Query's word for it). */
const isCancelled = saying(/^CancelledError$/)

/**
 * What the person is told (specification section 8, C4): 401 and 404 by status text with the Thai line of the code beside
 * it; otherwise the first general message; otherwise that something went wrong, with the Thai text of the code.
 */
export function errorText(error: unknown): string {
  if (error instanceof NetworkError || isMissingCode(error)) return 'เชื่อมต่อระบบไม่ได้ ตรวจสอบอินเทอร์เน็ตแล้วลองใหม่'
  if (error instanceof InvalidResponseError) return 'ระบบตอบกลับในรูปแบบที่ไม่ถูกต้อง (Invalid response)'
  if (!(error instanceof ProblemError)) return isCancelled(error) ? 'ยกเลิกการโหลดแล้ว' : CODE_TEXTS.internal
  const known = textByCode(error.code)
  if (error.status === 401 || error.status === 404) {
    const thai = known ?? (error.status === 401 ? CODE_TEXTS.session_invalid : CODE_TEXTS.not_found)
    return error.statusText ? `${thai} (${error.statusText})` : thai
  }
  return error.nonFieldErrors[0] ?? known ?? CODE_TEXTS.internal
}

/** Number of a request that failed by our fault, to quote to support. A refusal (4xx) has none: its text says what to do, and a wrong password is no case. */
export function errorRequestId(error: unknown): string | undefined {
  if (error instanceof ProblemError && error.status < 500) return undefined
  return (error as Partial<ProblemError> | null)?.requestId
}

const AWAY = [502, 503, 504]

/** Whether nobody has decided anything: no answer came, or the server says that it cannot serve now. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ProblemError && AWAY.includes(error.status))

/** Whether asking again by itself can help: no answer, a failure of the server, too many requests where the server says how long to wait; never another refusal (4xx). */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return error instanceof NetworkError
  return error.status >= 500 || (error.status === 429 && error.retryAfterSeconds !== undefined)
}
