import { RotateCw, X } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from './icon-button.tsx'
import { ProgressBar } from './progress-bar.tsx'

type UploadListProps = {
  rows: readonly {
    readonly key: number
    readonly name: string
    readonly progress: number | null
    readonly problem?: string
    readonly mayRetry?: boolean
  }[]
  onDismiss: (key: number) => void
  onRetry: (key: number) => void
  className?: string
}

export function UploadList({ rows, onDismiss, onRetry, className }: UploadListProps) {
  if (rows.length === 0) return null
  return (
    <ul aria-label="ไฟล์ที่กำลังเพิ่ม" className={classNames('flex flex-col gap-2', className)}>
      {rows.map(({ key, name, progress, problem, mayRetry }) => (
        <li key={key} className="flex items-start gap-3 rounded-control bg-surface-muted px-3 py-2">
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium">{name}</span>
            {progress === null ? (
              <span role="alert" className="block text-sm text-urgent">
                {problem}
              </span>
            ) : (
              <ProgressBar label={`กำลังส่ง ${name}`} value={progress} max={1} className="mt-1.5 w-full" />
            )}
          </span>
          {mayRetry && <IconButton icon={RotateCw} size="sm" label={`ส่ง ${name} อีกครั้ง`} onClick={() => onRetry(key)} />}
          <IconButton
            icon={X}
            size="sm"
            label={progress === null ? `ปิดข้อความของ ${name}` : `ยกเลิก ${name}`}
            onClick={() => onDismiss(key)}
          />
        </li>
      ))}
    </ul>
  )
}
