import { Check, Copy } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from '../icon-button.tsx'
import { showToast } from '../overlay/toast.ts'
import { useCopied } from '../use-copied.ts'

export function ProjectId({ id, className }: { id: string; className?: string }) {
  return (
    <span className={classNames('inline-flex items-center gap-0.5', className)}>
      <ProjectIdText id={id} />
      <CopyProjectIdButton id={id} />
    </span>
  )
}

export function ProjectIdText({ id }: { id: string }) {
  return <span className="text-xs whitespace-nowrap tabular-nums">{id}</span>
}

export function CopyProjectIdButton({ id }: { id: string }) {
  const [copied, copy] = useCopied()
  const onFailed = () => showToast({ tone: 'error', text: `คัดลอกไม่ได้ เลขที่โครงการคือ ${id}` })
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? `คัดลอก ${id} แล้ว` : `คัดลอกเลขที่ ${id}`}
      size="sm"
      onClick={() => void copy(id).catch(onFailed)}
      className="-my-1 touch:-my-2.5 group-hover/row:opacity-100! focus-visible:opacity-100! group-focus-within/row:opacity-100! pointer-fine:in-[tr]:opacity-0"
      iconClassName={classNames('size-3.5', copied && 'text-new')}
    />
  )
}
