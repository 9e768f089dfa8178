import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Organisation } from '#contract/account/organisation.ts'
import type { StarterKeywordGroup } from '#contract/matching/keyword-requests.ts'
import { getStartSearchParams } from '#contract/report/start-view.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { parseReportUrlSearch } from '#src/lib/report-url.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { finishKeywordSetup, getRejectedWords, starterKeywordsQuery } from '#src/matching/api/finish-keyword-setup.ts'
import { useKeywordPreview } from '#src/matching/api/keyword-impact.ts'
import { formatProjectsPerDay } from '#src/matching/keyword-impact/impact-text.ts'
import { startFirstSteps } from '#src/report/first-steps/first-steps-store.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { FormError } from '#src/ui/form/form-error.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { StepList } from '#src/ui/step-list.tsx'
import { BusinessTypeSetupStep } from './business-type-setup-step.tsx'
import { DepartmentsSetupStep } from './departments-setup-step.tsx'
import { ExclusionsSetupStep } from './exclusions-setup-step.tsx'
import { describeFirstList, hasFirstListEntries } from './first-list/first-list-selection.ts'
import { FirstListStep } from './first-list/first-list-step.tsx'
import { saveFirstListView } from './first-list/save-first-list-view.ts'
import { KeywordsSetupStep } from './keywords-setup-step.tsx'
import { ReviewSetupStep } from './review-setup-step.tsx'
import { WATCH_LIST_SETUP_STEPS, type WatchListSetupStep } from './set-up-steps.ts'
import {
  createWatchListSetupDraft,
  loadWatchListSetupDraft,
  saveWatchListSetupDraft,
  type WatchListSetupDraft,
} from './watch-list-setup-draft.ts'
import {
  addFirstListToDraft,
  computeRemainingListLimits,
  getRequiredSearchModes,
  hasWatchCriteria,
  mergeSuggestedSetupKeywords,
  toNewListedKeywords,
  toSetupPreviewRequest,
} from './watch-list-setup-keywords.ts'

const route = getRouteApi('/group-watch')

/**
 * Set-up after registration (product 5.4): from the business type to a first report in five steps. The step is in the
 * URL (`?step=`), so Back returns to the previous one; the draft is stored on the device until it is saved.
 */
