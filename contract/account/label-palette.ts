/**
 * The 29 label colours (specification section 9), as stored and sent. Their light and dark appearance is defined in
 * `src/ui/project/label-chip.tsx`. A new label gets the first unused code.
 */
export const LABEL_COLORS = [
  'sky',
  'amber',
  'emerald',
  'rose',
  'violet',
  'orange',
  'teal',
  'pink',
  'lime',
  'blue',
  'red',
  'indigo',
  'yellow',
  'cyan',
  'fuchsia',
  'green',
  'purple',
  'slate',
  'sky-solid',
  'orange-solid',
  'green-solid',
  'rose-solid',
  'violet-solid',
  'teal-solid',
  'blue-solid',
  'red-solid',
  'fuchsia-solid',
  'indigo-solid',
  'slate-solid',
] as const
export type LabelColor = (typeof LABEL_COLORS)[number]

export function isLabelColor(color: string): color is LabelColor {
  return (LABEL_COLORS as readonly string[]).includes(color)
}
