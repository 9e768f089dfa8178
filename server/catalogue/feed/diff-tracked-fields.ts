import type { AttachmentRow, FieldChangeRow, ProjectRow } from './project-row.ts'

type TrackedField = { readonly field: string; readonly value: (row: ProjectRow) => string | null }

/** Formats satang as baht for the API: 12345 → "123.45", 1200000 → "12000". */
export function formatSatangAsBaht(satang: number | null): string | null {
  if (satang === null) return null
  const baht = Math.trunc(satang / 100)
  const satangPart = Math.abs(satang % 100)
  return satangPart === 0 ? String(baht) : `${baht}.${String(satangPart).padStart(2, '0').replace(/0$/, '')}`
}

/** Converts an empty text of a not-null column to null, because it means unknown. */
const emptyToNull = (text: string) => (text === '' ? null : text)

/** The tracked fields of D3, by their names in a report row; attachments are handled separately. */
const TRACKED_FIELDS: readonly TrackedField[] = [
  { field: 'name', value: (row) => row.name },
  { field: 'dept_sub_name', value: (row) => departmentText(row) },
  { field: 'budget', value: (row) => formatSatangAsBaht(row.budget_satang) },
  { field: 'estimate_budget', value: (row) => formatSatangAsBaht(row.estimate_satang) },
  { field: 'criteria', value: (row) => row.criteria },
  { field: 'movement', value: (row) => emptyToNull(row.movement) },
  { field: 'status', value: (row) => row.status },
  { field: 'draft_published_date', value: (row) => row.draft_published_on },
  { field: 'draft_discussion_end_date', value: (row) => row.draft_discussion_ends_on },
  { field: 'bidding_invite_date', value: (row) => row.bidding_invited_on },
  { field: 'submission_end_date', value: (row) => row.submission_ends_on },
  { field: 'submission_time', value: (row) => row.submission_time },
  { field: 'winner_announce_date', value: (row) => row.winner_announced_on },
  { field: 'contract_signed_date', value: (row) => row.contract_signed_on },
  { field: 'winner_name', value: (row) => row.winner_name },
  { field: 'winner_budget', value: (row) => formatSatangAsBaht(row.winner_satang) },
  { field: 'method', value: (row) => emptyToNull(row.method) },
  { field: 'method_type', value: (row) => emptyToNull(row.method_type) },
  { field: 'remark', value: (row) => row.remark },
]

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
  for (const { field, value } of TRACKED_FIELDS) {
    const old_value = value(before)
    const new_value = value(after)
    if (old_value !== new_value) changes.push({ project_id, field, old_value, new_value })
  }
  if (addedAttachments.length > 0) {
    const names = addedAttachments.map((attachment) => attachment.name).join(', ')
    changes.push({ project_id, field: 'attachments', old_value: null, new_value: names.slice(0, MAX_NAMES_LENGTH) })
  }
  return changes
}
