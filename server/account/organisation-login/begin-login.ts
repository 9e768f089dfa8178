import { createHmac } from 'node:crypto'
import { type LoginProvider, PROVIDER_NAMES } from '#contract/account/organisation-login.ts'
import type { LoginContext } from '#server/account/session/second-step.ts'
import { withoutTenant } from '#server/platform/engine/tenant.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import { newSecretToken, secretHash } from '#server/platform/route/secret-token.ts'
import { emailKeyOf } from '#server/platform/text/email.ts'
import type { ResolveTxt } from './domain-proof.ts'
import { insertAttempt } from './login-attempt-queries.ts'
import { domainOf } from './person-of.ts'
import { ProviderError, type Providers, type RequestSecrets } from './providers.ts'
import { findProvenDomain } from './queries.ts'

export type OrganisationLoginContext = LoginContext & {
  readonly providers: Providers
  readonly redirectUri: string
}
export type DomainParts = { readonly providers: Providers; readonly resolveTxt: ResolveTxt }

/**
 * Derives the secrets that bind a request to its browser from the browser cookie and the state, so nothing in the
 * database suffices to complete a login.
 */
export function secretsOf(browserToken: string, state: string): RequestSecrets {
  const of = (what: string) => createHmac('sha256', browserToken).update(`${what} ${state}`).digest('base64url')
  return { state, nonce: of('nonce'), verifier: of('verifier') }
}

export function toLoginProblem(error: unknown, provider: LoginProvider): ProblemError {
  if (!(error instanceof ProviderError)) throw error
  const name = PROVIDER_NAMES[provider]
  if (error.fault === 'away')
    return new ProblemError('unavailable', {
      text: `ติดต่อ ${name} ไม่ได้ในขณะนี้ ลองใหม่อีกครั้ง หรือเข้าสู่ระบบด้วยวิธีอื่น`,
      retryAfterSeconds: 10,
    })
  const text =
    error.fault === 'refused'
      ? `${name} ไม่รับการเข้าสู่ระบบครั้งนี้ อาจใช้เวลานานเกินไปหรือใช้ลิงก์ซ้ำ เริ่มใหม่อีกครั้ง`
      : `ข้อมูลที่ ${name} ส่งมาตรวจสอบไม่ผ่าน จึงยังไม่ให้เข้า ลองใหม่อีกครั้ง ถ้ายังเป็นอยู่ แจ้งผู้ดูแลระบบ`
  return new ProblemError('bad_input', { text })
}

/**
 * Returns the provider URL for an address, based on its domain only, so it never reveals whether an account exists
 * (R4). `browserToken` identifies the browser for ten minutes.
 * @throws ProblemError at `email` for an unconnected domain, `unavailable` while the provider cannot be reached.
 */
export async function beginLogin(
  { db, now, providers, redirectUri }: OrganisationLoginContext,
  email: string,
  browserToken: string,
): Promise<string> {
  const proven = await withoutTenant(() => findProvenDomain(db, domainOf(emailKeyOf(email))))
  if (!proven || !providers.offered.includes(proven.provider)) {
    const text = 'โดเมนของอีเมลนี้ยังไม่ได้เชื่อมกับบัญชีองค์กร เข้าสู่ระบบด้วยรหัสผ่าน หรือถามผู้ดูแลทีมของคุณ'
    throw new ProblemError('bad_input', { text, fields: { email: [text] } })
  }
  const { provider, issuer, domain, id } = proven
  const loginRequest = { ...secretsOf(browserToken, newSecretToken()), redirectUri, hint: email, domain }
  const address = await providers.addressOf({ provider, issuer }, loginRequest).catch((error: unknown) => {
    throw toLoginProblem(error, provider)
  })
  const attempt = {
    stateHash: secretHash(loginRequest.state),
    browserHash: secretHash(browserToken),
    domainId: id,
    at: now(),
  }
  await withoutTenant(() => insertAttempt(db, attempt))
  return address
}
