import { classNames } from '#src/lib/class-names.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { Card } from './card.tsx'
import { Skeleton } from './skeleton.tsx'

type SkeletonCardProps = { bars: readonly string[]; className?: string }

/** Card of placeholder bars; `bars` are their classes. Wrap in a `SkeletonGroup`. */
export function SkeletonCard({ bars, className = 'gap-2 p-4' }: SkeletonCardProps) {
  return (
    <Card className={classNames('flex flex-col', className)}>
      {withReactKeys(bars, String).map(({ key, item }) => (
        <Skeleton key={key} className={item} />
      ))}
    </Card>
  )
}

/** `count` equal cards. Wrap them in a `SkeletonGroup`. */
export function SkeletonCards({ count, ...card }: SkeletonCardProps & { count: number }) {
  return withReactKeys(Array<string>(count).fill('card'), String).map(({ key }) => <SkeletonCard key={key} {...card} />)
}
