import { z } from 'zod/mini'
import {
  type OrganisationJoin,
  type OrganisationJoinOffer,
  type OrganisationLoginCallback,
  organisationJoinOfferSchema,
  organisationLoginSchema,
  organisationLoginUrlSchema,
} from '#contract/account/organisation-login.ts'
import { type SecondStep, secondStepSchema } from '#contract/account/second-factor.ts'
import { type Tokens, tokensSchema } from '#contract/account/session.ts'
import { request } from '#src/api/http/client.ts'
import { InvalidResponseError } from '#src/api/http/problem-error.ts'
import { sessionFrom, startSession } from '#src/lib/session-store.ts'

const ANONYMOUS = { withoutBearer: true, keepsSession: true } as const
/** Stores the redirect target while the browser is at the provider; per tab. */
const TARGET_KEY = 'tamngan.organisation-login'

export const emailProblem = (email: string): string | undefined =>
  organisationLoginSchema.shape.email.safeParse(email).error?.issues[0]?.message

/**
 * Redirects to the provider of the address's domain. `target`: page requested before the login. Throws ProblemError at
 * `email` for a domain that is not connected.
 */
export async function redirectToProvider(email: string, target: string | undefined): Promise<void> {
  const json = organisationLoginSchema.parse({ email })
  const { url } = await request('auth/organisation/', {
    method: 'post',
    json,
    schema: organisationLoginUrlSchema,
    ...ANONYMOUS,
  })
  try {
    if (target === undefined) sessionStorage.removeItem(TARGET_KEY)
    else sessionStorage.setItem(TARGET_KEY, target)
  } catch {
    // Without storage the login ends on the start page.
  }
  window.location.assign(url)
}

export function takeLoginTarget(): string | undefined {
  try {
    const target = sessionStorage.getItem(TARGET_KEY) ?? undefined
    sessionStorage.removeItem(TARGET_KEY)
    return target
  } catch {
    return undefined
  }
}

function startSessionOrThrow(tokens: Tokens): void {
  const session = sessionFrom(tokens, false)
  if (!session) throw new InvalidResponseError()
  startSession(session)
}

/**
 * Remaining step after the provider's login: our second step, or the terms of an invitation; undefined when the session
 * has started.
 */
export type RemainingLoginStep = { readonly step: SecondStep } | { readonly join: OrganisationJoinOffer } | undefined

export async function finishProviderLogin(json: OrganisationLoginCallback): Promise<RemainingLoginStep> {
  const response = await request('auth/organisation/finish/', {
    method: 'post',
    json,
    schema: z.union([tokensSchema, secondStepSchema, organisationJoinOfferSchema]),
    ...ANONYMOUS,
  })
  if ('second_step' in response) return { step: response.second_step }
  if ('join' in response) return { join: response.join }
  startSessionOrThrow(response)
  return undefined
}

export async function joinOrganisation(json: OrganisationJoin): Promise<void> {
  startSessionOrThrow(
    await request('auth/organisation/join/', { method: 'post', json, schema: tokensSchema, ...ANONYMOUS }),
  )
}
