import type { User } from '../../account/user.ts'
import type { UserPatch } from '../user-patch.ts'
import type { UserPatchPart } from './user-patch-part.ts'

const FIELDS = [
  'first_name',
  'last_name',
  'is_send_report_email',
  'is_noti_e_bidding',
  'is_send_coverage_email',
  'shares_looks',
  'customize_report_table',
] as const satisfies readonly (keyof UserPatch & keyof User)[]

export const settingsPatch: UserPatchPart = {
  name: 'settings',
  fields: FIELDS,
  apply: (user, patch) => {
    const changed = FIELDS.filter((field) => patch[field] !== undefined)
    return changed.length === 0
      ? user
      : { ...user, ...Object.fromEntries(changed.map((field) => [field, patch[field]])) }
  },
  invert: (before, patch) => {
    // Empty names are not saved, so an empty name cannot be restored.
    const undone = FIELDS.filter(
      (field) => patch[field] !== undefined && before[field] !== '' && before[field] !== null,
    )
    if (undone.length === 0) return undefined
    return Object.fromEntries(undone.map((field) => [field, before[field] ?? false])) as UserPatch
  },
  conflicts: (a, b) => FIELDS.some((field) => a[field] !== undefined && b[field] !== undefined),
}
