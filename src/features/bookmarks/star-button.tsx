import { Star } from 'lucide-react'
import { useState } from 'react'
import { canShowPatchesAtOnce, preloadUserPatches, whenPatchesCanShow } from '#src/api/user/user-patches.ts'
import { classNames } from '#src/lib/class-names.ts'
import { setBookmarks } from './set-bookmarks.ts'

type StarButtonProps = {
  projectId: string
  /** Name of the project, for the button's own. */
  name: string
  isStarred: boolean
  /** Square of 28 px or 36 px; both 44 px under a finger. */
  size?: 'sm' | 'md'
  className?: string
}

/** Stars a project. Filled at the press, even while the code that saves it is still on its way. */
export function StarButton({ projectId, name, isStarred, size = 'sm', className }: StarButtonProps) {
  const [wish, setWish] = useState<boolean>()
  const isOn = wish ?? isStarred
  const toggle = () => {
    const isEarly = !canShowPatchesAtOnce()
    if (isEarly) setWish(!isOn)
    void setBookmarks([projectId], !isOn)
    if (isEarly) void whenPatchesCanShow().then(() => setWish(undefined))
  }
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={`ติดดาว ${name}`}
      title={isOn ? 'เอาดาวออก' : 'ติดดาว'}
      onPointerEnter={preloadUserPatches}
      onFocus={preloadUserPatches}
      onClick={toggle}
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
          isOn && 'fill-star text-star forced-colors:fill-[Highlight]',
        )}
      />
    </button>
  )
}
