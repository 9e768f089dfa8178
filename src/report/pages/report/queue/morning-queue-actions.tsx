import {
  ArrowRight,
  EyeOff,
  type LucideIcon,
  MessageCircle,
  SquareArrowOutUpRight,
  Star,
  Tag,
  Undo2,
} from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import type { MorningQueueAction } from './morning-queue-keys.ts'
import type { MorningQueueMarks } from './morning-queue-state.ts'

type QueueActionsProps = {
  marks: MorningQueueMarks | undefined
  canUndo: boolean
  run: (key: MorningQueueAction) => void
}

type QueueButton = Pick<ComponentProps<'button'>, 'disabled' | 'className' | 'aria-haspopup'> & {
  action: MorningQueueAction
  text: string
  icon: LucideIcon
  letter: string
  isOn?: boolean | undefined
  iconClassName?: string | undefined
  'data-label-button'?: boolean
}

export function MorningQueueActions({ marks, canUndo, run }: QueueActionsProps) {
  const disabled = !marks
  const actions: readonly QueueButton[] = [
    { action: 'undo', text: 'ย้อน', icon: Undo2, letter: 'U', disabled: !canUndo },
    {
      action: 'hide',
      text: marks?.hidden ? 'เลิกซ่อน' : 'ซ่อน',
      icon: EyeOff,
      letter: 'X',
      disabled,
      isOn: marks?.hidden,
    },
    {
      action: 'labels',
      text: 'ป้าย',
      icon: Tag,
      letter: 'L',
      disabled,
      'aria-haspopup': 'dialog',
      'data-label-button': true,
    },
    {
      action: 'star',
      text: 'ติดดาว',
      icon: Star,
      letter: 'B',
      disabled,
      isOn: marks?.starred,
      iconClassName: marks?.starred ? 'fill-star text-star forced-colors:fill-[Highlight]' : undefined,
    },
    { action: 'line', text: 'LINE', icon: MessageCircle, letter: 'C', disabled, className: 'max-sm:hidden' },
    {
      action: 'open',
      text: 'รายละเอียด',
      icon: SquareArrowOutUpRight,
      letter: 'P',
      disabled,
      className: 'max-sm:hidden',
    },
  ]
  return (
    <footer className="shrink-0 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]">
      <div className="mx-auto flex max-w-[860px] items-center gap-1.5 p-2 sm:gap-2 sm:px-4 sm:py-3">
        {actions.map(({ action, text, icon: Icon, letter, isOn, className, iconClassName, ...button }) => (
          <button
            key={action}
            type="button"
            {...button}
            aria-pressed={isOn}
            onClick={() => run(action)}
            className={classNames(
              'inline-flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-x-2 rounded-control border px-1 text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-50 sm:h-11 sm:flex-none sm:flex-row sm:px-3 sm:text-base',
              isOn
                ? 'border-accent-ink bg-accent-soft text-accent-ink'
                : 'border-line-strong bg-surface enabled:hover:bg-surface-muted',
              className,
            )}
          >
            <Icon aria-hidden className={classNames('size-5 shrink-0 sm:size-4', iconClassName)} />
            {text}
            <ShortcutLetter>{letter}</ShortcutLetter>
          </button>
        ))}
        <button
          type="button"
          disabled={!marks}
          onClick={() => run('next')}
          className="inline-flex h-14 flex-[1.4] flex-col items-center justify-center gap-x-2 rounded-control bg-accent px-4 font-medium text-on-accent transition-colors enabled:hover:bg-accent-hover disabled:opacity-50 sm:ml-auto sm:h-11 sm:flex-none sm:flex-row"
        >
          <ArrowRight aria-hidden className="size-5 shrink-0 sm:order-2" />
          ถัดไป
          <ShortcutLetter className="border-on-accent/40">J</ShortcutLetter>
        </button>
      </div>
    </footer>
  )
}

function ShortcutLetter({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      aria-hidden
      className={classNames(
        'rounded border px-1 font-sans text-xs font-normal max-lg:hidden pointer-coarse:hidden',
        className ?? 'border-line text-ink-muted',
      )}
    >
      {children}
    </kbd>
  )
}
