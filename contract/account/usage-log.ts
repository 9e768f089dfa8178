import { z } from 'zod/mini'
import {
  formatQueryParams,
  type IgnoredQueryParam,
  parseQueryParams,
  type QueryParam,
  type SearchFromQueryParams,
} from '../http/query-params.ts'

/** The usage log (product 5.10): members' actions, newest first. Super users only. */

export const USAGE_LOG_TYPES = [
  { code: 'session', th: 'เข้าใช้งาน' },
  { code: 'search', th: 'ค้นหา' },
  { code: 'open', th: 'เปิดดู' },
  { code: 'bookmark', th: 'ติดดาว' },
  { code: 'label', th: 'ป้ายกำกับ' },
  { code: 'hide', th: 'ซ่อน' },
  { code: 'feedback', th: 'เกี่ยวหรือไม่เกี่ยว' },
  { code: 'filter', th: 'ตัวกรองที่บันทึก' },
  { code: 'keyword', th: 'คำติดตาม' },
  { code: 'budget', th: 'งบประมาณ' },
  { code: 'export', th: 'ส่งออก' },
  { code: 'document', th: 'เอกสาร' },
  { code: 'pursuit', th: 'งานของเรา' },
  { code: 'settings', th: 'ตั้งค่า' },
] as const
export type UsageLogType = (typeof USAGE_LOG_TYPES)[number]['code']

const usageLogDetailSchema = z.object({ name: z.string(), value: z.string() })
export type UsageLogDetail = z.output<typeof usageLogDetailSchema>

const usageLogEntrySchema = z.object({
  id: z.number(),
  user: z.nullable(z.string()),
  type: z.string(),
  description: z.string(),
  datetime: z.string(),
  additional_info: z.array(usageLogDetailSchema),
})
export type UsageLogEntry = z.output<typeof usageLogEntrySchema>

export const usageLogPageSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  total_project: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(usageLogEntrySchema),
  users: z.array(z.object({ id: z.number(), name: z.string() })),
  first_at: z.nullable(z.string()),
  ignored_parameters: z.array(z.string()),
})
export type UsageLogPageResponse = z.output<typeof usageLogPageSchema>

export const USAGE_LOG_PARAMS = [
  { name: 'user', kind: 'list', th: 'ผู้ใช้', accepts: (value) => /^\d{1,9}$/.test(value) },
  { name: 'type', kind: 'list', th: 'ประเภท', of: USAGE_LOG_TYPES.map(({ code }) => code) },
  /** The dates are calendar days in Bangkok time. */
  { name: 'date__range', kind: 'dates', th: 'วันที่' },
  { name: 'q', kind: 'text', th: 'ค้นหา' },
  { name: 'page', kind: 'count', th: 'หน้า', usual: '1' },
  { name: 'page_size', kind: 'size', th: 'จำนวนต่อหน้า', of: ['10', '20', '50'], usual: '10' },
] as const satisfies readonly QueryParam[]
type UsageParam = (typeof USAGE_LOG_PARAMS)[number]
export type UsageLogSearch = SearchFromQueryParams<UsageParam>
export const USAGE_LOG_PAGE_SIZES = [10, 20, 50] as const
export const USAGE_LOG_DEFAULT_PAGE_SIZE = 10
/** Maximum rows of an export file; if the result is larger, the file contains a note (C19). */
export const MAX_USAGE_LOG_EXPORT_ROWS = 200_000
export const USAGE_LOG_EXPORT_TIMEOUT_MS = 120_000

export function parseUsageLogSearch(flat: Readonly<Record<string, string>>): {
  readonly search: UsageLogSearch
  readonly ignored: readonly IgnoredQueryParam[]
} {
  return parseQueryParams<UsageParam>(USAGE_LOG_PARAMS, flat)
}

export function formatUsageLogSearch(search: UsageLogSearch): Record<string, string> {
  return formatQueryParams<UsageParam>(USAGE_LOG_PARAMS, search)
}
