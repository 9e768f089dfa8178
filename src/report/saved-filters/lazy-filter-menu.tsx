import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import type { PresentFilterMenuProps } from './present-filter-menu.tsx'

const PresentFilterMenu = lazyComponent(() => import('./present-filter-menu.tsx'), 'PresentFilterMenu')

export function LazyFilterMenu(props: PresentFilterMenuProps) {
  return (
    <LazyBoundary fallback={<span className={props.variant === 'tab' ? 'w-5 touch:w-9' : 'size-9 touch:size-11'} />}>
      <PresentFilterMenu {...props} />
    </LazyBoundary>
  )
}
