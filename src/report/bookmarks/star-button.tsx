import { Star } from 'lucide-react'

import { classNames } from '#src/lib/class-names.ts'
import { setBookmarks } from './set-bookmarks.ts'

type StarButtonProps = {
  projectId: string
  name: string
  isStarred: boolean
  size?: 'sm' | 'md'
  className?: string
}

export function StarButton({ projectId, name, isStarred, size = 'sm', className }: StarButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isStarred}
      aria-label={`ติดดาว ${name}`}
      title={isStarred ? 'เอาดาวออก' : 'ติดดาว'}
      onClick={() => void setBookmarks([projectId], !isStarred)}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-control text-ink-faint hover:bg-surface-muted hover:text-ink touch:size-11',
        size === 'md' ? 'size-9' : 'size-7',
        className,
      )}
    >
      <Star
        aria-hidden
        className={classNames(
          size === 'md' ? 'size-5' : 'size-4',
          isStarred && 'fill-star text-star forced-colors:fill-[Highlight]',
        )}
      />
    </button>
  )
}
