import { useQuery } from '@tanstack/react-query'
import { Rss } from 'lucide-react'
import { type Follow, isFollowed } from '#contract/user/follow.ts'
import { isDemo } from '#src/api/keyword/demo.ts'
import { useOverlaid } from '#src/api/optimistic.ts'
import { followsQuery, patchFollows } from '#src/api/user/follows.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from '#src/ui/button.tsx'

type FollowButtonsProps = {
  /** `text`: what is followed, after the word itself: `หน่วยงานนี้`. */
  targets: readonly (Follow & { readonly text: string })[]
}

/** Follows something, or no longer; absent in the demo and while it is not known what is followed. */
export function FollowButtons(props: FollowButtonsProps) {
  return isDemo() ? null : <Buttons {...props} />
}

function Buttons({ targets }: FollowButtonsProps) {
  const { data } = useQuery(useOverlaid(followsQuery))
  if (!data) return null
  return (
    <div className="mt-1 flex flex-wrap gap-1.5 print:hidden">
      {targets.map(({ text, ...target }) => {
        const isOn = isFollowed(data, target)
        const { kind, key } = target
        return (
          <Button
            key={`${kind} ${key}`}
            size="sm"
            look="quiet"
            aria-pressed={isOn}
            title="แจ้งที่กระดิ่งและทางอีเมลเมื่อมีเรื่องใหม่ในรายงานขององค์กร"
            onClick={() =>
              void patchFollows(
                isOn ? { remove: { kind, key } } : { add: target },
                isOn ? 'เลิกติดตามไม่สำเร็จ' : 'ติดตามไม่สำเร็จ',
              )
            }
            className={classNames('-ml-1.5', isOn && 'text-accent-ink')}
          >
            <Rss aria-hidden className="size-4" />
            {isOn ? 'ติดตามอยู่: ' : 'ติดตาม'}
            {text}
          </Button>
        )
      })}
    </div>
  )
}
