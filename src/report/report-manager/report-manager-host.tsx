import { useLocation } from '@tanstack/react-router'
import { isReportManagerCode } from '#src/account/settings-address/settings-address.ts'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'

const ReportManager = lazyPart(() => import('./report-manager.tsx'), 'ReportManager')

/** Opens the dialog that a link to `/report#saved-filters`, `#labels` or `#columns` names, e.g. from an email. */
export function ReportManagerHost() {
  const hash = useLocation({ select: ({ pathname, hash }) => (pathname === '/report' ? hash : '') })
  return isReportManagerCode(hash) && <ReportManager key={hash} manager={hash} />
}
