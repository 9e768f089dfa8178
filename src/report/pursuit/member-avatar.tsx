import { UserRound } from 'lucide-react'
import type { Colleague } from '#contract/account/pursuit-settings.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getInitials } from '#src/lib/get-initials.ts'

// Full class names, because Tailwind finds classes by text search. The pairs are those of labels, whose contrast is tested.
const COLOR_CLASSES = [
  'bg-sky-100 text-sky-800 dark:bg-sky-950 dark:text-sky-200',
  'bg-violet-100 text-violet-800 dark:bg-violet-950 dark:text-violet-200',
  'bg-amber-100 text-amber-800 dark:bg-amber-950 dark:text-amber-200',
  'bg-rose-100 text-rose-800 dark:bg-rose-950 dark:text-rose-200',
  'bg-lime-100 text-lime-800 dark:bg-lime-950 dark:text-lime-200',
  'bg-teal-100 text-teal-800 dark:bg-teal-950 dark:text-teal-200',
  'bg-orange-100 text-orange-800 dark:bg-orange-950 dark:text-orange-200',
  'bg-indigo-100 text-indigo-800 dark:bg-indigo-950 dark:text-indigo-200',
] as const
const SIZES = { xs: 'size-5 text-[9px]', sm: 'size-6 text-[10px]', md: 'size-8 text-xs' } as const

type MemberAvatarProps = {
  member: Pick<Colleague, 'id' | 'name'> | undefined
  size?: keyof typeof SIZES
  className?: string
}

export function MemberAvatar({ member, size = 'sm', className }: MemberAvatarProps) {
  const classes = classNames(
    'inline-flex shrink-0 items-center justify-center rounded-full font-semibold',
    SIZES[size],
    className,
  )
  if (!member) {
    return (
      <span aria-hidden className={classNames(classes, 'border border-dashed border-line-strong text-ink-faint')}>
        <UserRound className="size-3.5" />
      </span>
    )
  }
  const [first = '', ...otherNames] = member.name.split(' ')
  return (
    <span
      aria-hidden
      title={member.name}
      className={classNames(classes, COLOR_CLASSES[member.id % COLOR_CLASSES.length])}
    >
      {getInitials(first, otherNames.at(-1) ?? null)}
    </span>
  )
}
