import { z } from 'zod/mini'
import { firstNameSchema, lastNameSchema } from './person-name.ts'

/** Login with the account of an organisation: Google Workspace or Microsoft 365, for domains that the organisation has proven (decision 0138). */

export const LOGIN_PROVIDERS = ['google', 'microsoft'] as const
export type LoginProvider = (typeof LOGIN_PROVIDERS)[number]
export const PROVIDER_NAMES: Readonly<Record<LoginProvider, string>> = {
  google: 'Google Workspace',
  microsoft: 'Microsoft 365',
}

/** `may`: beside password and passkey; `must`: members of the domain have no other way. */
export const LOGIN_RULES = ['may', 'must'] as const
export type LoginRule = (typeof LOGIN_RULES)[number]

/** Domains of one organisation. */
export const MOST_LOGIN_DOMAINS = 10
/** Before the domain: where the record with the token stands. */
export const PROOF_LABEL = '_tamngan'
/** Before the token, so that whoever reads the zone knows what it is for. */
export const PROOF_PREFIX = 'tamngan-verification='
/** Where providers send people back to. */
export const RETURN_PATH = '/organisation-login'
/** In the page where the operator has set a provider up. */
export const ORGANISATION_LOGIN_TAG = 'organisation-login'

const LABEL = /^[a-z0-9-]{1,63}$/
const isDomain = (text: string) => {
  const labels = text.split('.')
  return (
    text.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-')) &&
    !/^\d+$/.test(labels.at(-1)!)
  )
}
/** What people type: with the sign of a mail address, capitals or a dot at the end. */
const plain = (text: string) => text.trim().toLowerCase().replace(/^@/, '').replace(/\.$/, '')

export const newLoginDomainSchema = z.object({
  domain: z
    .string('กรอกโดเมน')
    .check(
      z.maxLength(300, 'โดเมนยาวเกินไป'),
      z.overwrite(plain),
      z.refine(isDomain, 'กรอกเฉพาะโดเมนที่อยู่หลัง @ ในอีเมล เช่น company.co.th'),
    ),
  provider: z.enum(LOGIN_PROVIDERS, 'เลือกผู้ให้บริการ'),
})
export type NewLoginDomain = z.output<typeof newLoginDomainSchema>

export const loginDomainPatchSchema = z.object({
  rule: z.optional(z.enum(LOGIN_RULES)),
  /** Whether our own second factor is asked for after the provider's login. */
  asks_own_factor: z.optional(z.boolean()),
})
export type LoginDomainPatch = z.output<typeof loginDomainPatchSchema>

const loginDomainSchema = z.object({
  id: z.number(),
  domain: z.string(),
  provider: z.enum(LOGIN_PROVIDERS),
  /** The TXT record that proves the domain. */
  record: z.object({ name: z.string(), value: z.string() }),
  /** UTC ISO; null while the domain is not proven. */
  verified_at: z.nullable(z.string()),
  checked_at: z.nullable(z.string()),
  rule: z.enum(LOGIN_RULES),
  asks_own_factor: z.boolean(),
})
export type LoginDomain = z.output<typeof loginDomainSchema>

/** `GET /organisations/me/login-domains`. */
export const loginDomainsSchema = z.object({
  /** Providers that the operator has set up; none: nobody can connect one. */
  providers: z.array(z.enum(LOGIN_PROVIDERS)),
  domains: z.array(loginDomainSchema),
  /** Members whose account is bound to one at the provider. */
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

/** The login took too long, was used, or began in another browser: 400. */
export const ORGANISATION_LOGIN_OVER = 'organisation_login_over'
/** The right password, and a team that comes by its provider alone: 400. */
export const ORGANISATION_LOGIN_REQUIRED = 'organisation_login_required'

/** `POST /auth/organisation/`: where to go for an address. Says nothing of the address itself: only whether its domain is connected. */
export const organisationLoginSchema = z.object({
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

/** `POST /auth/organisation/finish/`: what the provider sent the browser back with. */
export const organisationReturnSchema = z.object({
  state: z.string().check(z.minLength(1), z.maxLength(200)),
  code: z.optional(z.string().check(z.maxLength(4000))),
  iss: z.optional(z.string().check(z.maxLength(500))),
  error: z.optional(z.string().check(z.maxLength(200))),
})
export type OrganisationReturn = z.output<typeof organisationReturnSchema>

/** In place of tokens: the address has an invitation, and its account is made once the terms are accepted. */
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

/** `POST /auth/organisation/join/`. */
export const organisationJoinSchema = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  first_name: firstNameSchema,
  last_name: lastNameSchema,
  terms_accepted: z.literal(true, 'ต้องยอมรับข้อกำหนดการใช้งานก่อนเข้าร่วม'),
})
export type OrganisationJoin = z.output<typeof organisationJoinSchema>
