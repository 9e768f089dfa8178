import { z } from 'zod/mini'
import { firstNameSchema, lastNameSchema } from './person-name.ts'

/** Login through Google Workspace or Microsoft 365, for domains that the organisation has verified (decision 0138). */

export const LOGIN_PROVIDERS = ['google', 'microsoft'] as const
export type LoginProvider = (typeof LOGIN_PROVIDERS)[number]
export const LOGIN_PROVIDER_NAMES: Readonly<Record<LoginProvider, string>> = {
  google: 'Google Workspace',
  microsoft: 'Microsoft 365',
}

/**
 * `may`: members of the domain may log in through the provider, or with password or passkey. `must`: they may log in
 * only through the provider.
 */
const PROVIDER_LOGIN_POLICIES = ['may', 'must'] as const
export type ProviderLoginPolicy = (typeof PROVIDER_LOGIN_POLICIES)[number]

export const MAX_LOGIN_DOMAINS = 10
export const DOMAIN_VERIFICATION_HOST = '_tamngan'
export const DOMAIN_VERIFICATION_PREFIX = 'tamngan-verification='
export const ORGANISATION_LOGIN_CALLBACK_PATH = '/organisation-login'
export const ORGANISATION_LOGIN_META_TAG_NAME = 'organisation-login'

const DNS_LABEL = /^[a-z0-9-]{1,63}$/
const isDomain = (text: string) => {
  const labels = text.split('.')
  return (
    text.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => DNS_LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-')) &&
    !/^\d+$/.test(labels.at(-1)!)
  )
}
const normaliseDomain = (text: string) => text.trim().toLowerCase().replace(/^@/, '').replace(/\.$/, '')

export const newLoginDomainSchema = z.object({
  domain: z
    .string('กรอกโดเมน')
    .check(
      z.maxLength(300, 'โดเมนยาวเกินไป'),
      z.overwrite(normaliseDomain),
      z.refine(isDomain, 'กรอกเฉพาะโดเมนที่อยู่หลัง @ ในอีเมล เช่น company.co.th'),
    ),
  provider: z.enum(LOGIN_PROVIDERS, 'เลือกผู้ให้บริการ'),
})
export type NewLoginDomain = z.output<typeof newLoginDomainSchema>

export const loginDomainPatchSchema = z.object({
  rule: z.optional(z.enum(PROVIDER_LOGIN_POLICIES)),
  asks_own_factor: z.optional(z.boolean()),
})
export type LoginDomainPatch = z.output<typeof loginDomainPatchSchema>

const loginDomainSchema = z.object({
  id: z.number(),
  domain: z.string(),
  provider: z.enum(LOGIN_PROVIDERS),
  record: z.object({ name: z.string(), value: z.string() }),
  verified_at: z.nullable(z.string()),
  checked_at: z.nullable(z.string()),
  rule: z.enum(PROVIDER_LOGIN_POLICIES),
  asks_own_factor: z.boolean(),
})
export type LoginDomain = z.output<typeof loginDomainSchema>

export const loginDomainsSchema = z.object({
  providers: z.array(z.enum(LOGIN_PROVIDERS)),
  domains: z.array(loginDomainSchema),
  identities: z.array(
    z.object({
      user_id: z.number(),
      name: z.nullable(z.string()),
      email: z.string(),
      provider: z.enum(LOGIN_PROVIDERS),
      used_at: z.string(),
    }),
  ),
})
export type LoginDomains = z.output<typeof loginDomainsSchema>

/**
 * Error codes, status 400. The login expired, was already used, or started in another browser; or the password is
 * correct, but the domain requires login through its provider.
 */
export const ORGANISATION_LOGIN_EXPIRED_ERROR_CODE = 'organisation_login_over'
export const ORGANISATION_LOGIN_REQUIRED_ERROR_CODE = 'organisation_login_required'

/**
 * `POST /auth/organisation/` returns the provider's URL. The response reveals only whether the domain is connected, not
 * whether the email address has an account.
 */
export const organisationLoginRequestSchema = z.object({
  email: z
    .string('กรอกอีเมล')
    .check(
      z.trim(),
      z.minLength(1, 'กรอกอีเมลของบริษัทก่อน'),
      z.maxLength(200, 'อีเมลยาวได้ไม่เกิน 200 ตัวอักษร'),
      z.regex(/^[^\s@]+@[^\s@]+$/, 'รูปแบบอีเมลไม่ถูกต้อง เช่น name@company.co.th'),
    ),
})
export const organisationLoginUrlSchema = z.object({ url: z.string() })

export const organisationLoginCallbackSchema = z.object({
  state: z.string().check(z.minLength(1), z.maxLength(200)),
  code: z.optional(z.string().check(z.maxLength(4000))),
  iss: z.optional(z.string().check(z.maxLength(500))),
  error: z.optional(z.string().check(z.maxLength(200))),
})
export type OrganisationLoginCallback = z.output<typeof organisationLoginCallbackSchema>

/**
 * Returned instead of tokens when the address has an invitation; the account is created once the terms are accepted.
 */
export const organisationJoinOfferSchema = z.object({
  join: z.object({
    token: z.string(),
    organisation: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
  }),
})
export type OrganisationJoinOffer = z.output<typeof organisationJoinOfferSchema>['join']

export const organisationJoinAcceptanceSchema = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  first_name: firstNameSchema,
  last_name: lastNameSchema,
  terms_accepted: z.literal(true, 'ต้องยอมรับข้อกำหนดการใช้งานก่อนเข้าร่วม'),
})
export type OrganisationJoinAcceptance = z.output<typeof organisationJoinAcceptanceSchema>
