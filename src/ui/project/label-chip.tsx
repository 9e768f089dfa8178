import { Users } from 'lucide-react'
import type { Label } from '#contract/account/label.ts'
import { isLabelColor, type LabelColor } from '#contract/account/label-palette.ts'
import { classNames } from '#src/lib/class-names.ts'

/** `src/styles.css` lists the classes: Tailwind does not find composed names. A test checks each contrast. */
export function getLabelColorClasses(color: LabelColor): string {
  const [hue, solid] = color.split('-')
  return solid
    ? `bg-${hue}-700 text-white dark:bg-${hue}-800 dark:text-white`
    : `bg-${hue}-100 text-${hue}-800 dark:bg-${hue}-950 dark:text-${hue}-200`
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

/** Colour only repeats the name. Team labels are round and outlined, with an icon and an accessible hint. */
export function LabelChip({ label, className }: { label: DisplayedLabel; className?: string }) {
  const colorClasses = getLabelColorClasses(isLabelColor(label.color) ? label.color : 'slate')
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
