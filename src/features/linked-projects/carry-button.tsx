import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import { errorMessage } from '#src/api/http/problem-error.ts'
import { isDemo } from '#src/api/keyword/demo.ts'
import { carryPursuit } from '#src/api/pursuit/carry-pursuit.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

/** Carries star, labels and card from the cancelled number to the new one in one press. */
export function CarryButton({ from, to }: { from: string; to: string }) {
  const [isSending, setSending] = useState(false)
  if (isDemo()) return null
  const carry = async () => {
    setSending(true)
    try {
      await carryPursuit({ from, to })
      showToast({ tone: 'done', text: `ย้ายดาว ป้าย และการ์ดไปเลขที่ ${to} แล้ว` })
    } catch (error) {
      showToast({ tone: 'error', text: `ย้ายไม่สำเร็จ ${errorMessage(error)}` })
    } finally {
      setSending(false)
    }
  }
  return (
    <Button size="sm" icon={ArrowRightLeft} pending={isSending} onClick={() => void carry()}>
      ย้ายดาว ป้าย และการ์ดไปเลขใหม่
    </Button>
  )
}
