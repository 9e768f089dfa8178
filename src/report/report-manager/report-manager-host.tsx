import { useLocation } from '@tanstack/react-router'
import { isReportManagerCode } from '#src/account/settings-address/settings-address.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'

const ReportManager = lazyComponent(() => import('./report-manager.tsx'), 'ReportManager')

/** Opens the dialog that a link to `/report#saved-filters`, `#labels` or `#columns` names, e.g. from an email. */
export function ReportManagerHost() {
  const hash = useLocation({ select: ({ pathname, hash }) => (pathname === '/report' ? hash : '') })
  if (!isReportManagerCode(hash)) return null
  return (
    <LazyBoundary>
      <ReportManager key={hash} manager={hash} />
    </LazyBoundary>
  )
}
