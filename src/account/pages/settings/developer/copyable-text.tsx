import { Copy } from 'lucide-react'
import { Button } from '#src/ui/button.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'

type CopyableTextProps = {
  text: string
  label: string
  displayText?: string
  isCode?: boolean
}

export function CopyableText({ text, label, displayText = text, isCode = false }: CopyableTextProps) {
  const copy = () => void copyWithToast(text, `คัดลอก${label}แล้ว`, `คัดลอกไม่ได้ กดค้างที่${label}แล้วคัดลอกเอง`)
  return (
    <div className="flex flex-wrap items-start gap-2">
      {isCode ? (
        <pre
          tabIndex={0}
          role="region"
          aria-label={label}
          className="max-h-72 min-w-0 flex-1 basis-64 overflow-auto rounded-control border border-line bg-surface px-2.5 py-1.5 text-sm"
        >
          <code>{displayText}</code>
        </pre>
      ) : (
        <code className="min-w-0 flex-1 basis-64 rounded-control border border-line bg-surface px-2.5 py-1.5 text-sm wrap-anywhere select-all">
          {displayText}
        </code>
      )}
      <Button size="sm" icon={Copy} onClick={copy}>
        คัดลอก{label}
      </Button>
    </div>
  )
}
