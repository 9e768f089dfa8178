import { useMutation } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { isDemoSession } from '#src/account/api/demo.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { movePursuitToRetender } from '#src/team/api/move-pursuit-to-retender.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

export function MovePursuitButton({ from, to }: { from: string; to: string }) {
  const { mutate: carry, isPending } = useMutation({
    mutationFn: () => movePursuitToRetender({ from, to }),
    onSuccess: () => showToast({ tone: 'done', text: `ย้ายดาว ป้าย และการ์ดไปเลขที่ ${to} แล้ว` }),
    onError: (error) => showToast({ tone: 'error', text: `ย้ายไม่สำเร็จ ${formatErrorMessage(error)}` }),
  })
  if (isDemoSession()) return null
  return (
    <Button size="sm" icon={ArrowRightLeft} pending={isPending} onClick={() => carry()}>
      ย้ายดาว ป้าย และการ์ดไปเลขใหม่
    </Button>
  )
}
