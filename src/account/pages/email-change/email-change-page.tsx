import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { EmailChangeLink } from '#contract/account/email-change.ts'
import { cancelEmailChangeByLink, confirmEmailChange, emailChangeLinkQuery } from '#src/account/api/email-change.ts'
import { linkFailure, resetProblemOf } from '#src/account/api/passwords.ts'
import { FormRefusal } from '#src/account/form-refusal/form-refusal.tsx'
import { errorText } from '#src/api/http/problem-error.ts'
import { takeQueryData } from '#src/api/http/query-client.ts'
import { LinkCheckLayout } from '#src/shell/navigation/link-layout.tsx'
import { Button, buttonClasses } from '#src/ui/button.tsx'

const route = getRouteApi('/email-change/$token')

type LinkState =
  | { readonly is: 'asked' }
  | { readonly is: 'good'; readonly link: EmailChangeLink }
  | { readonly is: 'bad' | 'unknown'; readonly error: unknown }
  | { readonly is: 'done' | 'waiting' | 'stopped' }

const OUTCOMES = {
  done: { title: 'เปลี่ยนอีเมลแล้ว', text: 'เข้าสู่ระบบครั้งต่อไปด้วยอีเมลใหม่ รหัสผ่านเดิมยังใช้ได้' },
  waiting: { title: 'ยืนยันแล้ว', text: 'อีเมลจะเปลี่ยนเมื่อยืนยันจากอีเมลอีกฝั่งด้วย เปิดลิงก์ในกล่องจดหมายนั้น' },
  stopped: { title: 'หยุดการเปลี่ยนแล้ว', text: 'อีเมลของบัญชียังเป็นอีเมลเดิม ถ้าคุณไม่ได้ขอเปลี่ยน ตั้งรหัสผ่านใหม่ด้วย' },
} as const

/** Confirm and cancel are buttons, because mail scanners open links. */
export function EmailChangePage() {
  const { token } = route.useParams()
  const [state, setState] = useState<LinkState>({ is: 'asked' })
  const [refusal, setRefusal] = useState<unknown>()
  const [pending, setPending] = useState<'yes' | 'no'>()
  useEffect(() => {
    if (state.is !== 'asked') return
    let isCancelled = false
    takeQueryData(emailChangeLinkQuery(token)).then(
      (link) => !isCancelled && setState(link.is_confirmed ? { is: 'waiting' } : { is: 'good', link }),
      (error: unknown) => !isCancelled && setState(linkFailure(error)),
    )
    return () => {
      isCancelled = true
    }
  }, [token, state.is])
  const respond = async (choice: 'yes' | 'no') => {
    setPending(choice)
    setRefusal(undefined)
    try {
      if (choice === 'no') {
        await cancelEmailChangeByLink(token)
        setState({ is: 'stopped' })
      } else setState({ is: (await confirmEmailChange(token)) ? 'done' : 'waiting' })
    } catch (error) {
      if (resetProblemOf(error) !== undefined) setState(linkFailure(error))
      else setRefusal(error)
    }
    setPending(undefined)
  }
  return (
    <LinkCheckLayout title="เปลี่ยนอีเมล" link={state} onRetry={() => setState({ is: 'asked' })}>
      {state.is === 'bad' && <Outcome title="ลิงก์นี้ใช้ไม่ได้แล้ว" text={errorText(state.error)} />}
      {(state.is === 'done' || state.is === 'waiting' || state.is === 'stopped') && <Outcome {...OUTCOMES[state.is]} />}
      {state.is === 'good' && (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">{state.link.side === 'old' ? 'เปลี่ยนอีเมลของบัญชี' : 'ยืนยันอีเมลใหม่'}</h1>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            <dt className="text-ink-muted">อีเมลเดิม</dt>
            <dd className="wrap-anywhere">{state.link.old_email}</dd>
            <dt className="text-ink-muted">อีเมลใหม่</dt>
            <dd className="font-medium wrap-anywhere">{state.link.new_email}</dd>
          </dl>
          <p className="text-ink-muted">อีเมลที่ใช้เข้าสู่ระบบจะเปลี่ยนเมื่อยืนยันครบทั้งสองอีเมล</p>
          <FormRefusal refusal={refusal} />
          <Button
            variant="primary"
            size="lg"
            pending={pending === 'yes'}
            onClick={() => void respond('yes')}
            className="w-full"
          >
            {state.link.side === 'old' ? 'ยืนยันการเปลี่ยน' : 'ยืนยันว่าเป็นอีเมลของฉัน'}
          </Button>
          <Button size="lg" pending={pending === 'no'} onClick={() => void respond('no')} className="w-full">
            หยุดการเปลี่ยน
          </Button>
        </div>
      )}
    </LinkCheckLayout>
  )
}

function Outcome({ title, text }: { title: string; text: string }) {
  return (
    <div className="space-y-4">
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p role="status" className="text-ink-muted">
        {text}
      </p>
      <Link to="/login" className={buttonClasses('primary', 'lg', 'w-full')}>
        ไปหน้าเข้าสู่ระบบ
      </Link>
      <Link to="/reset-password" className={buttonClasses('quiet', 'lg', 'w-full')}>
        ตั้งรหัสผ่านใหม่
      </Link>
    </div>
  )
}
