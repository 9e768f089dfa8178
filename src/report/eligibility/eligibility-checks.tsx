import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { formatLawClause } from '#contract/catalogue/procurement-rules.ts'
import type { EligibilityCheck } from '#contract/report/eligibility.ts'
import { QualificationSettingsLink } from '#src/account/qualification-link/qualification-settings-link.tsx'

const OUTCOMES = {
  met: { icon: CircleCheck, className: 'text-new', label: 'ผ่าน' },
  unmet: { icon: CircleX, className: 'text-urgent', label: 'ไม่ผ่าน' },
  unknown: { icon: CircleHelp, className: 'text-ink-faint', label: 'ยังไม่รู้' },
} as const

export function EligibilityChecks({ checks }: { checks: readonly EligibilityCheck[] }) {
  return (
    <ul className="space-y-2 text-sm">
      {checks.map((check) => (
        <CheckRow key={check.text} check={check} />
      ))}
    </ul>
  )
}

function CheckRow({ check: { outcome, text, source, fix, missing } }: { check: EligibilityCheck }) {
  const { icon: Icon, className, label } = OUTCOMES[outcome]
  return (
    <li className="flex gap-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${className}`} />
      <div className="min-w-0">
        <p>
          <span className="sr-only">{label}: </span>
          {text}
        </p>
        {fix && <p className="text-ink-muted">{fix}</p>}
        {source && <p className="text-xs text-ink-faint">{formatLawClause(source)}</p>}
        {missing && <QualificationSettingsLink />}
      </div>
    </li>
  )
}
