import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { cancelEmailChangeByLink, confirmEmailChange, emailChangeLinkQuery } from '#src/account/api/email-change.ts'
import { getPasswordResetProblem } from '#src/account/api/passwords.ts'
import { FormSubmitError } from '#src/account/form-refusal/form-submit-error.tsx'
import { LinkOutcome } from '#src/account/mailed-link/link-outcome.tsx'
import { getErrorText } from '#src/lib/problem-error.ts'
import { EmailLinkPageLayout } from '#src/shell/navigation/email-link-page-layout.tsx'
import { Button } from '#src/ui/button.tsx'

const route = getRouteApi('/email-change/$token')

const OUTCOMES = {
  done: { title: 'เปลี่ยนอีเมลแล้ว', text: 'เข้าสู่ระบบครั้งต่อไปด้วยอีเมลใหม่ รหัสผ่านเดิมยังใช้ได้' },
  waiting: { title: 'ยืนยันแล้ว', text: 'อีเมลจะเปลี่ยนเมื่อยืนยันจากอีเมลอีกฝั่งด้วย เปิดลิงก์ในกล่องจดหมายนั้น' },
  stopped: { title: 'หยุดการเปลี่ยนแล้ว', text: 'อีเมลของบัญชียังเป็นอีเมลเดิม ถ้าคุณไม่ได้ขอเปลี่ยน ตั้งรหัสผ่านใหม่ด้วย' },
} as const
const LINKS = [
  ['/login', 'ไปหน้าเข้าสู่ระบบ'],
  ['/reset-password', 'ตั้งรหัสผ่านใหม่'],
] as const

/** Page to confirm or cancel an e-mail change. Both need a click on a button, because mail scanners open links. */
export function EmailChangePage() {
  const { token } = route.useParams()
  const link = useQuery(emailChangeLinkQuery(token))
  const answer = useMutation({
    mutationFn: async (choice: 'confirm' | 'stop'): Promise<keyof typeof OUTCOMES> => {
      if (choice === 'confirm') return (await confirmEmailChange(token)) ? 'done' : 'waiting'
      await cancelEmailChangeByLink(token)
      return 'stopped'
    },
  })
  const pendingChoice = answer.isPending ? answer.variables : undefined
  const refusedLink = [answer.error, link.error].find((error) => getPasswordResetProblem(error) !== undefined)
  const result = answer.data ?? (link.data?.is_confirmed ? 'waiting' : undefined)
  const outcome = refusedLink ? { title: 'ลิงก์นี้ใช้ไม่ได้แล้ว', text: getErrorText(refusedLink) } : result && OUTCOMES[result]
  return (
    <EmailLinkPageLayout title="เปลี่ยนอีเมล" link={link} outcome={outcome && <LinkOutcome {...outcome} links={LINKS} />}>
      {({ side, old_email, new_email }) => (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">{side === 'old' ? 'เปลี่ยนอีเมลของบัญชี' : 'ยืนยันอีเมลใหม่'}</h1>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            <dt className="text-ink-muted">อีเมลเดิม</dt>
            <dd className="wrap-anywhere">{old_email}</dd>
            <dt className="text-ink-muted">อีเมลใหม่</dt>
            <dd className="font-medium wrap-anywhere">{new_email}</dd>
          </dl>
          <p className="text-ink-muted">อีเมลที่ใช้เข้าสู่ระบบจะเปลี่ยนเมื่อยืนยันครบทั้งสองอีเมล</p>
          <FormSubmitError refusal={answer.error} />
          <Button
            variant="primary"
            size="lg"
            pending={pendingChoice === 'confirm'}
            onClick={() => answer.mutate('confirm')}
            className="w-full"
          >
            {side === 'old' ? 'ยืนยันการเปลี่ยน' : 'ยืนยันว่าเป็นอีเมลของฉัน'}
          </Button>
          <Button size="lg" pending={pendingChoice === 'stop'} onClick={() => answer.mutate('stop')} className="w-full">
            หยุดการเปลี่ยน
          </Button>
        </div>
      )}
    </EmailLinkPageLayout>
  )
}
