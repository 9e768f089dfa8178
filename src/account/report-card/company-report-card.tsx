import { useState } from 'react'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useReportCards } from '#src/account/api/report-cards.ts'
import { useUser } from '#src/account/api/users.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { Button } from '#src/ui/button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { ReportCardBadge } from './report-card-badge.tsx'

const ReportCardDialog = lazyComponent(() => import('./report-card-dialog.tsx'), 'ReportCardDialog')

export function CompanyReportCard({ taxId, name }: { taxId: string | null; name: string }) {
  const { role } = useUser()
  const card = useReportCards().get(taxId ?? '')
  const [isOpen, setOpen] = useState(false)
  if (taxId === null || isDemoSession()) return null
  return (
    <>
      <ReportCardBadge taxId={taxId} />
      {role === 'super_user' && (
        <Button variant="link" size="sm" className="print:hidden" onClick={() => setOpen(true)}>
          {card ? 'แก้สมุดพก' : 'บันทึกสมุดพก'}
        </Button>
      )}
      {isOpen && (
        <LazyBoundary>
          <ReportCardDialog taxId={taxId} name={name} card={card} onClose={() => setOpen(false)} />
        </LazyBoundary>
      )}
    </>
  )
}
