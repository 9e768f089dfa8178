import { z } from 'zod/mini'
import { isSameDisplayName, type Label } from '#contract/account/label.ts'
import { labelNameSchema } from '#contract/account/mark-name.ts'

export function createUniqueLabelSchema(otherLabels: readonly Label[]) {
  const findNamesake = (name: string) => otherLabels.find((label) => isSameDisplayName(label.name, name))
  const unusedName = z.refine<string>((name) => !findNamesake(name), {
    error: ({ input }) => `มีป้าย “${findNamesake(input as string)?.name}” อยู่แล้ว`,
  })
  return z.object({ name: labelNameSchema.check(unusedName) })
}