export function WatchListSetupPage() {
  const organisation = useOrganisation()
  const { code } = organisation
  const user = useUser()
  const start = parseReportUrlSearch(getStartSearchParams(user))
  const { step: requestedStep } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [draft, setDraft] = useState(
    () => loadWatchListSetupDraft(code) ?? createWatchListSetupDraft(organisation.business_types),
  )
  const [problem, setProblem] = useState<string>()
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  /** Departments ticked in the tree but not yet added; "next" adds them. */
  const ticked = useRef<readonly string[]>([])
  const isAgain = organisation.register_status.is_watchlist_completed

  const reached = Math.min(draft.reached, WATCH_LIST_SETUP_STEPS.length - 1) as WatchListSetupStep
  const step = requestedStep === undefined || requestedStep > reached ? reached : requestedStep
  useEffect(() => {
    if (step !== requestedStep) void navigate({ search: { step }, replace: true })
  }, [step, requestedStep, navigate])
  const title = useRef<HTMLHeadingElement>(null)
  useOnChange(step, () => {
    window.scrollTo(0, 0)
    title.current?.focus()
  })

  const saveDraft = (next: WatchListSetupDraft) => {
    saveWatchListSetupDraft(code, next)
    setDraft(next)
    setProblem(undefined)
    if (finish.isError) finish.reset()
  }
  const withTicked = (next: WatchListSetupDraft) => ({ ...next, departments: [...next.departments, ...ticked.current] })
  const go = (to: WatchListSetupStep, next: WatchListSetupDraft = draft) => {
    saveDraft({ ...withTicked(next), reached: Math.max(next.reached, to) })
    ticked.current = []
    void navigate({ search: { step: to } })
  }
  const goToWords = (types: readonly number[], starters: readonly StarterKeywordGroup[]) =>
    go(2, { ...draft, types: [...types], groups: mergeSuggestedSetupKeywords(draft, starters, organisation) })
  const suggest = useMutation({
    mutationFn: async (types: readonly number[]) =>
      types.length === 0 ? [] : (await client.query(starterKeywordsQuery(types))).groups,
    onSuccess: (starters, types) => goToWords(types, starters),
    onError: (_, types) => {
      goToWords(types, [])
      showToast({ tone: 'error', text: 'โหลดคำแนะนำไม่สำเร็จ พิมพ์คำเองได้ หรือย้อนกลับไปลองใหม่' })
    },
  })
  const finish = useMutation({
    mutationFn: (finished: WatchListSetupDraft) =>
      finishKeywordSetup(toNewListedKeywords(finished), getRequiredSearchModes(finished)),
    onSuccess: (_, { firstList }) => {
      saveWatchListSetupDraft(code, undefined)
      startFirstSteps(user.id)
      const search = firstList ? saveFirstListView(firstList, user) : undefined
      void navigate({ to: '/report', search: search ?? start, replace: true })
    },
    onError: (error) => {
      const words = getRejectedWords(error)
      setRefused(words)
      if (words.size > 0) setProblem(`บันทึกไม่ได้ ${words.size} คำ แก้หรือเอาออกแล้วลองอีกครั้ง: ${[...words.values()][0]}`)
    },
  })
  const isMoving = suggest.isPending || finish.isPending
  const next = () => {
    if (isMoving) return
    if (step === 0) return startWithFirstList()
    if (step === 1 && draft.types.length === 0) return setProblem('เลือกงานที่ขายอย่างน้อยหนึ่งอย่าง หรือข้ามไปพิมพ์คำเอง')
    if (step === 1) return suggest.mutate(draft.types)
    if (step === 2 && !hasWatchCriteria(draft, organisation))
      return setProblem('เลือกหรือพิมพ์คำอย่างน้อยหนึ่งคำ ถ้าจะติดตามแค่หน่วยงาน กด “ติดตามเป็นหน่วยงาน”')
    if (step === 4 && !hasWatchCriteria(withTicked(draft), organisation))
      return setProblem('ต้องมีอย่างน้อยหนึ่งคำ หรือหนึ่งหน่วยงาน')
    if (step === 5) return finish.mutate(draft)
    go((step + 1) as WatchListSetupStep)
  }
  const startWithFirstList = () => {
    if (!hasFirstListEntries(draft.firstList))
      return setProblem('ใส่เลขผู้เสียภาษีหรือชื่อบริษัทก่อน แล้วติ๊กอย่างน้อยหนึ่งคำหรือหนึ่งหน่วยงาน')
    const next = addFirstListToDraft(draft, draft.firstList)
    saveDraft(next)
    finish.mutate(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    next()
  }
  // Limits learned for one company must not apply to a list without it.
  const { firstList, ...withoutFirstList } = draft
  const { heading, lead } = WATCH_LIST_SETUP_STEPS[step]!
  const stepProps = { draft, organisation, onChange: saveDraft }
  return (
    <EventDelegationBox onKeyDown={onKeyDown} className="mx-auto max-w-6xl px-3 pt-5 pb-28 sm:px-6">
      <StepList
        label="ขั้นตอนการตั้งค่า"
        steps={WATCH_LIST_SETUP_STEPS}
        present={step}
        reached={reached}
        onGoToStep={(to) => go(to)}
      />
      <h1 ref={title} tabIndex={-1} className="mt-5 text-2xl font-semibold">
        {heading}
      </h1>
      <p className="mb-5 text-ink-muted">{lead}</p>
      {step === 0 && (
        <FirstListStep
          company={draft.company ?? ''}
          selection={firstList}
          remaining={computeRemainingListLimits({ ...draft, groups: [], departments: [] }, organisation)}
          onCompany={(company) => saveDraft({ ...withoutFirstList, company })}
          onSelect={(selection) => saveDraft({ ...draft, firstList: selection })}
          onWithoutWins={() => go(1, withoutFirstList)}
        />
      )}
      {step === 0 && finish.error && refused.size === 0 && (
        <div className="mt-4">
          <FormError
            error={finish.error}
            text={`ยังบันทึกไม่เสร็จ: ${getErrorText(finish.error)} สิ่งที่เลือกไว้ยังอยู่ครบ ลองอีกครั้งได้`}
          />
        </div>
      )}
      {step === 1 && (
        <BusinessTypeSetupStep
          chosen={draft.types}
          onChange={(types) => saveDraft({ ...draft, types })}
          onSkip={() => {
            if (!isMoving) suggest.mutate([])
          }}
        />
      )}
      {step === 2 && <KeywordsSetupStep {...stepProps} refused={refused} />}
      {step === 3 && <ExclusionsSetupStep {...stepProps} />}
      {step === 4 && (
        <DepartmentsSetupStep
          {...stepProps}
          onTicked={(names) => {
            ticked.current = names
          }}
        />
      )}
      {step === 5 && <ReviewSetupStep draft={draft} failure={finish.error ?? undefined} onGoToStep={(to) => go(to)} />}
      <div className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-end gap-2 px-3 py-2.5 sm:px-6">
          {problem && (
            <p role="alert" className="w-full text-urgent sm:mr-auto sm:w-auto sm:min-w-0 sm:flex-1">
              {problem}
            </p>
          )}
          {step === 0 && !problem && (
            <p className="mr-auto min-w-0 flex-1 text-ink-muted">{describeFirstList(firstList)}</p>
          )}
          {step > 0 && step < 5 && !problem && (
            <p className="mr-auto min-w-0 flex-1 text-ink-muted">
              {step === 1 && draft.types.length === 0 && 'เลือกอย่างน้อยหนึ่งอย่าง'}
              {step === 1 && draft.types.length > 0 && (
                <span className="block font-semibold text-ink tabular-nums">เลือกไว้ {draft.types.length}</span>
              )}
              <DailyProjectEstimate draft={draft} organisation={organisation} isByTypes={step === 1} />
            </p>
          )}
          {isAgain && (
            <Link to="/report" search={start} className={getButtonClasses('quiet', 'md', 'mr-auto')}>
              ออกโดยไม่บันทึก
            </Link>
          )}
          {step === 2 && !hasWatchCriteria(draft, organisation) && (
            <Button variant="quiet" onClick={() => go(4)}>
              ติดตามเป็นหน่วยงาน
            </Button>
          )}
          {step === 0 && hasFirstListEntries(firstList) && (
            <Button onClick={() => go(2, addFirstListToDraft(draft, firstList))}>ดูทีละขั้น</Button>
          )}
          {step > 0 && (
            <Button icon={ArrowLeft} onClick={() => go((step - 1) as WatchListSetupStep)}>
              ย้อนกลับ
            </Button>
          )}
          <Button
            variant="primary"
            pending={isMoving}
            onClick={next}
            title="Ctrl+Enter"
            aria-keyshortcuts="Control+Enter"
          >
            {step === 5 ? 'บันทึกและเปิดรายงาน' : step === 0 ? 'เริ่มใช้งาน' : 'ต่อไป'}
            {step < 5 && <ArrowRight aria-hidden className="size-4" />}
          </Button>
        </div>
      </div>
    </EventDelegationBox>
  )
}

type DailyFigureProps = {
  draft: WatchListSetupDraft
  organisation: Organisation
  /** True while the draft has no word groups; then the starter words of the chosen types are counted. */
  isByTypes: boolean
}

/** Projects per working day, over the last 30 days and debounced. Renders nothing before the first count. */
export function DailyProjectEstimate({ draft, organisation, isByTypes }: DailyFigureProps) {
  const types = useDebouncedText(isByTypes ? draft.types.join(',') : '')
  const starters = useQuery({ ...starterKeywordsQuery(types.split(',').map(Number)), enabled: types !== '' })
  const groups = isByTypes && types !== '' ? starters.data?.groups : undefined
  const countedDraft = groups ? { ...draft, groups: mergeSuggestedSetupKeywords(draft, groups, organisation) } : draft
  const canCount = (!isByTypes || groups !== undefined) && hasWatchCriteria(countedDraft, organisation)
  const current = JSON.stringify(toSetupPreviewRequest(countedDraft))
  const debounced = useDebouncedText(current)
  const isDebounced = canCount && debounced === current
  const preview = useKeywordPreview(JSON.parse(debounced), { enabled: isDebounced })
  const { data } = preview
  const isNothing = isByTypes ? draft.types.length === 0 : !canCount
  if (data === undefined || data.looked_at === 0 || isNothing) return null
  const isOld = !isDebounced || preview.isPlaceholderData
  return (
    <span aria-busy={isOld} className={isOld ? 'opacity-60' : undefined}>
      ราว <span className="tabular-nums">{formatProjectsPerDay(data.per_working_day)}</span> โครงการต่อวันทำการ
    </span>
  )
}
