import { Plus, Search, Settings2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import {
  getProjectLabelIds,
  isSameDisplayName,
  type Label,
  MAX_LABEL_NAME_LENGTH,
  pickNextLabelColor,
} from '#contract/account/label.ts'
import { MAX_TEAM_LABELS } from '#contract/report/apply-team-label-action.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { useUser } from '#src/account/api/users.ts'
import { useElements } from '#src/lib/use-elements.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import { Button } from '#src/ui/button.tsx'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import {
  assignLabel,
  createLabel,
  LABEL_SCOPE_NAMES,
  type LabelScope,
  removeAllProjectLabels,
  unassignLabel,
} from './label-changes.ts'

type LabelPickerProps = {
  projectIds: readonly string[]
  onManage: () => void
  onClose: () => void
}

type ScopedLabel = { readonly label: Label; readonly scope: LabelScope }

const SCOPES: readonly LabelScope[] = ['mine', 'team']
const MAX_DIGIT_SHORTCUTS = 9

/**
 * Assigns labels to one project or a selection: tick, search, create. Digits 1-9 toggle the first nine unless the user
 * is typing; letters go to the search box; arrows move through the list. Initial focus is on the list rather than on a
 * label, so that typing a name with a leading space ticks nothing.
 */
export function LabelPicker({ projectIds, onManage, onClose }: LabelPickerProps) {
  const { project_labels: labels, project_label_assignments: assignments, label_metadata: metadata } = useUser()
  const [query, setQuery] = useState('')
  const [announcement, setAnnouncement] = useState('')
  const firstList = useRef<HTMLFieldSetElement>(null)
  const boxes = useElements<string>()
  const searchBox = useRef<HTMLInputElement>(null)
  const hintId = useId()
  const name = query.trim()
  const team = useTeamLabelsAndViews()
  const matchesName = (label: Label) => normaliseThai(label.name).includes(normaliseThai(name))
  const teamLabels = team?.labels ?? []
  const choices: readonly ScopedLabel[] = [
    ...labels.filter(matchesName).map((label): ScopedLabel => ({ label, scope: 'mine' })),
    ...teamLabels.filter(matchesName).map((label): ScopedLabel => ({ label, scope: 'team' })),
  ]
  const sameNameLabel = labels.find((label) => isSameDisplayName(label.name, name))
  const isNewToTeam = team !== undefined && !teamLabels.some((label) => isSameDisplayName(label.name, name))
  const labelledProjects = ({ label, scope }: ScopedLabel) => {
    const scopeAssignments = scope === 'team' ? (team?.assignments ?? {}) : assignments
    return projectIds.filter((id) => getProjectLabelIds(scopeAssignments, id).includes(label.id))
  }
  const hasAny = projectIds.some((id) => getProjectLabelIds(assignments, id).length > 0)

  useEffect(() => {
    // The panel can receive the focus only after it has been positioned.
    const frame = requestAnimationFrame(() => {
      ;(firstList.current ?? searchBox.current)?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [])

  const toggle = (choice: ScopedLabel) => {
    const { label, scope } = choice
    const having = labelledProjects(choice)
    if (having.length === projectIds.length) void unassignLabel(label, having, scope)
    else void assignLabel(label, projectIds, scope)
  }
  const offers = [
    { scope: 'mine', existing: labels, isOffered: !sameNameLabel, isFull: !metadata.canCreateMore },
    { scope: 'team', existing: teamLabels, isOffered: isNewToTeam, isFull: teamLabels.length >= MAX_TEAM_LABELS },
  ] as const
  const create = ({ scope, existing }: (typeof offers)[number]) => {
    void createLabel(name, existing, projectIds, scope)
    setAnnouncement(`สร้าง${LABEL_SCOPE_NAMES[scope]} ${name} แล้ว`)
    setQuery('')
  }
  const onEnter = () => {
    if (name === '') return
    if (sameNameLabel) {
      const having = labelledProjects({ label: sameNameLabel, scope: 'mine' })
      if (having.length < projectIds.length) void assignLabel(sameNameLabel, projectIds, 'mine')
      setAnnouncement(`เลือกป้าย ${sameNameLabel.name} แล้ว`)
      setQuery('')
    } else if (metadata.canCreateMore) create(offers[0])
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') return
    event.stopPropagation()
    const box = searchBox.current
    const boxElements = choices.flatMap(({ label }) => boxes.get(label.id) ?? [])
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const stops: (HTMLElement | null)[] = [box, ...boxElements]
      const step = event.key === 'ArrowDown' ? 1 : -1
      const at = Math.max(0, stops.indexOf(event.target as HTMLElement))
      const isList = event.target instanceof HTMLFieldSetElement
      stops[isList && step < 0 ? 0 : (at + step + stops.length) % stops.length]?.focus()
      return
    }
    if (event.target === box || event.ctrlKey || event.metaKey || event.altKey) return
    const digit = Number(event.key)
    const numbered = /^[1-9]$/.test(event.key) ? choices[digit - 1] : undefined
    if (numbered) {
      event.preventDefault()
      toggle(numbered)
      boxElements[digit - 1]?.focus()
    } else if (/^[\p{L}/]$/u.test(event.key) || (event.key === ' ' && event.target instanceof HTMLFieldSetElement)) {
      // A leading space starts a name but is not part of it.
      if (event.key === '/' || event.key === ' ') event.preventDefault()
      box?.focus()
    }
  }

  return (
    <EventDelegationBox onKeyDown={onKeyDown} className="flex flex-col">
      <div className="p-2 pb-1">
        <TextField
          ref={searchBox}
          label="ค้นหาหรือสร้างป้าย"
          hideLabel
          icon={Search}
          placeholder="ค้นหาหรือสร้างป้าย"
          autoComplete="off"
          maxLength={MAX_LABEL_NAME_LENGTH}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            onEnter()
          }}
          aria-describedby={hintId}
        />
      </div>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
      <div className="max-h-72 overflow-y-auto overscroll-contain">
        {SCOPES.map((scope) => {
          const scopeChoices = choices.filter((choice) => choice.scope === scope)
          return (
            scopeChoices.length > 0 && (
              <fieldset
                key={scope}
                ref={scopeChoices[0] === choices[0] ? firstList : undefined}
                tabIndex={-1}
                className="min-w-0 px-1 py-1 -outline-offset-2"
              >
                <legend className={scope === 'mine' ? 'sr-only' : 'px-1.5 pt-1 text-xs font-medium text-ink-muted'}>
                  {LABEL_SCOPE_NAMES[scope]}ของ
                  {projectIds.length > 1 ? ` ${formatCount(projectIds.length)} โครงการที่เลือก` : 'โครงการ'}
                </legend>
                {scopeChoices.map((choice) => {
                  const { label } = choice
                  const digit = choices.indexOf(choice) + 1
                  const labelledCount = labelledProjects(choice).length
                  return (
                    <Checkbox
                      key={label.id}
                      inputRef={boxes.refOf(label.id)}
                      checked={labelledCount === projectIds.length}
                      indeterminate={labelledCount > 0 && labelledCount < projectIds.length}
                      onChange={() => toggle(choice)}
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
                })}
              </fieldset>
            )
          )
        })}
      </div>
      {name !== '' && (!sameNameLabel || isNewToTeam) && (
        <div className="px-1 pb-1">
          {offers
            .filter(({ isOffered }) => isOffered)
            .map((offer) => {
              const { scope, existing, isFull } = offer
              const label = { id: '', name, color: pickNextLabelColor(existing), isTeam: scope === 'team' }
              return (
                <button
                  key={scope}
                  type="button"
                  aria-label={`สร้าง${LABEL_SCOPE_NAMES[scope]} ${name}`}
                  onClick={() => create(offer)}
                  disabled={isFull}
                  className="flex min-h-8 w-full items-center gap-2 rounded-control px-1.5 py-1 text-left enabled:hover:bg-surface-muted disabled:text-ink-muted touch:min-h-11"
                >
                  <Plus aria-hidden className="size-4 shrink-0 text-ink-faint" />
                  <span className="shrink-0">สร้าง{LABEL_SCOPE_NAMES[scope]}</span>
                  <LabelChip label={label} className="min-w-0" />
                </button>
              )
            })}
        </div>
      )}
      <p id={hintId} className="px-2.5 pb-1.5 text-xs text-ink-faint">
        {!metadata.canCreateMore
          ? `ใช้ครบ ${formatCount(metadata.maxLabels)} ป้ายแล้ว ลบป้ายที่ไม่ใช้ก่อนสร้างใหม่`
          : labels.length === 0
            ? 'พิมพ์ชื่อแล้วกด Enter เพื่อสร้างป้ายแรก'
            : `ใช้ ${formatCount(metadata.currentCount)} จาก ${formatCount(metadata.maxLabels)} ป้าย`}
      </p>
      <div className="sticky bottom-0 flex flex-wrap items-center justify-between gap-x-2 border-t border-line bg-surface p-1">
        <Button variant="quiet" size="sm" icon={Settings2} onClick={onManage}>
          จัดการป้าย
        </Button>
        {hasAny && (
          <Button
            variant="quiet"
            size="sm"
            onClick={() => {
              void removeAllProjectLabels(projectIds)
              onClose()
            }}
          >
            {teamLabels.length > 0 ? 'ล้างป้ายของฉัน' : 'ล้างป้ายทั้งหมด'}
          </Button>
        )}
      </div>
    </EventDelegationBox>
  )
}
