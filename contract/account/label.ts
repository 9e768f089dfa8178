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
type LabelMetadata = z.output<typeof labelMetadataSchema>

export const MAX_LABEL_NAME_LENGTH = 40
/** Treats names as equal if a reader cannot see the difference: `งานถนน ` equals `งานถนน`. */
export function isSameDisplayName(a: string, b: string): boolean {
  return normaliseThai(a) === normaliseThai(b)
}

export function pickNextLabelColor(labels: readonly Pick<Label, 'color'>[]): LabelColor {
  const used = new Set(labels.map((label) => label.color))
  return LABEL_COLORS.find((color) => !used.has(color)) ?? LABEL_COLORS[0]
}

/**
 * Builds the id of a new label or saved filter: lower-cased name with hyphens for spaces, then the timestamp
 * (specification section 4).
 */
export function createClientGeneratedId(name: string, nowMs: number): string {
  const words = name.trim().toLowerCase().replace(/\s+/g, '-')
  return `${[...words.replace(/[<>"'/\\]/g, '')].slice(0, 40).join('')}-${nowMs}`
}

/**
 * The client generates ids of labels, saved filters and saved questions. They are opaque, without spaces or characters
 * that are special in HTML or paths (R32).
 */
export const clientGeneratedIdSchema = z.string().check(z.regex(/^[^\s<>"'/\\]{1,120}$/, 'รหัสไม่ถูกต้อง'))

export function buildLabelMetadata(maxLabels: number, currentCount: number): LabelMetadata {
  const remainingSlots = Math.max(0, maxLabels - currentCount)
  return { maxLabels, currentCount, canCreateMore: remainingSlots > 0, remainingSlots }
}

export type LabelAssignments = Readonly<Record<string, readonly string[]>>

/** Reads own properties only, because an untrusted project id may be a name such as `constructor` (R32). */
export function getProjectLabelIds(assignments: LabelAssignments, projectId: string): readonly string[] {
  return Object.hasOwn(assignments, projectId) ? (assignments[projectId] ?? []) : []
}
