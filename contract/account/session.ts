import { z } from 'zod/mini'
import { normaliseEmail } from './typed-text.ts'

/** Body of a login request (specification section 5). The form shows the messages of the failed checks. */
export const loginRequestSchema = z.object({
  email: z
    .string('กรอกอีเมล')
    .check(
      z.overwrite(normaliseEmail),
      z.minLength(1, 'กรอกอีเมล'),
      z.maxLength(200, 'อีเมลยาวได้ไม่เกิน 200 ตัวอักษร'),
      z.regex(/^[^\s@]+@[^\s@]+\.[^\s@.]+$/, 'รูปแบบอีเมลไม่ถูกต้อง เช่น name@company.co.th'),
    ),
  password: z.string('กรอกรหัสผ่าน').check(z.minLength(1, 'กรอกรหัสผ่าน'), z.maxLength(200, 'รหัสผ่านยาวได้ไม่เกิน 200 ตัวอักษร')),
})
export type LoginRequest = z.output<typeof loginRequestSchema>

export const sessionTokensSchema = z.object({ access: z.string(), refresh: z.string() })
export type SessionTokens = z.output<typeof sessionTokensSchema>

/** A text longer than our tokens is rejected without a database lookup (R6). */
export const sessionRefreshRequestSchema = z.object({ refresh: z.string().check(z.minLength(1), z.maxLength(200)) })
export const logoutRequestSchema = z.object({ refresh: z.optional(z.string()) })
export const autoLoginRequestSchema = z.object({ refkey: z.string().check(z.minLength(1), z.maxLength(200)) })

/** Claims of the access token: user, session and organisation, but no name or e-mail address (R7). Times in seconds. */
export type AccessTokenClaims = { sub: string; sid: string; org: string; iat: number; exp: number; aud: string }

/** Public accounts of the demo data. The server embeds them in the page, but never in production. */
export const demoLoginSchema = z.object({
  password: z.string(),
  accounts: z.array(z.object({ email: z.string(), organisation: z.string(), role: z.string(), shows: z.string() })),
})
export type DemoLogin = z.output<typeof demoLoginSchema>
