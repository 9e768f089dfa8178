import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { insertExport } from '#server/report/export/queries.ts'

export type ExportOptions = {
  readonly id: string
  readonly query: Readonly<Record<string, string>>
  readonly columns: readonly ReportColumnField[]
  readonly format: 'xlsx' | 'csv'
}
type Asker = { readonly organisationId: number; readonly userId: number; readonly at: Date }

/** Requests an export of the report as the route does. Returns its id. */
export async function requestExport(
  db: Db,
  { id = crypto.randomUUID(), query = {}, columns, format = 'xlsx', ...requester }: Partial<ExportOptions> & Asker,
): Promise<string> {
  const request = { format, query, columns: [...(columns ?? (['project_id', 'name', 'budget'] as const))] }
  await db.transaction((tx) => insertExport(tx, request, { id, key: undefined, ...requester }))
  return id
}
