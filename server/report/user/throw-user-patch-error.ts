import type { UserPatch } from '#contract/report/user-patch.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

type Field = keyof UserPatch | 'project_labels'

/** Throws a 400 for a patch. The Thai text appears as the general error and at its field. Nothing is stored. */
export function throwUserPatchError(field: Field, text: string): never {
  throw new ProblemError('bad_input', { fields: { [field]: [text] }, text })
}

export const formatNumberWithSeparators = (number: number) => number.toLocaleString('en-US')
