import { createHmac } from 'node:crypto'
import { LOGIN_PROVIDER_NAMES, type LoginProvider } from '#contract/account/organisation-login.ts'
import type { LoginContext } from '#server/account/session/second-step.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import { toEmailKey } from '#server/platform/text/email.ts'
import type { TxtRecordResolver } from './domain-proof.ts'
import { getEmailDomain } from './identify-provider-person.ts'
import { insertLoginAttempt } from './login-attempt-queries.ts'
import { type LoginAttemptSecrets, LoginProviderError, type LoginProviders } from './providers.ts'
import { findVerifiedLoginDomain } from './queries.ts'

export type OrganisationLoginContext = LoginContext & {
  readonly providers: LoginProviders
  readonly redirectUri: string
}
export type LoginDomainDependencies = { readonly providers: LoginProviders; readonly resolveTxt: TxtRecordResolver }

/**
 * Derives the secrets that bind a request to its browser from the browser cookie and the state, so nothing in the
 * database suffices to complete a login.
 */
export function deriveLoginAttemptSecrets(browserToken: string, state: string): LoginAttemptSecrets {
  const derive = (what: string) => createHmac('sha256', browserToken).update(`${what} ${state}`).digest('base64url')
  return { state, nonce: derive('nonce'), verifier: derive('verifier') }
}

export function toLoginProviderProblem(error: unknown, provider: LoginProvider): ProblemError {
  if (!(error instanceof LoginProviderError)) throw error
  const name = LOGIN_PROVIDER_NAMES[provider]
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
export async function beginOrganisationLogin(
  { db, now, providers, redirectUri }: OrganisationLoginContext,
  email: string,
  browserToken: string,
): Promise<string> {
  const proven = await runWithoutTenant(() => findVerifiedLoginDomain(db, getEmailDomain(toEmailKey(email))))
  if (!proven || !providers.offered.includes(proven.provider)) {
    const text = 'โดเมนของอีเมลนี้ยังไม่ได้เชื่อมกับบัญชีองค์กร เข้าสู่ระบบด้วยรหัสผ่าน หรือถามผู้ดูแลทีมของคุณ'
    throw new ProblemError('bad_input', { text, fields: { email: [text] } })
  }
  const { provider, issuer, domain, id } = proven
  const loginRequest = {
    ...deriveLoginAttemptSecrets(browserToken, generateSecretToken()),
    redirectUri,
    hint: email,
    domain,
  }
  const address = await providers.addressOf({ provider, issuer }, loginRequest).catch((error: unknown) => {
    throw toLoginProviderProblem(error, provider)
  })
  const attempt = {
    stateHash: hashSecret(loginRequest.state),
    browserHash: hashSecret(browserToken),
    domainId: id,
    at: now(),
  }
  await runWithoutTenant(() => insertLoginAttempt(db, attempt))
  return address
}
