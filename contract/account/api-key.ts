import { z } from 'zod/mini'

/** Limits and responses of API keys, which give an organisation's programs read access (decision 0112). */

export const MAX_API_KEYS = 20

/** Each scope is a fixed list of GET routes; a route names its scope as `key` in its configuration. */
export const API_KEY_SCOPES = [
  { code: 'report', th: 'รายงานโครงการ', hint: 'โครงการที่ตรงกับรายการติดตาม ตัวเลขของตัวกรอง รายละเอียดและเอกสารของโครงการ' },
  { code: 'pursuits', th: 'งานของเรา', hint: 'ขั้นงาน ผู้รับผิดชอบ โน้ต ผล ป้ายและตัวกรองของทีม ไม่รวมราคาของเรา' },
  { code: 'companies', th: 'บริษัท', hint: 'บริษัทที่ยื่นและชนะ โครงการของแต่ละบริษัท ใครชนะ และหน่วยงาน' },
] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]['code']
const scopes = API_KEY_SCOPES.map(({ code }) => code)

/** Selectable key lifetimes in days; null means that the key never expires. */
export const API_KEY_LIFETIMES = [30, 90, 365, null] as const
export type ApiKeyLifetime = (typeof API_KEY_LIFETIMES)[number]

const apiKeySchema = z.object({
  id: z.number(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  ending: z.string(),
  made_by: z.string(),
  /** False when the account of the key's creator is closed; the server then rejects the key. */
  is_owner_open: z.boolean(),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  is_over: z.boolean(),
  /** Time of the last use, accurate to the minute; null if the key was never used. */
  used_at: z.nullable(z.string()),
})
export type ApiKey = z.output<typeof apiKeySchema>

/** `GET /organisations/me/api-keys`, newest first, without the secrets. Times are UTC ISO. */
export const apiKeysSchema = z.object({ keys: z.array(apiKeySchema), most: z.number() })
export type ApiKeys = z.output<typeof apiKeysSchema>

const nameSchema = z
  .string()
  .check(z.trim(), z.minLength(1, 'ตั้งชื่อให้รู้ว่าโปรแกรมไหนใช้คีย์นี้'), z.maxLength(80, 'ชื่อยาวได้ไม่เกิน 80 ตัวอักษร'))

/** `POST /organisations/me/api-keys`. The response is the only place where the key appears. */
export const newApiKeySchema = z.object({
  name: nameSchema,
  scopes: z.array(z.enum(scopes)).check(z.minLength(1, 'เลือกอย่างน้อยหนึ่งอย่างที่คีย์นี้อ่านได้'), z.maxLength(scopes.length)),
  days: z.union([z.literal(30), z.literal(90), z.literal(365), z.null()]),
})
export type NewApiKey = z.output<typeof newApiKeySchema>

export const createdApiKeySchema = z.object({ id: z.number(), key: z.string() })
