import { z } from 'zod/mini'
import {
  type OrganisationJoinAcceptance,
  type OrganisationJoinOffer,
  type OrganisationLoginCallback,
  organisationJoinOfferSchema,
  organisationLoginRequestSchema,
  organisationLoginUrlSchema,
} from '#contract/account/organisation-login.ts'
import { type SecondLoginStep, secondLoginStepSchema } from '#contract/account/second-factor.ts'
import { sessionTokensSchema } from '#contract/account/session.ts'
import { postAnonymously } from '#src/api/http/client.ts'
import { readStoredText, writeStoredText } from '#src/lib/web-storage.ts'
import { startSessionOrThrow } from './start-session-or-throw.ts'

/** Path to open after login. Session storage is per tab and survives the visit to the provider. */
const TARGET_KEY = 'tamngan.organisation-login'

export const findLoginEmailProblem = (email: string): string | undefined =>
  organisationLoginRequestSchema.shape.email.safeParse(email).error?.issues[0]?.message

/**
 * Redirects to the identity provider of the e-mail address's domain. `target` is the page requested before the login.
 * Throws a ProblemError with a message for `email` if the domain is not connected.
 */
export async function redirectToIdentityProvider(email: string, target: string | undefined): Promise<void> {
  const json = organisationLoginRequestSchema.parse({ email })
  const { url } = await postAnonymously('auth/organisation/', { json, schema: organisationLoginUrlSchema })
  // If storage is blocked, the login ends on the start page.
  writeStoredText('sessionStorage', TARGET_KEY, target)
  window.location.assign(url)
}

export function takeStoredLoginTarget(): string | undefined {
  const target = readStoredText('sessionStorage', TARGET_KEY) ?? undefined
  writeStoredText('sessionStorage', TARGET_KEY, undefined)
  return target
}

/** Step that remains: our second factor, or accepting the terms to join; undefined if the session has started. */
type RemainingLoginStep = { readonly step: SecondLoginStep } | { readonly join: OrganisationJoinOffer } | undefined

export async function finishIdentityProviderLogin(json: OrganisationLoginCallback): Promise<RemainingLoginStep> {
  const schema = z.union([sessionTokensSchema, secondLoginStepSchema, organisationJoinOfferSchema])
  const response = await postAnonymously('auth/organisation/finish/', { json, schema })
  if ('second_step' in response) return { step: response.second_step }
  if ('join' in response) return { join: response.join }
  startSessionOrThrow(response)
  return undefined
}

export async function joinOrganisation(json: OrganisationJoinAcceptance): Promise<void> {
  startSessionOrThrow(await postAnonymously('auth/organisation/join/', { json, schema: sessionTokensSchema }))
}
