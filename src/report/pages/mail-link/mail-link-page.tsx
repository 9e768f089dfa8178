import { useMutation, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { MailLink, MailLinkError, MailLinkResult } from '#contract/report/report-mail.ts'
import { applyMailLink, getMailLinkProblem, mailLinkQuery } from '#src/report/api/mail-links.ts'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { Spinner } from '#src/ui/spinner.tsx'
import { MAIL_LINK_PROBLEM_TEXTS, MAIL_LINK_TEXTS, MAIL_LINK_TO_PROJECT } from './mail-link-texts.ts'

const subscribeToHash = (listener: () => void) => {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
const tokenInAddress = () => location.hash.slice(1)

/** Page of a link in an email. Opening it has no side effects, because the user must confirm the action. */
export function MailLinkPage() {
  const token = useSyncExternalStore(subscribeToHash, tokenInAddress)
  return <LinkConfirmation key={token} token={token} />
}

function LinkConfirmation({ token }: { token: string }) {
  const link = useQuery(mailLinkQuery(token))
  const apply = useMutation({ mutationFn: applyMailLink })
  const undo = useMutation({ mutationFn: applyMailLink })
  const result = undo.data ?? apply.data ?? (link.data?.done ? { ...link.data, undo: null } : undefined)
  const error = undo.error ?? apply.error ?? link.error
  const problem = getMailLinkProblem(error)
  const retry = () => {
    if (undo.error) undo.mutate(undo.variables)
    else if (apply.error) apply.mutate(apply.variables)
    else void link.refetch()
  }
  return (
    <PlainLayout>
      {problem !== undefined ? (
        <BadLink why={problem} />
      ) : error !== null ? (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">ลิงก์ในอีเมล</h1>
          <ErrorNotice title="ทำตามลิงก์ไม่สำเร็จ" error={error} onRetry={retry} retrying={link.isFetching} />
        </div>
      ) : result ? (
        <Done key={result.kind} link={result} isBusy={undo.isPending} onUndo={undo.mutate} />
      ) : link.data ? (
        <Ready link={link.data} isBusy={apply.isPending} onConfirm={() => apply.mutate(token)} />
      ) : (
        <div role="status" className="flex flex-col items-center gap-3 py-6 text-ink-muted">
          <Spinner className="text-accent-ink" />
          กำลังอ่านลิงก์
        </div>
      )}
    </PlainLayout>
  )
}

/** Shows the project and the account, because the email may have been forwarded to another person. */
function Subject({ link }: { link: MailLink }) {
  return (
    <div className="rounded-control bg-surface-muted px-3 py-2">
      {link.project && (
        <>
          <p className="font-medium wrap-anywhere">{link.project.name}</p>
          <p className="text-sm text-ink-muted wrap-anywhere">{link.project.dept_sub_name}</p>
        </>
      )}
      {link.filter && <p className="font-medium wrap-anywhere">{link.filter.name}</p>}
      <p className="text-sm text-ink-muted">บัญชี {link.account}</p>
    </div>
  )
}

function Ready({ link, isBusy, onConfirm }: { link: MailLink; isBusy: boolean; onConfirm: () => void }) {
  const words = MAIL_LINK_TEXTS[link.kind]
  return (
    <div className="space-y-4">
      <h1 className="text-2xl font-semibold">{words.question}</h1>
      <Subject link={link} />
      <p className="text-ink-muted">{words.explanation(link)}</p>
      <Button variant="primary" size="lg" className="w-full" pending={isBusy} onClick={onConfirm}>
        {words.button}
      </Button>
    </div>
  )
}

/** Receives the focus that the unmounted button lost, so that screen readers announce the result. */
function ResultHeading({ children }: { children: string }) {
  return (
    <h1 ref={focusOnMount} tabIndex={-1} className="text-2xl font-semibold">
      {children}
    </h1>
  )
}

function Done({ link, isBusy, onUndo }: { link: MailLinkResult; isBusy: boolean; onUndo: (token: string) => void }) {
  const { doneTitle, onward = MAIL_LINK_TO_PROJECT } = MAIL_LINK_TEXTS[link.kind]
  const { undo } = link
  return (
    <div className="space-y-4">
      <ResultHeading>{doneTitle}</ResultHeading>
      <Subject link={link} />
      <a href={onward.href(link)} className={getButtonClasses('primary', 'lg', 'w-full')}>
        {onward.text}
      </a>
      {undo !== null && (
        <Button size="lg" className="w-full" pending={isBusy} onClick={() => onUndo(undo)}>
          เลิกทำ
        </Button>
      )}
    </div>
  )
}

function BadLink({ why }: { why: MailLinkError }) {
  const { title, text } = MAIL_LINK_PROBLEM_TEXTS[why]
  return (
    <div className="space-y-4">
      <ResultHeading>{title}</ResultHeading>
      <p className="text-ink-muted">{text}</p>
      <a href="/report" className={getButtonClasses('primary', 'lg', 'w-full')}>
        เปิดตามงาน
      </a>
    </div>
  )
}
