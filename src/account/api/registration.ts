import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod/mini'
import {
  type BusinessType,
  businessTypeSchema,
  type RegisterOtpAnswer,
  type RegisterStepOneAnswer,
  type RegisterStepTwoAnswer,
  registerOtpAnswerSchema,
  registerStepOneAnswerSchema,
  registerStepTwoAnswerSchema,
  requestToJoinAnswerSchema,
  VALIDATION_FAILED,
} from '#contract/account/registration.ts'
import type { RegisterStepOne, RegisterStepTwo, RequestToJoin } from '#contract/account/registration-form.ts'
import { tokensSchema } from '#contract/account/session.ts'
import { request } from '#src/api/http/client.ts'
import { InvalidResponseError, ProblemError } from '#src/api/http/problem-error.ts'
import { sessionFrom, startSession } from '#src/lib/session-store.ts'

/** Registration is independent of any current session, even when a signed-in user registers another organisation. */
const ALONE = { method: 'post', withoutBearer: true, keepsSession: true } as const

export type Availability =
  | { readonly is: 'free' }
  | { readonly is: 'taken'; readonly text: string }
  | { readonly is: 'failed'; readonly text: string }
  /** Rate limited: show nothing. */
  | { readonly is: 'unknown' }

async function checkFree(path: string, json: Record<string, string>, signal: AbortSignal): Promise<Availability> {
  try {
    await request(path, { ...ALONE, json, signal })
    return { is: 'free' }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    if (error instanceof ProblemError) {
      if (error.status === 429) return { is: 'unknown' }
      const [text] = error.nonFieldErrors
      if (text !== undefined) return { is: error.status === 400 ? 'taken' : 'failed', text }
    }
    return { is: 'failed', text: VALIDATION_FAILED }
  }
}

/** Checks whether an e-mail address is already registered. Rejects only when aborted. */
export async function checkEmail(email: string, signal: AbortSignal): Promise<Availability> {
  const { workFor } = await import('./email-work.ts')
  return checkFree('auth/check-email-exist/', { email, work: await workFor(email, signal) }, signal)
}
export const checkPhone = (phone: string, signal: AbortSignal) =>
  checkFree('auth/check-phone-exist/', { phone }, signal)
export const checkOrganisation = (organizename: string, signal: AbortSignal) =>
  checkFree('auth/check-organization-exist/', { organizename }, signal)

/** The returned code identifies the registration in later steps. */
export function registerStepOne(form: RegisterStepOne): Promise<RegisterStepOneAnswer> {
  return request('auth/register-step-one/', { ...ALONE, json: form, schema: registerStepOneAnswerSchema })
}

export function registerStepTwo(form: RegisterStepTwo): Promise<RegisterStepTwoAnswer> {
  return request('auth/register-step-two/', { ...ALONE, json: form, schema: registerStepTwoAnswerSchema })
}

/** Returns the message to show. */
export async function requestToJoin(json: RequestToJoin): Promise<string> {
  const { message } = await request('auth/request-to-join/', { ...ALONE, json, schema: requestToJoinAnswerSchema })
  return message
}

/** Invalidates earlier codes. */
export function sendRegisterOtp(register_form_code: string): Promise<RegisterOtpAnswer> {
  return request('auth/create-register-otp/', {
    ...ALONE,
    json: { register_form_code },
    schema: registerOtpAnswerSchema,
  })
}

/**
 * Opens the account and logs in. `tryKey`: idempotency key, reused when a try is repeated after a lost response (R46).
 */
export async function registerFinal(register_form_code: string, otp: string, tryKey: string): Promise<void> {
  const { access, refresh } = await request('auth/register-step-final/', {
    ...ALONE,
    json: { register_form_code, otp },
    idempotencyKey: tryKey,
    schema: tokensSchema,
  })
  const session = sessionFrom({ access, refresh }, false)
  if (!session) throw new InvalidResponseError()
  startSession(session)
}

/** Returns the business types, or an empty list on failure, which is only logged (specification section 8). */
async function listBusinessTypes(signal: AbortSignal): Promise<readonly BusinessType[]> {
  try {
    const types = await request('organisations/business-types', {
      schema: z.array(businessTypeSchema),
      withoutBearer: true,
      keepsSession: true,
      signal,
    })
    return types
      .filter((type) => type.is_active)
      .map((type) => ({ ...type, subtypes: type.subtypes.filter((subtype) => subtype.is_active) }))
  } catch (error) {
    if (!signal.aborted) console.error('The business types could not be loaded', error)
    return []
  }
}

/** Never stale: the list does not change during a visit. */
export const businessTypesQuery = queryOptions({
  queryKey: ['business-types'],
  queryFn: ({ signal }) => listBusinessTypes(signal),
  staleTime: Number.POSITIVE_INFINITY,
})
