import { z } from 'zod/mini'
import { REPORT_COLUMNS, type ReportColumnField } from '../catalogue/report-columns.ts'

/** Exports of the report (product 5.1.8): a file that is made beside the request, can be followed, cancelled, and fetched for a day. */

export const EXPORT_FORMATS = [
  { code: 'xlsx', th: 'Excel (.xlsx)' },
  { code: 'csv', th: 'CSV' },
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]['code']

/** Most projects in one file; a note in it says what was left out (C19). */
export const MAX_EXPORT_ROWS = 200_000
/** Above this many projects nobody waits for the file: a notification says when it is there. */
export const BACKGROUND_ROWS = 10_000
/** A finished file can be fetched this long. */
export const EXPORT_KEPT_HOURS = 24
/** Exports of one organisation that may be under way at once (R42). */
export const EXPORTS_AT_ONCE = 2

export const EXPORT_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type ExportState = (typeof EXPORT_STATES)[number]

const FIELDS = REPORT_COLUMNS.map(({ field }) => field) as [ReportColumnField, ...ReportColumnField[]]

/** `POST /projects/exports`. */
export const exportRequestSchema = z.object({
  format: z.enum(['xlsx', 'csv']),
  /** The report's parameters as they stand in the address; page and page size say nothing here. */
  query: z.record(z.string(), z.string()),
  /** The visible columns in their order. */
  columns: z.array(z.enum(FIELDS)).check(
    z.minLength(1),
    z.maxLength(FIELDS.length),
    z.refine((columns) => new Set(columns).size === columns.length),
  ),
})
export type ExportRequest = z.output<typeof exportRequestSchema>

export const reportExportSchema = z.object({
  id: z.string(),
  format: z.enum(['xlsx', 'csv']),
  state: z.enum(EXPORT_STATES),
  /** Projects written so far, and to be written; null until they are counted. */
  done: z.number(),
  total: z.nullable(z.number()),
  /** Projects found: more than `total` where the file ends at `MAX_EXPORT_ROWS`. Null until they are counted. */
  found: z.nullable(z.number()),
  /** Size of the file; null until it is done. */
  bytes: z.nullable(z.number()),
  /** More than `BACKGROUND_ROWS`: a notification says when it is done. */
  in_background: z.boolean(),
  /** `REPORT_20261121.xlsx`, the Gregorian day in Bangkok on which it was asked for. */
  file_name: z.string(),
  /** UTC ISO, as are the others. */
  requested_at: z.string(),
  finished_at: z.nullable(z.string()),
  /** From then on the file is gone; null until it is done. */
  expires_at: z.nullable(z.string()),
})
export type ReportExport = z.output<typeof reportExportSchema>

/** `GET /projects/exports`: the caller's own of the last day, the newest first. */
export const reportExportListSchema = z.object({ exports: z.array(reportExportSchema) })
