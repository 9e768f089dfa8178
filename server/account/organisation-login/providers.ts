import * as openid from 'openid-client'
import { LOGIN_PROVIDERS, type LoginProvider } from '#contract/account/organisation-login.ts'
import type { GuardedFetch } from '#server/platform/outgoing/guarded-fetch.ts'
import { type IdTokenClaims, parseIssuerTenant } from './identify-provider-person.ts'

export type OrganisationLoginSettings = {
  readonly google?: { readonly clientId: string; readonly clientSecret: string; readonly issuer: string } | undefined
  /** `authority` is the issuer URL before the tenant. */
  readonly microsoft?:
    | { readonly clientId: string; readonly clientSecret: string; readonly authority: string }
    | undefined
}

const CLOCK_TOLERANCE_SECONDS = 60
const TIMEOUT_SECONDS = 8
const CONFIG_CACHE_MS = 60 * 60_000

/** `away`: the provider is unreachable; `refused`: it denied the login; `untrue`: its response failed validation. */
export type LoginProviderFailureReason = 'away' | 'refused' | 'untrue'
export class LoginProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly fault: LoginProviderFailureReason
  /** Error code for audit and log; never text from the provider. */
  readonly reason: string

  constructor(fault: LoginProviderFailureReason, reason: string, cause?: unknown) {
    super(`${fault}: ${reason}`, { cause })
    this.fault = fault
    this.reason = reason
  }
}

/** Secrets of an authorization request; stored only in the browser. */
export type LoginAttemptSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type LoginProviders = {
  readonly offered: readonly LoginProvider[]
  /**
   * Returns the issuer for a domain. Google has one issuer; Microsoft has one per tenant and resolves the domain.
   * Undefined for an unknown domain.
   */
  issuerOf(provider: LoginProvider, domain: string): Promise<string | undefined>
  addressOf(
    at: { readonly provider: LoginProvider; readonly issuer: string },
    request: LoginAttemptSecrets & { readonly redirectUri: string; readonly hint: string; readonly domain: string },
  ): Promise<string>
  /** Exchanges the code for ID token claims, verifying signature, issuer, audience, times and nonce. */
  claimsFor(
    at: { readonly provider: LoginProvider; readonly issuer: string },
    callback: LoginAttemptSecrets & {
      readonly redirectUri: string
      readonly code: string
      readonly iss: string | undefined
    },
  ): Promise<IdTokenClaims>
}

/** The only OpenID Connect client; all calls use the guarded `fetch`. Every method throws only LoginProviderError. */
export function createLoginProviders(settings: OrganisationLoginSettings, fetch: GuardedFetch): LoginProviders {
  const configCache = new Map<string, { readonly until: number; readonly config: Promise<openid.Configuration> }>()
  const customFetch: openid.CustomFetch = (url, { method, headers, body, signal }) =>
    fetch(url, { method, headers, body, signal })

  async function discover(provider: LoginProvider, issuer: string): Promise<openid.Configuration> {
    const registered = settings[provider]
    if (!registered) throw new LoginProviderError('away', 'login provider not configured')
    const address = new URL(issuer)
    const config = await openid.discovery(
      address,
      registered.clientId,
      { client_secret: registered.clientSecret, [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      undefined,
      {
        [openid.customFetch]: customFetch,
        timeout: TIMEOUT_SECONDS,
        execute: [
          // Verify the ID token signature even though it arrives over TLS.
          openid.enableNonRepudiationChecks,
          // The guard permits http only to this machine, and only in development.
          ...(address.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      },
    )
    if (config.serverMetadata().issuer !== issuer) throw new LoginProviderError('untrue', 'issuer')
    return config
  }

  function configOf(provider: LoginProvider, issuer: string): Promise<openid.Configuration> {
    const key = `${provider} ${issuer}`
    const cached = configCache.get(key)
    if (cached && cached.until > performance.now()) return cached.config
    const config = discover(provider, issuer)
    configCache.set(key, { until: performance.now() + CONFIG_CACHE_MS, config })
    config.catch(() => configCache.delete(key))
    return config
  }

  return {
    offered: LOGIN_PROVIDERS.filter((provider) => settings[provider] !== undefined),
    async issuerOf(provider, domain) {
      if (provider === 'google') return settings.google?.issuer
      const authority = settings.microsoft?.authority
      if (authority === undefined) return undefined
      const response = await fetch(`${authority}/${domain}/v2.0/.well-known/openid-configuration`).catch(
        rethrowAsProviderError,
      )
      if (response.status === 400 || response.status === 404) return undefined
      if (response.status !== 200) throw new LoginProviderError('away', `status ${response.status}`)
      const { issuer } = (await response.json().catch(rethrowAsProviderError)) as { issuer?: unknown }
      if (typeof issuer !== 'string' || parseIssuerTenant(issuer, authority) === undefined)
        throw new LoginProviderError('untrue', 'issuer')
      return issuer
    },
    async addressOf({ provider, issuer }, { state, nonce, verifier, redirectUri, hint, domain }) {
      const config = await configOf(provider, issuer).catch(rethrowAsProviderError)
      const address = openid.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: 'openid email profile', state, nonce, login_hint: hint },
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // Restricts the offered accounts to this domain; the returned claims are verified regardless.
        ...(provider === 'google' ? { hd: domain } : { domain_hint: domain }),
      })
      return address.href
    },
    async claimsFor({ provider, issuer }, { state, nonce, verifier, redirectUri, code, iss }) {
      const callbackUrl = new URL(redirectUri)
      callbackUrl.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString()
      try {
        const config = await configOf(provider, issuer)
        const tokens = await openid.authorizationCodeGrant(config, callbackUrl, {
          ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
        })
        const claims = tokens.claims()
        if (!claims) throw new LoginProviderError('untrue', 'no ID token')
        return claims
      } catch (error) {
        return rethrowAsProviderError(error)
      }
    },
  }
}

const INVALID_RESPONSE_CODES = /JWT|JSON_ATTRIBUTE|INVALID_RESPONSE|KEY_SELECTION|MISSING|UNSUPPORTED/

function rethrowAsProviderError(error: unknown): never {
  if (error instanceof LoginProviderError) throw error
  if (error instanceof openid.ResponseBodyError) {
    // Misconfiguration on our side or a provider outage; not a refusal of this user.
    const isUnavailable = error.status >= 500 || ['invalid_client', 'unauthorized_client'].includes(error.error)
    throw new LoginProviderError(isUnavailable ? 'away' : 'refused', plainCode(error.error), error)
  }
  if (error instanceof openid.AuthorizationResponseError)
    throw new LoginProviderError('refused', plainCode(error.error), error)
  if (error instanceof openid.ClientError) {
    const code = error.code ?? 'unknown'
    throw new LoginProviderError(INVALID_RESPONSE_CODES.test(code) ? 'untrue' : 'away', code, error)
  }
  throw new LoginProviderError('away', error instanceof Error ? error.name : 'unknown', error)
}

const plainCode = (text: string) => (/^[a-z_]{1,60}$/.test(text) ? text : 'unknown')
