import { z } from 'zod/mini'
import { normaliseThai } from '../thai/thai-text.ts'
import { LABEL_COLORS, type LabelColor } from './label-palette.ts'

export const labelSchema = z.object({ id: z.string(), name: z.string(), color: z.string() })
export type Label = z.output<typeof labelSchema>

export const labelMetadataSchema = z.object({
  maxLabels: z.number(),
  currentCount: z.number(),
  canCreateMore: z.boolean(),
  remainingSlots: z.number(),
})
export type LabelMetadata = z.output<typeof labelMetadataSchema>

export const MAX_LABEL_NAME = 40
/** True when a reader sees no difference between two names: `งานถนน ` and `งานถนน`. */
export function sameName(one: string, other: string): boolean {
  return normaliseThai(one) === normaliseThai(other)
}

/** The first colour that no label uses yet, else the first (specification section 4). */
export function nextLabelColor(labels: readonly Pick<Label, 'color'>[]): LabelColor {
  const used = new Set(labels.map((label) => label.color))
  return LABEL_COLORS.find((color) => !used.has(color)) ?? LABEL_COLORS[0]
}

/** Id of a new label or saved filter: the lower-cased name with hyphens for blanks, and the moment (specification section 4). */
export function markIdOf(name: string, nowMs: number): string {
  const words = name.trim().toLowerCase().replace(/\s+/g, '-')
  return `${[...words.replace(/[<>"'/\\]/g, '')].slice(0, 40).join('')}-${nowMs}`
}

/** Ids of labels, saved filters and saved questions are made by the client: opaque, no blanks, nothing that means something in HTML or a path (R32). */
export const markIdSchema = z.string().check(z.regex(/^[^\s<>"'/\\]{1,120}$/, 'รหัสไม่ถูกต้อง'))

/** Label metadata of a user with this limit and this many labels. */
export function labelMetadata(maxLabels: number, currentCount: number): LabelMetadata {
  const remainingSlots = Math.max(0, maxLabels - currentCount)
  return { maxLabels, currentCount, canCreateMore: remainingSlots > 0, remainingSlots }
}

/** Label ids by project id. */
export type LabelAssignments = Readonly<Record<string, readonly string[]>>

/** Labels of one project; own properties only, for a project id is data (R32). */
export function labelsOfProject(assignments: LabelAssignments, projectId: string): readonly string[] {
  return Object.hasOwn(assignments, projectId) ? (assignments[projectId] ?? []) : []
}
