import { getProjectFact, PROJECT_FACT_NAMES } from '#contract/catalogue/project-facts.ts'
import type { AttachmentRow, FieldChangeRow, ProjectRow } from './project-row.ts'

/** Formats satang as baht for the API: 12345 → "123.45", 1200000 → "12000". */
export function formatSatangAsBaht(satang: number | null): string | null {
  if (satang === null) return null
  const baht = Math.trunc(satang / 100)
  const satangPart = Math.abs(satang % 100)
  return satangPart === 0 ? String(baht) : `${baht}.${String(satangPart).padStart(2, '0').replace(/0$/, '')}`
}

/** The tracked facts of D3, by their names in a report row; attachments are handled separately. */
const TRACKED_FACTS = PROJECT_FACT_NAMES.flatMap((field) => {
  const { column, type, isTracked } = getProjectFact(field)
  return isTracked ? [{ field, column: column as keyof ProjectRow, isMoney: type === 'money' }] : []
})

/** Formats a fact for the API. An empty text of a not-null column becomes null, because it means unknown. */
function formatFact(row: ProjectRow, { field, column, isMoney }: (typeof TRACKED_FACTS)[number]): string | null {
  if (field === 'dept_sub_name') return departmentText(row)
  const value = row[column]
  if (isMoney) return formatSatangAsBaht(value as number | null)
  return value === null || value === '' ? null : String(value)
}

/**
 * Returns "unit · department" when they differ, so that moving to another department shows even if the unit's name does
 * not change.
 */
function departmentText(row: ProjectRow): string {
  return row.dept_sub_name === row.dept_name ? row.dept_name : `${row.dept_sub_name} · ${row.dept_name}`
}

const MAX_NAMES_LENGTH = 500

export function diffTrackedFields(
  before: ProjectRow,
  after: ProjectRow,
  addedAttachments: readonly AttachmentRow[],
): FieldChangeRow[] {
  const project_id = after.project_id
  const changes: FieldChangeRow[] = []
  for (const fact of TRACKED_FACTS) {
    const old_value = formatFact(before, fact)
    const new_value = formatFact(after, fact)
    if (old_value !== new_value) changes.push({ project_id, field: fact.field, old_value, new_value })
  }
  if (addedAttachments.length > 0) {
    const names = addedAttachments.map((attachment) => attachment.name).join(', ')
    changes.push({ project_id, field: 'attachments', old_value: null, new_value: names.slice(0, MAX_NAMES_LENGTH) })
  }
  return changes
}
