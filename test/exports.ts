import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { insertExport } from '#server/report/export/queries.ts'

export type AskedFile = {
  readonly id: string
  readonly query: Readonly<Record<string, string>>
  readonly columns: readonly ReportColumnField[]
  readonly format: 'xlsx' | 'csv'
}
type Asker = { readonly organisationId: number; readonly userId: number; readonly at: Date }

/** Asks for a file of the report as the route does; answers its id. */
export async function askForExport(
  db: Db,
  { id = crypto.randomUUID(), query = {}, columns, format = 'xlsx', ...who }: Partial<AskedFile> & Asker,
): Promise<string> {
  const asked = { format, query, columns: [...(columns ?? (['project_id', 'name', 'budget'] as const))] }
  await db.transaction((tx) => insertExport(tx, asked, { id, key: undefined, ...who }))
  return id
}
