import { z } from 'zod/mini'
import { REPORT_COLUMNS } from '../catalogue/report-columns.ts'

/**
 * Report exports (product 5.1.8) are created in the background, with progress and cancellation, and can be downloaded
 * for a limited time.
 */

export const EXPORT_FORMATS = [
  { code: 'xlsx', th: 'Excel (.xlsx)' },
  { code: 'csv', th: 'CSV' },
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]['code']
const formatSchema = z.enum(EXPORT_FORMATS.map(({ code }) => code))

/** Maximum number of projects per file; a note in the file states what was omitted (C19). */
export const MAX_EXPORT_ROWS = 200_000
export const BACKGROUND_EXPORT_THRESHOLD_ROWS = 10_000
export const EXPORT_RETENTION_HOURS = 24
/** Maximum number of exports that run at the same time per organisation (R42). */
export const MAX_CONCURRENT_EXPORTS = 2

const EXPORT_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

const FIELDS = REPORT_COLUMNS.map(({ field }) => field)

export const exportRequestSchema = z.object({
  format: formatSchema,
  /** The report's parameters as in the URL; page and page size are ignored. */
  query: z.record(z.string(), z.string()),
  columns: z.array(z.enum(FIELDS)).check(
    z.minLength(1),
    z.maxLength(FIELDS.length),
    z.refine((columns) => new Set(columns).size === columns.length),
  ),
})
export type ExportRequest = z.output<typeof exportRequestSchema>

export const reportExportSchema = z.object({
  id: z.string(),
  format: formatSchema,
  state: z.enum(EXPORT_STATES),
  done: z.number(),
  total: z.nullable(z.number()),
  /**
   * Number of matching projects, which exceeds `total` if the file was truncated at `MAX_EXPORT_ROWS`. Null until
   * counted.
   */
  found: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  in_background: z.boolean(),
  /** Name such as `REPORT_20261121.xlsx`, with the Gregorian date of the request in Bangkok. */
  file_name: z.string(),
  requested_at: z.string(),
  finished_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
})
export type ReportExport = z.output<typeof reportExportSchema>

export const reportExportListSchema = z.object({ exports: z.array(reportExportSchema) })
