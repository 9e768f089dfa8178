import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { pursuitConflictStore } from './pursuit-conflict-store.ts'

const PursuitConflictDialog = lazyComponent(() => import('./pursuit-conflict-dialog.tsx'), 'PursuitConflictDialog')

export function PursuitConflictDialogHost() {
  const [first] = pursuitConflictStore.useValue()
  if (!first) return null
  return (
    <LazyBoundary>
      <PursuitConflictDialog key={first.change.context.at} conflict={first} />
    </LazyBoundary>
  )
}
