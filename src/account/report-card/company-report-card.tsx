import { useState } from 'react'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useReportCards } from '#src/account/api/report-cards.ts'
import { useUser } from '#src/account/api/users.ts'
import { Button } from '#src/ui/button.tsx'
import { ReportCardBadge } from './report-card-badge.tsx'
import { ReportCardDialog } from './report-card-dialog.tsx'

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
      {isOpen && <ReportCardDialog taxId={taxId} name={name} card={card} onClose={() => setOpen(false)} />}
    </>
  )
}
