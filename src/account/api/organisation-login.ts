import { z } from 'zod/mini'
import {
  type OrganisationJoin,
  type OrganisationJoinOffer,
  type OrganisationReturn,
  organisationJoinOfferSchema,
  organisationLoginSchema,
  organisationLoginUrlSchema,
} from '#contract/account/organisation-login.ts'
import { type SecondStep, secondStepSchema } from '#contract/account/second-factor.ts'
import { type Tokens, tokensSchema } from '#contract/account/session.ts'
import { request } from '#src/api/http/client.ts'
import { InvalidResponseError } from '#src/api/http/problem-error.ts'
import { sessionFrom, startSession } from '#src/lib/session-store.ts'

const ALONE = { withoutBearer: true, keepsSession: true } as const
/** Stores the redirect target while the browser is at the provider; per tab. */
const RETURN_KEY = 'tamngan.organisation-login'

export const emailProblem = (email: string): string | undefined =>
  organisationLoginSchema.shape.email.safeParse(email).error?.issues[0]?.message

/**
 * Redirects to the provider of the address's domain. `target`: page requested before the login. Throws ProblemError at
 * `email` for a domain that is not connected.
 */
export async function leaveForProvider(email: string, target: string | undefined): Promise<void> {
  const json = organisationLoginSchema.parse({ email })
  const { url } = await request('auth/organisation/', {
    method: 'post',
    json,
    schema: organisationLoginUrlSchema,
    ...ALONE,
  })
  try {
    if (target === undefined) sessionStorage.removeItem(RETURN_KEY)
    else sessionStorage.setItem(RETURN_KEY, target)
  } catch {
    // Without storage the login ends on the start page.
  }
  window.location.assign(url)
}

/** Returns and clears the page requested before the login. */
export function takeTarget(): string | undefined {
  try {
    const target = sessionStorage.getItem(RETURN_KEY) ?? undefined
    sessionStorage.removeItem(RETURN_KEY)
    return target
  } catch {
    return undefined
  }
}

function start(tokens: Tokens): void {
  const session = sessionFrom(tokens, false)
  if (!session) throw new InvalidResponseError()
  startSession(session)
}

/**
 * What remains after the provider: our second step, or the terms of an invitation; undefined when the session is open.
 */
export type StillToDo = { readonly step: SecondStep } | { readonly join: OrganisationJoinOffer } | undefined

export async function finishAtProvider(json: OrganisationReturn): Promise<StillToDo> {
  const answer = await request('auth/organisation/finish/', {
    method: 'post',
    json,
    schema: z.union([tokensSchema, secondStepSchema, organisationJoinOfferSchema]),
    ...ALONE,
  })
  if ('second_step' in answer) return { step: answer.second_step }
  if ('join' in answer) return { join: answer.join }
  start(answer)
  return undefined
}

export async function joinOrganisation(json: OrganisationJoin): Promise<void> {
  start(await request('auth/organisation/join/', { method: 'post', json, schema: tokensSchema, ...ALONE }))
}
