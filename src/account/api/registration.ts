import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod/mini'
import {
  type BusinessType,
  businessTypeSchema,
  joinRequestResponseSchema,
  registrationOtpResponseSchema,
  registrationStepOneResponseSchema,
  registrationStepTwoResponseSchema,
  VALIDATION_FAILED_MESSAGE,
} from '#contract/account/registration.ts'
import type { JoinRequestBody, RegistrationStepOne, RegistrationStepTwo } from '#contract/account/registration-form.ts'
import { sessionTokensSchema } from '#contract/account/session.ts'
import { ANONYMOUS_REQUEST_OPTIONS, postAnonymously, sendApiRequest } from '#src/api/http/client.ts'
import { ONE_SHOT_QUERY_OPTIONS } from '#src/api/http/query-client.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { startSessionOrThrow } from './start-session-or-throw.ts'

// All requests are sent without the session, because a signed-in user may register another organisation.

/** `unknown`: the check was rate limited, so nothing is shown. */
type RegistrationFieldAvailability =
  | { readonly is: 'free' | 'unknown' }
  | { readonly is: 'taken' | 'failed'; readonly text: string }

async function checkAvailability(
  path: string,
  json: Record<string, string>,
  signal: AbortSignal,
): Promise<RegistrationFieldAvailability> {
  try {
    await postAnonymously(path, { json, signal })
    return { is: 'free' }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error
    if (error instanceof ProblemError) {
      if (error.status === 429) return { is: 'unknown' }
      const [text] = error.nonFieldErrors
      if (text !== undefined) return { is: error.status === 400 ? 'taken' : 'failed', text }
    }
    return { is: 'failed', text: VALIDATION_FAILED_MESSAGE }
  }
}

async function checkEmail(email: string, signal: AbortSignal): Promise<RegistrationFieldAvailability> {
  const { computeEmailProofOfWork } = await import('./compute-email-proof-of-work.ts')
  return checkAvailability(
    'auth/check-email-exist/',
    { email, work: await computeEmailProofOfWork(email, signal) },
    signal,
  )
}

const CHECKS = {
  email: checkEmail,
  phone: (phone: string, signal: AbortSignal) => checkAvailability('auth/check-phone-exist/', { phone }, signal),
  organisation: (organizename: string, signal: AbortSignal) =>
    checkAvailability('auth/check-organization-exist/', { organizename }, signal),
} as const

const DEBOUNCE_MS = 450

export const registrationFieldAvailabilityQuery = (field: keyof typeof CHECKS, value: string) =>
  queryOptions({
    queryKey: ['availability', field, value] as const,
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, DEBOUNCE_MS))
      signal.throwIfAborted()
      return CHECKS[field](value, signal)
    },
    ...ONE_SHOT_QUERY_OPTIONS,
  })

export const submitRegistrationStepOne = (json: RegistrationStepOne) =>
  postAnonymously('auth/register-step-one/', { json, schema: registrationStepOneResponseSchema })

export const submitRegistrationStepTwo = (json: RegistrationStepTwo) =>
  postAnonymously('auth/register-step-two/', { json, schema: registrationStepTwoResponseSchema })

export const requestToJoinOrganisation = async (json: JoinRequestBody): Promise<string> =>
  (await postAnonymously('auth/request-to-join/', { json, schema: joinRequestResponseSchema })).message

/** Sends a registration code; earlier codes become invalid. */
export const sendRegistrationOtp = (register_form_code: string) =>
  postAnonymously('auth/create-register-otp/', { json: { register_form_code }, schema: registrationOtpResponseSchema })

/** Pass the same `idempotencyKey` when repeating an attempt after a lost response (R46). */
export async function completeRegistration(
  register_form_code: string,
  otp: string,
  idempotencyKey: string,
): Promise<void> {
  const json = { register_form_code, otp }
  const options = { json, idempotencyKey, schema: sessionTokensSchema }
  startSessionOrThrow(await postAnonymously('auth/register-step-final/', options))
}

/** A failure is only logged, not shown (specification section 8). */
async function fetchBusinessTypes(signal: AbortSignal): Promise<readonly BusinessType[]> {
  try {
    const types = await sendApiRequest('organisations/business-types', {
      schema: z.array(businessTypeSchema),
      ...ANONYMOUS_REQUEST_OPTIONS,
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

export const businessTypesQuery = queryOptions({
  queryKey: ['business-types'],
  queryFn: ({ signal }) => fetchBusinessTypes(signal),
  staleTime: Number.POSITIVE_INFINITY,
})
