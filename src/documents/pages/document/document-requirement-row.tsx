import { CircleCheck, FileSearch } from 'lucide-react'
import { type DocumentRequirement, REQUIREMENT_KINDS, REQUIREMENT_VERDICTS } from '#contract/documents/requirement.ts'
import { QualificationSettingsLink } from '#src/account/qualification-link/qualification-settings-link.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { Badge } from '#src/ui/badge.tsx'

const TONES = { yes: 'accent', no: 'urgent', ask: 'updated' } as const

type RequirementRowProps = {
  requirement: DocumentRequirement
  isCurrent: boolean
  isListed: boolean
  onOpen: () => void
}

export function DocumentRequirementRow({ requirement, isCurrent, isListed, onOpen }: RequirementRowProps) {
  const { kind, number, text, page, answer } = requirement
  return (
    <>
      <button
        type="button"
        aria-pressed={isCurrent}
        onClick={onOpen}
        className={classNames(
          'block w-full border-l-3 px-5 pt-3 pb-1 text-left hover:bg-surface-muted focus-visible:-outline-offset-2',
          isCurrent ? 'border-accent bg-accent-soft' : 'border-transparent',
        )}
      >
        <span className="flex items-center gap-2 text-xs text-ink-muted">
          <span className="min-w-0 flex-1">
            <b className="font-semibold text-ink">{REQUIREMENT_KINDS[kind]}</b>
            {number !== '' && ` · ข้อ ${number}`}
          </span>
          {isListed && (
            <span className="inline-flex items-center gap-1 text-accent-ink">
              <CircleCheck aria-hidden className="size-3.5" /> อยู่ในรายการตรวจ
            </span>
          )}
          <span className="inline-flex items-center gap-1 text-accent-ink">
            <FileSearch aria-hidden className="size-3.5" /> หน้า {page}
          </span>
        </span>
        <span className="mt-1 line-clamp-4 block text-sm [overflow-wrap:anywhere]">{text}</span>
      </button>
      <p className="px-5 pt-1 pb-3 pl-[23px] text-sm [overflow-wrap:anywhere]">
        <Badge tone={TONES[answer.can]} className="mr-1.5 align-[1px]">
          {REQUIREMENT_VERDICTS[answer.can]}
        </Badge>
        {answer.reason}
        {answer.missing !== null && (
          <>
            {' · '}
            <QualificationSettingsLink />
          </>
        )}
      </p>
    </>
  )
}
