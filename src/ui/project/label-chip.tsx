import { Users } from 'lucide-react'
import type { Label } from '#contract/account/label.ts'
import { isLabelColor, type LabelColor } from '#contract/account/label-palette.ts'
import { classNames } from '#src/lib/class-names.ts'

// Full names, because Tailwind searches text. label-chip.test.ts checks each contrast (4.5:1, WCAG 1.4.3).
export const LABEL_COLOR_CLASSES: Record<LabelColor, string> = {
  sky: 'bg-sky-100 text-sky-800 dark:bg-sky-950 dark:text-sky-200',
  amber: 'bg-amber-100 text-amber-800 dark:bg-amber-950 dark:text-amber-200',
  emerald: 'bg-emerald-100 text-emerald-800 dark:bg-emerald-950 dark:text-emerald-200',
  rose: 'bg-rose-100 text-rose-800 dark:bg-rose-950 dark:text-rose-200',
  violet: 'bg-violet-100 text-violet-800 dark:bg-violet-950 dark:text-violet-200',
  orange: 'bg-orange-100 text-orange-800 dark:bg-orange-950 dark:text-orange-200',
  teal: 'bg-teal-100 text-teal-800 dark:bg-teal-950 dark:text-teal-200',
  pink: 'bg-pink-100 text-pink-800 dark:bg-pink-950 dark:text-pink-200',
  lime: 'bg-lime-100 text-lime-800 dark:bg-lime-950 dark:text-lime-200',
  blue: 'bg-blue-100 text-blue-800 dark:bg-blue-950 dark:text-blue-200',
  red: 'bg-red-100 text-red-800 dark:bg-red-950 dark:text-red-200',
  indigo: 'bg-indigo-100 text-indigo-800 dark:bg-indigo-950 dark:text-indigo-200',
  yellow: 'bg-yellow-100 text-yellow-800 dark:bg-yellow-950 dark:text-yellow-200',
  cyan: 'bg-cyan-100 text-cyan-800 dark:bg-cyan-950 dark:text-cyan-200',
  fuchsia: 'bg-fuchsia-100 text-fuchsia-800 dark:bg-fuchsia-950 dark:text-fuchsia-200',
  green: 'bg-green-100 text-green-800 dark:bg-green-950 dark:text-green-200',
  purple: 'bg-purple-100 text-purple-800 dark:bg-purple-950 dark:text-purple-200',
  slate: 'bg-slate-100 text-slate-800 dark:bg-slate-950 dark:text-slate-200',
  'sky-solid': 'bg-sky-700 text-white dark:bg-sky-800 dark:text-white',
  'orange-solid': 'bg-orange-700 text-white dark:bg-orange-800 dark:text-white',
  'green-solid': 'bg-green-700 text-white dark:bg-green-800 dark:text-white',
  'rose-solid': 'bg-rose-700 text-white dark:bg-rose-800 dark:text-white',
  'violet-solid': 'bg-violet-700 text-white dark:bg-violet-800 dark:text-white',
  'teal-solid': 'bg-teal-700 text-white dark:bg-teal-800 dark:text-white',
  'blue-solid': 'bg-blue-700 text-white dark:bg-blue-800 dark:text-white',
  'red-solid': 'bg-red-700 text-white dark:bg-red-800 dark:text-white',
  'fuchsia-solid': 'bg-fuchsia-700 text-white dark:bg-fuchsia-800 dark:text-white',
  'indigo-solid': 'bg-indigo-700 text-white dark:bg-indigo-800 dark:text-white',
  'slate-solid': 'bg-slate-700 text-white dark:bg-slate-800 dark:text-white',
}

export type DisplayedLabel = Label & { readonly isTeam?: boolean }

export function LabelChips({ labels, className }: { labels: readonly DisplayedLabel[]; className: string }) {
  if (labels.length === 0) return null
  return (
    <p className={classNames('flex flex-wrap', className)}>
      {labels.map((label) => (
        <LabelChip key={label.id} label={label} />
      ))}
    </p>
  )
}

/**
 * Label of a project. Colour only repeats the meaning of the name. Team labels are round and outlined, with an icon and
 * an accessible hint.
 */
export function LabelChip({ label, className }: { label: DisplayedLabel; className?: string }) {
  const colorClasses = LABEL_COLOR_CLASSES[isLabelColor(label.color) ? label.color : 'slate']
  return (
    <span
      className={classNames(
        'inline-flex max-w-40 px-1.5 text-xs inset-ring',
        label.isTeam ? 'items-center gap-1 rounded-full inset-ring-current' : 'rounded-[4px] inset-ring-current/20',
        colorClasses,
        className,
      )}
    >
      {label.isTeam && (
        <>
          <Users aria-hidden className="size-3 shrink-0" />
          <span className="sr-only">ทีม</span>{' '}
        </>
      )}
      <span className="truncate">{label.name}</span>
    </span>
  )
}
