import { Link2 } from 'lucide-react'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/toast.ts'

const TOAST = 'budget-link'

/** The address of what is open, for a colleague. */
export function CopyLink() {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href)
      showToast({ tone: 'done', text: 'คัดลอกลิงก์ของรายการแล้ว', key: TOAST })
    } catch {
      showToast({ tone: 'error', text: 'คัดลอกไม่สำเร็จ คัดลอกจากแถบที่อยู่แทน', key: TOAST })
    }
  }
  return (
    <Button look="link" size="sm" icon={Link2} onClick={() => void copy()}>
      คัดลอกลิงก์
    </Button>
  )
}
