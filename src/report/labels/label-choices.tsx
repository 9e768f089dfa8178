import { Plus } from 'lucide-react'
import type { Label } from '#contract/account/label.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import { LABEL_SCOPE_NAMES, type LabelScope } from './label-changes.ts'

const MAX_DIGIT_SHORTCUTS = 9

export type ScopedLabel = { readonly label: Label; readonly scope: LabelScope }

type ChoiceBoxProps = {
  inputRef: (element: HTMLElement | null) => void
  choice: ScopedLabel
  digit: number
  labelledCount: number
  total: number
  onToggle: () => void
}

export function LabelCheckbox({
  inputRef,
  choice: { label, scope },
  digit,
  labelledCount,
  total,
  onToggle,
}: ChoiceBoxProps) {
  return (
    <Checkbox
      inputRef={inputRef}
      checked={labelledCount === total}
      indeterminate={labelledCount > 0 && labelledCount < total}
      onChange={onToggle}
      trailing={
        digit <= MAX_DIGIT_SHORTCUTS && (
          <kbd aria-hidden className="rounded border border-line px-1 font-sans pointer-coarse:hidden">
            {digit}
          </kbd>
        )
      }
      className="items-center rounded-control px-1.5 py-1 hover:bg-surface-muted"
    >
      <LabelChip label={{ ...label, isTeam: scope === 'team' }} className="max-w-full" />
    </Checkbox>
  )
}

type CreateButtonProps = { label: Label; scope: LabelScope; disabled: boolean; onClick: () => void }

export function CreateLabelButton({ label, scope, disabled, onClick }: CreateButtonProps) {
  return (
    <button
      type="button"
      aria-label={`สร้าง${LABEL_SCOPE_NAMES[scope]} ${label.name}`}
      onClick={onClick}
      disabled={disabled}
      className="flex min-h-8 w-full items-center gap-2 rounded-control px-1.5 py-1 text-left enabled:hover:bg-surface-muted disabled:text-ink-muted touch:min-h-11"
    >
      <Plus aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <span className="shrink-0">สร้าง{LABEL_SCOPE_NAMES[scope]}</span>
      <LabelChip label={{ ...label, isTeam: scope === 'team' }} className="min-w-0" />
    </button>
  )
}
