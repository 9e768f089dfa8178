/**
 * The 29 colours that a label may have (specification section 9): the code that is stored and crosses the wire. How each
 * looks in light and dark is decided in `src/ui/project/label-chip.tsx`. New labels take the first code that no label uses yet.
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
